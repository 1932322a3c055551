/** The client address, in one form for each client: variants of it must not be separate keys. */
import { isPromise } from '../async/awaitable.ts'
import type { ClientAddressHeader, Protection } from '../config/protection-options.ts'

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** The eight groups of an IPv6 address (RFC 4291 §2.2), as numbers. */
function parseIPv6(address: string): readonly number[] | null {
  const url = `http://[${address}]`
  if (!/^[\da-f:.]+$/.test(address) || !URL.canParse(url)) return null
  const [first = [], last = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16))
}

/** An IPv4 address, or the /64 of an IPv6 address, which one client can use as a whole; `null` if it is not one. */
export function normalizeClientAddress(address: string): string | null {
  const text = address.trim().toLowerCase()
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? []
  const [, withPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  const bare = (bracketed ?? withPort ?? text).replace(/%.*$/, '')
  if (IPV4.test(bare)) return bare.split('.').map(Number).join('.')
  const groups = bare.includes(':') ? parseIPv6(bare) : null
  if (!groups) return null
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 6).every((group, index) => group === (index === 5 ? 0xffff : 0))
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Each proxy appends the address that it received the request from, so the rightmost ones are those of own proxies. */
function fromHeader(headers: Headers, { header, hops = 1 }: ClientAddressHeader): string | null {
  const list = headers.get(header)?.split(',') ?? []
  return normalizeClientAddress(list.at(-hops) ?? '')
}

/** What is left of the last comma is what the client sent, if the function returns a header as it is. */
function fromFunction(found: unknown): string | null {
  if (found === null || found === undefined) return null
  // That of an asynchronous function may be rejected, too.
  if (isPromise(found)) void Promise.resolve(found).catch(() => undefined)
  if (typeof found !== 'string') throw new TypeError(`It returned a value of type ${typeof found}.`)
  const text = found.split(',').at(-1)?.trim().toLowerCase() ?? ''
  return normalizeClientAddress(text) ?? (text === '' ? null : text)
}

/** @throws what the function throws, and a TypeError if it does not return an address or `null` */
export function findClientAddress(
  headers: Headers,
  source: Protection['clientAddress'],
): string | null {
  if (!source) return null
  if (typeof source !== 'function') return fromHeader(headers, source)
  return fromFunction(source(headers))
}
