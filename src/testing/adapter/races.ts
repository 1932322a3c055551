import type { AdapterUser } from '../../adapters/index.ts'
import { adapterCase, runSteps } from './case.ts'
import type { AdapterCase, Having } from './case.ts'
import { expectMatch, fail, succeeded, together } from './expect.ts'
import {
  keyOf,
  newAccount,
  newAuthenticator,
  newSession,
  newToken,
  newUser,
  tokenKey,
} from './rows.ts'

const CALLS = 50
const AFTER = { after: `${CALLS} concurrent calls` }
const numbers = Array.from({ length: CALLS }, (_, index) => index + 1)

function inParallel<T>(call: (number: number) => T) {
  return together(numbers.map((number) => () => call(number)))
}

/** The result of the only call that succeeds. */
async function onlyOne<T>(what: string, call: (number: number) => T): Promise<Awaited<T>> {
  const winners = succeeded(await inParallel(call)).filter((result) => result !== null)
  const [winner] = winners
  if (winner === undefined || winners.length > 1)
    fail(`${what}, ${CALLS} concurrent calls`, 'exactly one to succeed', winners.length)
  return winner
}

/** Stores a row for two users by turns, and returns the owner of the one that is stored. */
async function raceOfUsers(
  adapter: Having<'createUser'>,
  what: string,
  store: (user: AdapterUser) => unknown,
): Promise<AdapterUser> {
  const [first, second] = [await adapter.createUser(newUser()), await adapter.createUser(newUser())]
  return onlyOne(what, async (number) => {
    const user = number % 2 ? first : second
    await store(user)
    return user
  })
}

export const raceCases: readonly AdapterCase[] = [
  adapterCase(
    'useVerificationToken returns a token to one of fifty concurrent calls',
    ['createVerificationToken', 'useVerificationToken'],
    async (adapter) => {
      const token = newToken()
      const key = tokenKey(token)
      await adapter.createVerificationToken(token)
      const what = 'useVerificationToken'
      expectMatch(what, await onlyOne(what, () => adapter.useVerificationToken(key)), token)
      await runSteps(adapter, [['useVerificationToken', [key], null]], AFTER)
    },
  ),
  adapterCase(
    'linkAccount links an account in one of fifty concurrent calls',
    ['createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const account = newAccount('')
      const { id } = await raceOfUsers(adapter, 'linkAccount', (user) =>
        adapter.linkAccount({ ...account, userId: user.id }),
      )
      await runSteps(adapter, [['getUserByAccount', [keyOf(account)], { id }]], AFTER)
    },
  ),
  adapterCase(
    'createSession stores a token in one of fifty concurrent calls',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const session = newSession('')
      const { id } = await raceOfUsers(adapter, 'createSession with the same token', (user) =>
        adapter.createSession({ ...session, userId: user.id }),
      )
      await runSteps(
        adapter,
        [['getSessionAndUser', [session.sessionToken], { user: { id } }]],
        AFTER,
      )
    },
  ),
  adapterCase(
    'createUser stores an address in one of fifty concurrent calls',
    ['createUser'],
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
      await onlyOne('createUser with the same e-mail address', () =>
        adapter.createUser({ ...user, id: crypto.randomUUID() }),
      )
    },
  ),
  adapterCase(
    'deleteSession deletes one session in fifty concurrent calls',
    ['createUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [session, kept] = [newSession(user.id), newSession(user.id)]
      await adapter.createSession(session)
      await adapter.createSession(kept)
      const outcomes = await inParallel(() => adapter.deleteSession(session.sessionToken))
      if (succeeded(outcomes).length === 0)
        fail(`deleteSession, ${CALLS} concurrent calls`, 'at least one to succeed', outcomes[0])
      await runSteps(
        adapter,
        [
          ['getSessionAndUser', [session.sessionToken], null],
          ['getSessionAndUser', [kept.sessionToken], { session: kept }],
        ],
        AFTER,
      )
    },
  ),
  adapterCase(
    'createAuthenticator stores an id in one of fifty concurrent calls',
    ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkey = newAuthenticator(user.id)
      const what = 'createAuthenticator with the same id'
      await onlyOne(what, () => adapter.createAuthenticator(passkey))
      await runSteps(adapter, [['listAuthenticatorsByUserId', [user.id], [passkey]]], AFTER)
    },
  ),
  adapterCase(
    'updateAuthenticatorCounter stores one counter of fifty concurrent calls',
    ['createUser', 'createAuthenticator', 'updateAuthenticatorCounter', 'getAuthenticator'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const passkey = newAuthenticator(user.id)
      await adapter.createAuthenticator(passkey)
      const outcomes = await inParallel((number) =>
        adapter.updateAuthenticatorCounter(passkey.credentialID, number),
      )
      const what = `updateAuthenticatorCounter, ${CALLS} concurrent calls`
      const failed = outcomes.find(({ status }) => status === 'rejected')
      if (failed) fail(what, 'no error', failed)
      const found = await adapter.getAuthenticator(passkey.credentialID)
      if (!found || !numbers.includes(found.counter)) fail(what, 'one of the counters', found)
      expectMatch(what, found, { ...passkey, counter: found.counter })
    },
  ),
]
