import { asciiLowerCase, foldsToAscii } from './case-folding.ts'

/** A dot-atom in lower case (RFC 5322 §3.2.3). */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** Characters of a domain before IDNA: no invisible characters, and none with a special meaning in a URL. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

/** A label of a host name (RFC 1123 §2.1). */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Maximum lengths (RFC 5321 §4.5.3.1, RFC 3696 erratum 1690). */
const LENGTH = { address: 254, localPart: 64 } as const

/** Converts a domain to ASCII (RFC 5891); `null` if it is an IP address or has fewer than two labels. */
function asciiDomain(domain: string): string | null {
  const address = `https://${domain}`
  if (!DOMAIN.test(domain) || !URL.canParse(address)) return null
  const { hostname } = new URL(address)
  const labels = hostname.split('.')
  const isHost = labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isHost && /[a-z]/.test(labels.at(-1) ?? '') ? hostname : null
}

/** Normalizes an e-mail address: NFKC, ASCII lower case, trimmed, domain in ASCII; `null` if it is not a plain one. */
export function parseAddress(identifier: string): string | null {
  // Before trim(), which would remove a line break at either end.
  if (/\p{Cc}/u.test(identifier)) return null
  // Before NFKC, which replaces these characters by their ASCII equivalents.
  if (foldsToAscii(identifier.split(/[@\uff20]/, 1).join(''))) return null
  const plain = asciiLowerCase(identifier.normalize('NFKC').trim())
  if (plain.length > LENGTH.address) return null
  // Mail software may not read quoted local parts, comments, lists, source routes, IP addresses and domains without a
  // dot as exactly one mailbox (RFC 5321 §4.1.2).
  const [localPart = '', unicodeDomain = '', ...rest] = plain.split('@')
  if (rest.length > 0 || localPart.length > LENGTH.localPart) return null
  const domain = LOCAL_PART.test(localPart) ? asciiDomain(unicodeDomain) : null
  const address = `${localPart}@${domain}`
  return domain !== null && address.length <= LENGTH.address ? address : null
}

/** Throws if the address is invalid; the message does not contain it. */
export function normalizeAddress(identifier: string): string {
  const address = parseAddress(identifier)
  if (address !== null) return address
  throw new Error('The e-mail address does not have the form name@example.com.')
}
