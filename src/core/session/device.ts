/** What a list shows about the device of a session. */
import type { ResolvedConfig } from '../contracts.ts'
import type { ListedSession } from './session-info.ts'
import { findClientAddress } from '../limits/client-address.ts'

/** Browsers name themselves at the end, after those they are compatible with: Safari on iOS behind character 130. */
const MAX_LENGTH = 200

/** The network of an address: /24 (IPv4) or /48 (IPv6), which does not identify a user. */
function truncateAddress(address: string | null): string | null {
  const [, ipv4] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address ?? '') ?? []
  if (ipv4) return `${ipv4}.0/24`
  const [, ipv6] = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(address ?? '') ?? []
  return ipv6 ? `${ipv6}::/48` : null
}

export function describeDevice(
  headers: Headers,
  { protection }: Pick<ResolvedConfig, 'protection'>,
): NonNullable<ListedSession['device']> {
  const userAgent = headers.get('user-agent')?.replaceAll(/[\p{Cc}\p{Surrogate}]/gu, '')
  let address: string | null = null
  try {
    address = findClientAddress(headers, protection?.clientAddress)
  } catch {
    // The function of the application threw, which its limits report.
  }
  return {
    userAgent: userAgent?.slice(0, MAX_LENGTH) || null,
    address: truncateAddress(address),
  }
}
