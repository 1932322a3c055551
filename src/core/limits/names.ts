/** Spellings that a database, a mail server or `authorize` may treat as one name are charged as one. */
import { foldLetters } from './letters.ts'
import { foldMailbox } from './mailbox-name.ts'
import { findReadings } from './readings.ts'
import type { LimitKey } from './rules.ts'

/** Names of accounts. One client is one client at every host, and the others are random or configured. */
export const NAMES: ReadonlySet<LimitKey> = new Set(['account', 'owner', 'recipient', 'user'])

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

function foldText(value: string): string {
  return foldLetters(foldCase(value))
}

/** An address whose domain is internationalized, with the domain in ASCII (UTS #46), as some applications store it. */
function withDomainInASCII(name: string): string {
  const at = name.lastIndexOf('@')
  const domain = name.slice(at + 1)
  if (at === -1 || !/\P{ASCII}/u.test(domain)) return name
  const url = `http://${domain}`
  return URL.canParse(url) ? name.slice(0, at + 1) + new URL(url).hostname : name
}

function foldAccount(value: string): string {
  const name = foldText(value)
  if (name.includes('@')) return foldMailbox(name)
  return PHONE.test(name) ? name.replace(/\D/g, '').replace(/^0+/, '') : name
}

/** A name that is a number, as applications read it that convert it: 4.0 and 0x4 are 4. */
function readAsNumber(value: string): readonly string[] {
  const name = /\p{N}/u.test(value) ? foldText(value) : ''
  const number = name === '' ? NaN : Number(name)
  return Number.isFinite(number) ? [String(number)] : []
}

/**
 * One name, and several, which may be equal, for a name with characters that databases and applications read in different ways. Two accounts
 * that share a limit are harmless, and one with two limits is not.
 */
export function foldName(key: LimitKey, value: string): readonly string[] {
  if (!NAMES.has(key)) return [foldText(value)]
  const names = [...findReadings(value), withDomainInASCII(value)].map(foldAccount)
  return [...names, ...readAsNumber(value)]
}
