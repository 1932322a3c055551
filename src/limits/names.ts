/** Spellings that a database, a mail server or `authorize` may treat as one name are charged as one. */
import { foldLetters } from './letters.ts'
import type { Subject } from './rules.ts'

/** Names of accounts. One client is one client at every host, and the others are random or configured. */
export const NAMES: ReadonlySet<Subject> = new Set(['account', 'recipient', 'user'])

/** What some databases ignore: spaces, control and invisible characters, marks such as accents, and signs within a word. */
const IGNORED =
  /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u00b7\u0640\u07fa\u0824\u0828\u180a\u1cd3\u1cf2\u1cf3\ufe73]/gu

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

function foldCase(value: string): string {
  const name = value.normalize('NFKD').replace(IGNORED, '')
  // Both, because capitals of some letters are those of others: ß and ss, ı and i.
  return name.toUpperCase().toLowerCase().replace(IGNORED, '')
}

/** Two accounts that share a limit are harmless, and one with two limits is not. */
export function foldName(subject: Subject, value: string): string {
  const name = foldLetters(foldCase(value))
  if (!NAMES.has(subject)) return name
  if (name.includes('@')) return foldMailbox(name)
  return PHONE.test(name) ? name.replace(/\D/g, '').replace(/^0+/, '') : name
}
