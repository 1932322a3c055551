/** The one spelling of an e-mail address, and which addresses mail is sent to. */
import { asciiLowerCase, foldsToAscii } from '../../case-folding.ts'

/** A dot-atom (RFC 5322 §3.2.3), without capital letters. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** What a domain consists of before IDNA: nothing that is invisible, and nothing that a URL gives a meaning. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

/** A label of a host name (RFC 1123 §2.1). */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Longest address and local part there can be (RFC 5321 §4.5.3.1, RFC 3696 erratum 1690). */
const LENGTH = { address: 254, localPart: 64 } as const

/** The domain in ASCII (RFC 5891), if it is one: at least two labels, and no IP address. */
function asciiDomain(domain: string): string | null {
  const address = `https://${domain}`
  if (!DOMAIN.test(domain) || !URL.canParse(address)) return null
  const { hostname } = new URL(address)
  const labels = hostname.split('.')
  const isHost = labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isHost && /[a-z]/.test(labels.at(-1) ?? '') ? hostname : null
}

/** The address in its one spelling; `null` if it is not a plain address. */
export function parseAddress(identifier: string): string | null {
  // Asked before anything is trimmed: a line break is no slip of the keyboard.
  if (/\p{Cc}/u.test(identifier)) return null
  // Before NFKC, which hides them.
  if (foldsToAscii(identifier.split(/[@\uff20]/, 1).join(''))) return null
  const plain = asciiLowerCase(identifier.normalize('NFKC').trim())
  if (plain.length > LENGTH.address) return null
  const [localPart = '', unicodeDomain = '', ...rest] = plain.split('@')
  if (rest.length > 0 || localPart.length > LENGTH.localPart) return null
  const domain = LOCAL_PART.test(localPart) ? asciiDomain(unicodeDomain) : null
  const address = `${localPart}@${domain}`
  return domain !== null && address.length <= LENGTH.address ? address : null
}

/**
 * Gives an address the one spelling by which it is known: NFKC, ASCII lower case, no spaces around it, the domain in
 * ASCII. What mail programs could take for something else than one mailbox (RFC 5321 §4.1.2) is refused: quotes,
 * comments, lists, source routes, IP addresses, names without a dot.
 *
 * @throws Error for anything else; its message does not repeat the address
 */
export function normalizeAddress(identifier: string): string {
  const address = parseAddress(identifier)
  if (address !== null) return address
  throw new Error('The e-mail address does not have the form name@example.com.')
}
