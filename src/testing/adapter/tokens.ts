import { callEach, stepCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { newToken, tokenKey, unique } from './rows.ts'
import { BETWEEN, EARLY } from './sessions.ts'

export const tokenCases: readonly AdapterCase[] = [
  stepCase('useVerificationToken returns a token once', 0, () => {
    const token = newToken()
    return [
      ['createVerificationToken', [token]],
      ['useVerificationToken', [tokenKey(token)], token],
      ['useVerificationToken', [tokenKey(token)], null],
    ]
  }),
  stepCase('useVerificationToken returns null for an unknown token', 0, () => [
    ['useVerificationToken', [tokenKey(newToken())], null],
  ]),
  stepCase('useVerificationToken matches identifier and token', 0, () => {
    const [token, other] = [newToken(), newToken()]
    return [
      ...callEach('createVerificationToken', [token, other]),
      ['useVerificationToken', [{ ...tokenKey(token), identifier: other.identifier }], null],
      ['useVerificationToken', [{ ...tokenKey(token), token: unique() }], null],
      // Otherwise an attacker could invalidate the magic link of another user.
      ['useVerificationToken', [tokenKey(token)], token],
    ]
  }),
  stepCase('useVerificationToken keeps the other tokens of the identifier', 0, () => {
    const first = newToken()
    const second = newToken({ identifier: first.identifier })
    return [
      ...callEach('createVerificationToken', [first, second]),
      ['useVerificationToken', [tokenKey(second)], second],
      ['useVerificationToken', [tokenKey(first)], first],
    ]
  }),
  stepCase('createVerificationToken stores long identifiers and Unicode', 0, () => {
    const odd = newToken({ identifier: `o'${unique()}+tag_%@zoë.example` })
    const long = newToken({ identifier: `${unique()}@${'long.'.repeat(42)}example` })
    return [
      ...callEach('createVerificationToken', [odd, long]),
      ['useVerificationToken', [tokenKey(odd)], odd],
      ['useVerificationToken', [tokenKey(long)], long],
    ]
  }),
  stepCase('createVerificationToken stores a used token again', 0, () => {
    const token = newToken()
    return [
      ['createVerificationToken', [token]],
      ['useVerificationToken', [tokenKey(token)], token],
      ['createVerificationToken', [token]],
      ['useVerificationToken', [tokenKey(token)], token],
    ]
  }),
  stepCase('deleteVerificationTokens deletes all tokens of an identifier', 0, () => {
    const [first, kept] = [newToken(), newToken()]
    const second = newToken({ identifier: first.identifier })
    return [
      ...callEach('createVerificationToken', [first, second, kept]),
      ['deleteVerificationTokens', [first.identifier]],
      ...callEach('useVerificationToken', [tokenKey(first), tokenKey(second)], null),
      ['useVerificationToken', [tokenKey(kept)], kept],
      ['deleteVerificationTokens', [first.identifier]],
    ]
  }),
  stepCase('deleteExpired deletes tokens that expire before the given time', 0, () => {
    const [expired, kept] = [newToken({ expires: EARLY }), newToken()]
    return [
      ...callEach('createVerificationToken', [expired, kept]),
      ['deleteExpired', [BETWEEN]],
      ['useVerificationToken', [tokenKey(expired)], null],
      ['useVerificationToken', [tokenKey(kept)], kept],
    ]
  }),
]
