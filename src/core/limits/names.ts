/** Spellings that a database, a mail server or `authorize` may treat as one name are charged as one. */
import { foldLetters } from './letters.ts'
import { foldMailbox } from './mailbox-name.ts'
import { decodeDomain } from './punycode.ts'
import { readingsOf } from './readings.ts'
import type { Subject } from './rules.ts'

/** Names of accounts. One client is one client at every host, and the others are random or configured. */
export const NAMES: ReadonlySet<Subject> = new Set([
  'account',
  'everywhere',
  'owner',
  'recipient',
  'user',
])

/** What some databases ignore: spaces, control and invisible characters, marks such as accents, and signs within a word. */
const IGNORED =
  /[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u00b7\u0640\u06de\u07fa\u0824\u0828\u180a\u1cd3\u1cf2\u1cf3\ufe73]/gu

/** A telephone number, which can be written with and without these signs. */
const PHONE = /^\+?[\d()./-]{5,}$/

function foldCase(value: string): string {
  const name = value.normalize('NFKD').replace(IGNORED, '')
  // Both, because capitals of some letters are those of others: ß and ss, ı and i.
  return name.toUpperCase().toLowerCase().replace(IGNORED, '')
}

/** Also the domain of an address in ASCII, and its full stops in other scripts (UTS #46). */
function foldText(value: string): string {
  const name = foldCase(value)
  if (!name.includes('@')) return foldLetters(name)
  return foldLetters(foldCase(decodeDomain(name.replaceAll('\u3002', '.'))))
}

function foldAccount(value: string): string {
  const name = foldText(value)
  if (name.includes('@')) return foldMailbox(name)
  return PHONE.test(name) ? name.replace(/\D/g, '').replace(/^0+/, '') : name
}

/**
 * One name, and several, which may be equal, for a name with characters that databases and applications read in different ways. Two accounts
 * that share a limit are harmless, and one with two limits is not.
 */
export function foldName(subject: Subject, value: string): readonly string[] {
  return NAMES.has(subject) ? readingsOf(value).map(foldAccount) : [foldText(value)]
}
