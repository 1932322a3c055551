/** Common passwords, which no user may choose. */
import { expect, test } from 'vitest'
import { COMMON_PASSWORDS } from '../../../src/core/password/common-passwords.ts'
import { isCommon } from '../../../src/core/password/is-common.ts'

const list = new Set(COMMON_PASSWORDS.split(' '))

test.each([
  // The most frequent ones of at least 8, 10, 12 and 15 characters, which shorter ones do not contain.
  '987654321',
  '0987654321',
  'poiuytrewq',
  'sleepyhollow',
  'dantheman123',
  '1234567890qwertyuiop',
  'qwertyuiopasdfg',
  'perasperaadastra',
  '30secondstomars',
  '2222333344445555',
  // With what users append, and repeated.
  'qwertyuiop123',
  'Password2024!!',
  'supermansuperman',
  'SuperManSuperMan1!',
  'aaaaaaaaaaaa',
  '111111111111111',
  '121212121212',
  'abcabcabcabc',
  'abcabcabcabc2024',
])('%s is common', (password) => {
  expect(isCommon(password, list)).toBe(true)
})

test.each([
  'correct horse battery staple',
  'a pound of purple plums',
  'Tr0ub4dor&3 Tr0ub4dor&4',
  'kqzvkqzvkqzx',
  '\u{1f511}\u{1f512}\u{1f513}\u{1f514}'.repeat(2),
])('%s is not', (password) => {
  expect(isCommon(password, list)).toBe(false)
})

// OWASP ASVS 5, 6.2.4: of the 3,000 most frequent ones for each minimal length, those that the rules do not reject are on the list.
test.each([
  [8, 13_000],
  [12, 5000],
  [15, 2500],
])('the list has enough passwords of %i characters', (length, count) => {
  expect([...list].filter((each) => each.length >= length).length).toBeGreaterThan(count)
})

test('contains no e-mail address', () => {
  expect([...list].filter((each) => /@.*\./.test(each))).toEqual([])
})
