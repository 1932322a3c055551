import type { VerificationToken } from '../../adapters/index.ts'
import { stepCase } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { newToken, unique } from './rows.ts'
import { BETWEEN, EARLY } from './sessions.ts'

const keyOf = ({ identifier, token }: VerificationToken) => ({ identifier, token })

export const tokenCases: readonly AdapterCase[] = [
  stepCase('useVerificationToken returns a token once', 0, () => {
    const token = newToken()
    return [
      ['createVerificationToken', [token]],
      ['useVerificationToken', [keyOf(token)], token],
      ['useVerificationToken', [keyOf(token)], null],
    ]
  }),
  stepCase('useVerificationToken returns null for an unknown token', 0, () => [
    ['useVerificationToken', [keyOf(newToken())], null],
  ]),
  stepCase('useVerificationToken matches identifier and token', 0, () => {
    const [token, other] = [newToken(), newToken()]
    return [
      ['createVerificationToken', [token]],
      ['createVerificationToken', [other]],
      ['useVerificationToken', [{ ...keyOf(token), identifier: other.identifier }], null],
      ['useVerificationToken', [{ ...keyOf(token), token: unique() }], null],
      // Otherwise an attacker could invalidate the magic link of another user.
      ['useVerificationToken', [keyOf(token)], token],
    ]
  }),
  stepCase('useVerificationToken keeps the other tokens of the identifier', 0, () => {
    const first = newToken()
    const second = newToken({ identifier: first.identifier })
    return [
      ['createVerificationToken', [first]],
      ['createVerificationToken', [second]],
      ['useVerificationToken', [keyOf(second)], second],
      ['useVerificationToken', [keyOf(first)], first],
    ]
  }),
  stepCase('createVerificationToken stores long identifiers and Unicode', 0, () => {
    const odd = newToken({ identifier: `o'${unique()}+tag_%@zoë.example` })
    const long = newToken({ identifier: `${unique()}@${'long.'.repeat(42)}example` })
    return [
      ['createVerificationToken', [odd]],
      ['useVerificationToken', [keyOf(odd)], odd],
      ['createVerificationToken', [long]],
      ['useVerificationToken', [keyOf(long)], long],
    ]
  }),
  stepCase('createVerificationToken stores a used token again', 0, () => {
    const token = newToken()
    return [
      ['createVerificationToken', [token]],
      ['useVerificationToken', [keyOf(token)], token],
      ['createVerificationToken', [token]],
      ['useVerificationToken', [keyOf(token)], token],
    ]
  }),
  stepCase('deleteVerificationTokens deletes all tokens of an identifier', 0, () => {
    const [first, kept] = [newToken(), newToken()]
    const second = newToken({ identifier: first.identifier })
    return [
      ...[first, second, kept].map((token): Step => ['createVerificationToken', [token]]),
      ['deleteVerificationTokens', [first.identifier]],
      ['useVerificationToken', [keyOf(first)], null],
      ['useVerificationToken', [keyOf(second)], null],
      ['useVerificationToken', [keyOf(kept)], kept],
      ['deleteVerificationTokens', [first.identifier]],
    ]
  }),
  stepCase('deleteExpired deletes tokens that expire before the given time', 0, () => {
    const [expired, kept] = [newToken({ expires: EARLY }), newToken()]
    return [
      ['createVerificationToken', [expired]],
      ['createVerificationToken', [kept]],
      ['deleteExpired', [BETWEEN]],
      ['useVerificationToken', [keyOf(expired)], null],
      ['useVerificationToken', [keyOf(kept)], kept],
    ]
  }),
]
