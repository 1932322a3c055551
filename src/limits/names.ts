/** Spellings that a database, a mail server or `authorize` may treat as one name are charged as one. */
import type { Subject } from './rules.ts'

/** What some databases ignore: spaces, control and invisible characters, accents. */
const IGNORED = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u0300-\u036f]/gu

/** A telephone number, which can be written with and without these signs. */
const PHONE = /^\+?[\d()./-]{5,}$/

/** The part of a local part that many mail servers ignore (subaddressing, RFC 5233). */
const SUBADDRESS = /^([^+]+)\+.*@/

/** Gmail also ignores dots. */
function foldMailbox(name: string): string {
  const address = name.replace(SUBADDRESS, '$1@')
  const at = address.lastIndexOf('@')
  return address.slice(0, at).replaceAll('.', '') + address.slice(at)
}

export function foldName(subject: Subject, value: string): string {
  // Both, because capitals of some letters are those of others: ß and ss, ı and i.
  const name = value.normalize('NFKD').replace(IGNORED, '').toUpperCase().toLowerCase()
  if (subject === 'recipient') return foldMailbox(name)
  const isPhone = subject === 'account' && PHONE.test(name)
  return isPhone ? name.replace(/\D/g, '').replace(/^0+/, '') : name
}
