/** Addresses of one mailbox are charged as one. Mails are sent to the address as it was entered. */

/** The part of a local part that many mail servers ignore (subaddressing, RFC 5233). */
const SUBADDRESS = /^([^+]+)\+.*$/

/** Yahoo separates it by a hyphen. */
const YAHOO = /^(?:yahoo\.[a-z.]+|(?:my)?yahoo\.com|ymail\.com|rocketmail\.com)$/

/** Domains of one mailbox. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['googlemail.com', 'gmail.com'],
  ['mac.com', 'icloud.com'],
  ['me.com', 'icloud.com'],
  ['pm.me', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
  ['protonmail.com', 'proton.me'],
  ...['ya.ru', 'yandex.by', 'yandex.com', 'yandex.kz', 'yandex.ua'].map(
    (domain) => [domain, 'yandex.ru'] as const,
  ),
])

/** A mailbox has the same name with, without and with other signs between its words. */
const WITHOUT_SIGNS = /^(?:proton\.me|yandex\.ru)$/

function foldLocalPart(localPart: string, domain: string): string {
  const name = localPart.replace(SUBADDRESS, '$1')
  if (YAHOO.test(domain)) return name.replace(/^([^-]+)-.*$/, '$1')
  return WITHOUT_SIGNS.test(domain) ? name.replace(/[-_]/g, '') : name
}

/** Of an address in lower case. Dots in its name do not matter at Gmail, and those around its domain nowhere. */
export function foldMailbox(address: string): string {
  const at = address.lastIndexOf('@')
  const written = address.slice(at + 1).replace(/^\.+|\.+$/g, '')
  const domain = ALIASES.get(written) ?? written
  return `${foldLocalPart(address.slice(0, at), domain).replaceAll('.', '')}@${domain}`
}
