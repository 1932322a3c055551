import { adapterCase, callEach, RACE_CALLS, runSteps, stepCases } from './case.ts'
import type { AdapterCase, Call, Racer } from './case.ts'
import { fail, succeeded, together } from './expect.ts'
import { accountKey, newAccount, newUser, tokenKey } from './rows.ts'

export const concurrencyCases: readonly AdapterCase[] = [
  adapterCase(
    'transaction returns the result of its work',
    () => ['transaction'],
    async (adapter) => {
      const result = {}
      const returned = await adapter.transaction(async () => result)
      if (returned !== result) fail('transaction', 'the result of its work', returned)
    },
  ),
  ...stepCases(2, {
    'transaction commits the changes of its work': ({ user, account }) => {
      const { id, ...fields } = newUser()
      const calls: Call[] = [
        ['createUser', [{ id, ...fields }]],
        ['linkAccount', [account]],
      ]
      return [
        ['transaction', calls, 'commit'],
        ['getUserByEmail', [fields.email], fields],
        ['getUserByAccount', [accountKey(account)], { id: user.id }],
      ]
    },
    'transaction rolls back inserted rows if its work throws': ({ user, account }) => {
      const added = newUser()
      const calls: Call[] = [
        ['createUser', [added]],
        ['linkAccount', [account]],
      ]
      return [
        ['transaction', calls, 'rollback'],
        ['getUserByEmail', [added.email], null],
        ['getUserByAccount', [accountKey(account)], null],
        ['transaction', calls, 'commit'],
        ['getUserByAccount', [accountKey(account)], { id: user.id }],
      ]
    },
    'transaction rolls back updated rows if its work throws': ({ user }) => {
      const changes = { id: user.id, name: 'Grace Hopper', emailVerified: null }
      return [
        ['transaction', [['updateUser', [changes]]], 'rollback'],
        ['getUser', [user.id], user],
      ]
    },
    'transaction rolls back deleted rows if its work throws': ({ session }) => [
      ['createSession', [session]],
      ['transaction', [['deleteSession', [session.sessionToken]]], 'rollback'],
      ['getSessionAndUser', [session.sessionToken], { session }],
    ],
    'linkAccount links an account in one of fifty concurrent calls': ({ user, other, account }) => {
      const racers = [user, other].map(({ id }): Racer => [
        ['linkAccount', [{ ...account, userId: id }]],
        ['getUserByAccount', [accountKey(account)], { id }],
      ])
      return [['race', racers, 'exactly one']]
    },
    'createSession stores a token in one of fifty concurrent calls': ({ user, other, session }) => {
      const racers = [user, other].map(({ id }): Racer => [
        ['createSession', [{ ...session, userId: id }]],
        ['getSessionAndUser', [session.sessionToken], { user: { id } }],
      ])
      return [['race', racers, 'exactly one']]
    },
    'deleteSession deletes one session in fifty concurrent calls': ({ session, session2 }) => {
      const { sessionToken } = session
      const racer: Racer = [
        ['deleteSession', [sessionToken]],
        ['getSessionAndUser', [sessionToken], null],
      ]
      return [
        ...callEach('createSession', [session, session2]),
        ['race', [racer], 'at least one'],
        ['getSessionAndUser', [session2.sessionToken], { session: session2 }],
      ]
    },
    'createAuthenticator stores an id in one of fifty concurrent calls': ({ user, passkey }) => {
      const racer: Racer = [
        ['createAuthenticator', [passkey]],
        ['listAuthenticatorsByUserId', [user.id], [passkey]],
      ]
      return [['race', [racer], 'exactly one']]
    },
    'updateAuthenticatorCounter stores one counter of fifty concurrent calls': ({ passkey }) => {
      const { credentialID: id } = passkey
      const racers = Array.from({ length: RACE_CALLS }, (_, index): Racer => [
        ['updateAuthenticatorCounter', [id, index + 1]],
        ['getAuthenticator', [id], { ...passkey, counter: index + 1 }],
      ])
      return [
        ['createAuthenticator', [passkey]],
        ['race', racers, 'all'],
      ]
    },
  }),
  ...stepCases(0, {
    'transaction reads the changes of its own work': ({ user }) => {
      const { email } = user
      const calls: Call[] = [
        ['createUser', [user]],
        ['getUserByEmail', [email], { email }],
      ]
      return [['transaction', calls, 'commit']]
    },
    'transaction restores a used token if its work throws': ({ token }) => {
      const used: Call = ['useVerificationToken', [tokenKey(token)], token]
      return [['createVerificationToken', [token]], ['transaction', [used], 'rollback'], used]
    },
    'useVerificationToken returns a token to one of fifty concurrent calls': ({ token }) => {
      const key = tokenKey(token)
      const racer: Racer = [
        ['useVerificationToken', [key], token],
        ['useVerificationToken', [key], null],
      ]
      return [
        ['createVerificationToken', [token]],
        ['race', [racer], 'exactly one'],
      ]
    },
  }),
  adapterCase(
    'createUser stores an address in one of fifty concurrent calls',
    () => ['createUser'],
    async (adapter, report) => {
      const { email } = await adapter.createUser(newUser())
      const [duplicate] = await together([() => adapter.createUser(newUser({ email }))])
      if (duplicate?.status === 'fulfilled') {
        report(
          'createUser stores two users with the same e-mail address. Make the column unique; otherwise concurrent sign-ups can create two users for one address.',
        )
        return
      }
      const user = newUser()
      const racers = Array.from({ length: RACE_CALLS }, (): Racer => [
        ['createUser', [{ ...user, id: crypto.randomUUID() }]],
      ])
      await runSteps(adapter, [['race', racers, 'exactly one']])
    },
  ),
  adapterCase(
    'transaction keeps the changes of concurrent transactions',
    () => ['transaction', 'createUser', 'linkAccount', 'getUserByAccount'],
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
        await runSteps(adapter, [['getUserByAccount', [accountKey(account)], owner]], {
          after: 'ten concurrent transactions',
        })
      }
    },
  ),
]
