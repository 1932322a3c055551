import { adapterCase, runSteps, stepCase } from './case.ts'
import type { AdapterCase, Call } from './case.ts'
import { fail, succeeded, together } from './expect.ts'
import { keyOf, newAccount, newSession, newToken, newUser, tokenKey } from './rows.ts'

export const transactionCases: readonly AdapterCase[] = [
  adapterCase('transaction returns the result of its work', ['transaction'], async (adapter) => {
    const result = {}
    const returned = await adapter.transaction(async () => result)
    if (returned !== result) fail('transaction', 'the result of its work', returned)
  }),
  stepCase('transaction commits the changes of its work', 1, (user) => {
    const [{ id, ...fields }, account] = [newUser(), newAccount(user.id)]
    const calls: Call[] = [
      ['createUser', [{ id, ...fields }]],
      ['linkAccount', [account]],
    ]
    return [
      ['transaction', calls, 'commit'],
      ['getUserByEmail', [fields.email], fields],
      ['getUserByAccount', [keyOf(account)], { id: user.id }],
    ]
  }),
  stepCase('transaction reads the changes of its own work', 0, () => {
    const user = newUser()
    const { email } = user
    const calls = [
      ['createUser', [user]],
      ['getUserByEmail', [email], { email }],
    ] as const
    return [['transaction', calls, 'commit']]
  }),
  stepCase('transaction rolls back inserted rows if its work throws', 1, (user) => {
    const [added, account] = [newUser(), newAccount(user.id)]
    const calls = [
      ['createUser', [added]],
      ['linkAccount', [account]],
    ] as const
    return [
      ['transaction', calls, 'rollback'],
      ['getUserByEmail', [added.email], null],
      ['getUserByAccount', [keyOf(account)], null],
      ['transaction', calls, 'commit'],
      ['getUserByAccount', [keyOf(account)], { id: user.id }],
    ]
  }),
  stepCase('transaction rolls back updated rows if its work throws', 1, (user) => {
    const changes = { id: user.id, name: 'Grace Hopper', emailVerified: null }
    return [
      ['transaction', [['updateUser', [changes]]], 'rollback'],
      ['getUser', [user.id], user],
    ]
  }),
  stepCase('transaction rolls back deleted rows if its work throws', 1, (user) => {
    const session = newSession(user.id)
    return [
      ['createSession', [session]],
      ['transaction', [['deleteSession', [session.sessionToken]]], 'rollback'],
      ['getSessionAndUser', [session.sessionToken], { session }],
    ]
  }),
  stepCase('transaction restores a used token if its work throws', 0, () => {
    const row = newToken()
    const used: Call = ['useVerificationToken', [tokenKey(row)], row]
    return [['createVerificationToken', [row]], ['transaction', [used], 'rollback'], used]
  }),
  adapterCase(
    'transaction keeps the changes of concurrent transactions',
    ['transaction', 'createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const accounts = Array.from({ length: 10 }, () => newAccount(''))
      const outcomes = await together(
        accounts.map(
          (account) => () =>
            adapter.transaction(async (inner) => {
              const user = await inner.createUser?.(newUser())
              await inner.linkAccount?.({ ...account, userId: user?.id ?? '' })
              return user?.id
            }),
        ),
      )
      if (succeeded(outcomes).length === 0)
        fail('transaction, ten concurrent calls', 'at least one to succeed', outcomes[0])
      for (const [at, account] of accounts.entries()) {
        const outcome = outcomes[at]
        const owner = outcome?.status === 'fulfilled' ? { id: outcome.value } : null
        await runSteps(adapter, [['getUserByAccount', [keyOf(account)], owner]], {
          after: 'ten concurrent transactions',
        })
      }
    },
  ),
]
