import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow } from './expect.ts'
import { newToken, unique } from './rows.ts'

const BOTH = ['createVerificationToken', 'useVerificationToken'] as const

export const tokenCases: readonly AdapterCase[] = [
  adapterCase('useVerificationToken gives a token once', BOTH, async (adapter) => {
    const token = newToken()
    await adapter.createVerificationToken(token)
    const key = { identifier: token.identifier, token: token.token }
    expectRow('useVerificationToken', await adapter.useVerificationToken(key), token)
    const again = await adapter.useVerificationToken(key)
    expectNull('useVerificationToken, the second time', again)
  }),
  adapterCase('useVerificationToken knows no other token', BOTH, async (adapter) => {
    const { identifier, token } = newToken()
    const unknown = await adapter.useVerificationToken({ identifier, token })
    expectNull('useVerificationToken, with an unknown token', unknown)
  }),
  adapterCase('useVerificationToken needs both halves of the key', BOTH, async (adapter) => {
    const [mine, yours] = [newToken(), newToken()]
    await adapter.createVerificationToken(mine)
    await adapter.createVerificationToken(yours)
    expectNull(
      'useVerificationToken, with the identifier of somebody else',
      await adapter.useVerificationToken({ identifier: yours.identifier, token: mine.token }),
    )
    expectNull(
      'useVerificationToken, with a wrong token',
      await adapter.useVerificationToken({ identifier: mine.identifier, token: unique() }),
    )
    // Otherwise an attacker could invalidate the magic link of another user.
    const { identifier, token } = mine
    const still = await adapter.useVerificationToken({ identifier, token })
    expectRow('useVerificationToken, after attempts with half of the key', still, mine)
  }),
  adapterCase('useVerificationToken leaves the other tokens', BOTH, async (adapter) => {
    const first = newToken()
    const second = newToken({ identifier: first.identifier })
    await adapter.createVerificationToken(first)
    await adapter.createVerificationToken(second)
    for (const expected of [second, first]) {
      const { identifier, token } = expected
      const used = await adapter.useVerificationToken({ identifier, token })
      expectRow('useVerificationToken, of two of one identifier', used, expected)
    }
  }),
  adapterCase('createVerificationToken stores odd and long identifiers', BOTH, async (adapter) => {
    const identifiers = [
      `o'${unique()}+tag_%@zoë.example`,
      `${unique()}@${'long.'.repeat(42)}example`,
    ]
    for (const identifier of identifiers) {
      const token = newToken({ identifier })
      await adapter.createVerificationToken(token)
      const used = await adapter.useVerificationToken({ identifier, token: token.token })
      expectRow(`createVerificationToken of "${identifier}"`, used, token)
    }
  }),
  adapterCase('createVerificationToken puts back what was used', BOTH, async (adapter) => {
    const token = newToken()
    const key = { identifier: token.identifier, token: token.token }
    await adapter.createVerificationToken(token)
    await adapter.useVerificationToken(key)
    await adapter.createVerificationToken(token)
    const used = await adapter.useVerificationToken(key)
    expectRow('createVerificationToken of a token that was used', used, token)
  }),
  adapterCase(
    'deleteVerificationTokens deletes all tokens of an identifier',
    [...BOTH, 'deleteVerificationTokens'],
    async (adapter) => {
      const first = newToken()
      const second = newToken({ identifier: first.identifier })
      const kept = newToken()
      for (const token of [first, second, kept]) await adapter.createVerificationToken(token)
      await adapter.deleteVerificationTokens(first.identifier)
      for (const { identifier, token } of [first, second])
        expectNull(
          'deleteVerificationTokens, then useVerificationToken',
          await adapter.useVerificationToken({ identifier, token }),
        )
      const { identifier, token } = kept
      const left = await adapter.useVerificationToken({ identifier, token })
      expectRow('deleteVerificationTokens leaves those of others', left, kept)
      await adapter.deleteVerificationTokens(first.identifier)
    },
  ),
  adapterCase(
    'deleteExpired deletes tokens that ended before, and no others',
    [...BOTH, 'deleteExpired'],
    async (adapter) => {
      const over = newToken({ expires: new Date('2035-01-01T00:00:00.000Z') })
      const kept = newToken()
      await adapter.createVerificationToken(over)
      await adapter.createVerificationToken(kept)
      await adapter.deleteExpired(new Date('2036-01-01T00:00:00.000Z'))
      expectNull(
        'deleteExpired, then useVerificationToken of a token that ended before',
        await adapter.useVerificationToken({ identifier: over.identifier, token: over.token }),
      )
      const { identifier, token } = kept
      const left = await adapter.useVerificationToken({ identifier, token })
      expectRow('deleteExpired leaves tokens that end later', left, kept)
    },
  ),
]
