import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow, expectValue, fail, succeeded, together } from './expect.ts'
import { newAccount, newAuthenticator, newSession, newToken, newUser, twoUsers } from './rows.ts'

const MANY = 50
const numbers = Array.from({ length: MANY }, (_, index) => index + 1)

function onlyOne<T>(what: string, winners: readonly T[]): T {
  const [winner, ...others] = winners
  if (winner === undefined || others.length > 0)
    fail(`${what}, ${MANY} times at once`, 'exactly one to succeed', winners.length)
  return winner
}

export const raceCases: readonly AdapterCase[] = [
  adapterCase(
    'useVerificationToken gives a token to one of many at once',
    ['createVerificationToken', 'useVerificationToken'],
    async (adapter) => {
      const token = newToken()
      const key = { identifier: token.identifier, token: token.token }
      await adapter.createVerificationToken(token)
      const outcomes = await together(numbers.map(() => () => adapter.useVerificationToken(key)))
      const got = succeeded(outcomes).filter((used) => used !== null)
      expectRow('useVerificationToken', onlyOne('useVerificationToken', got), token)
      const again = await adapter.useVerificationToken(key)
      expectNull('useVerificationToken, after all of them', again)
    },
  ),
  adapterCase(
    'linkAccount gives an account to one of many users at once',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const [first, second] = await twoUsers(adapter)
      const account = newAccount(first.id)
      const outcomes = await together(
        numbers.map((number) => async () => {
          const { id } = number % 2 ? first : second
          await adapter.linkAccount({ ...account, userId: id })
          return id
        }),
      )
      const winner = onlyOne('linkAccount', succeeded(outcomes))
      const owner = await adapter.getUserByAccount(account)
      expectValue('linkAccount many times at once, then getUserByAccount', owner?.id, winner)
    },
  ),
  adapterCase(
    'createUser makes one user of an address, however many ask at once',
    ['createUser'],
    async (adapter, report) => {
      const { email } = await adapter.createUser(newUser())
      const again = async () => adapter.createUser(newUser({ email }))
      if (await again().catch(() => null)) {
        report(
          'createUser stores two users with the same e-mail address: make the column unique, so that two ' +
            'sign-ups at the same time cannot make two users of one person.',
        )
        return
      }
      const user = newUser()
      const outcomes = await together(
        numbers.map(() => () => adapter.createUser({ ...user, id: crypto.randomUUID() })),
      )
      onlyOne('createUser with the same e-mail address', succeeded(outcomes))
    },
  ),
  adapterCase(
    'createSession gives a token to one of many at once',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const [first, second] = await twoUsers(adapter)
      const session = newSession(first.id)
      const outcomes = await together(
        numbers.map((number) => async () => {
          const { id } = number % 2 ? first : second
          await adapter.createSession({ ...session, userId: id })
          return id
        }),
      )
      const winner = onlyOne('createSession with the same token', succeeded(outcomes))
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectValue('createSession many times at once, then the user', found?.user.id, winner)
    },
  ),
  adapterCase(
    'deleteSession ends a session, however many ask at once',
    ['createUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [session, kept] = [newSession(user.id), newSession(user.id)]
      await adapter.createSession(session)
      await adapter.createSession(kept)
      const outcomes = await together(
        numbers.map(() => async () => adapter.deleteSession(session.sessionToken)),
      )
      if (succeeded(outcomes).length === 0)
        fail('deleteSession, many times at once', 'one call at least to succeed', outcomes[0])
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectNull('deleteSession many times at once, then getSessionAndUser', found)
      const other = await adapter.getSessionAndUser(kept.sessionToken)
      expectRow('deleteSession many times at once leaves other sessions', other?.session, kept)
    },
  ),
  adapterCase(
    'createAuthenticator gives an id to one of many at once',
    ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkey = newAuthenticator(user.id)
      const outcomes = await together(numbers.map(() => () => adapter.createAuthenticator(passkey)))
      onlyOne('createAuthenticator with the same id', succeeded(outcomes))
      const { length } = await adapter.listAuthenticatorsByUserId(user.id)
      expectValue('createAuthenticator many times at once, then how many', length, 1)
    },
  ),
  adapterCase(
    'updateAuthenticatorCounter leaves one of the counters of many at once',
    ['createUser', 'createAuthenticator', 'updateAuthenticatorCounter', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkey = newAuthenticator(user.id)
      const { credentialID: id } = passkey
      await adapter.createAuthenticator(passkey)
      const outcomes = await together(
        numbers.map((number) => () => adapter.updateAuthenticatorCounter(id, number)),
      )
      const failed = outcomes.find(({ status }) => status === 'rejected')
      if (failed) fail('updateAuthenticatorCounter, many times at once', 'no error', failed)
      const found = await adapter.getAuthenticator(id)
      if (!found || !numbers.includes(found.counter))
        fail('updateAuthenticatorCounter, many times at once', 'one of the counters', found)
      expectRow('updateAuthenticatorCounter, many times at once', found, {
        ...passkey,
        counter: found.counter,
      })
    },
  ),
]
