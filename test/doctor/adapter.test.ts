/** What the doctor says of the adapter of a configuration. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, diagnose, GOOD_SECRET } from './patient.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test', DB_PASSWORD: 'hunter2' }

/** The findings about the adapter of a configuration with a provider and links in e-mails. */
async function examine(adapter: string, options = '') {
  const code = `
    import memoryAdapter from 'lib-auth/adapters/memory'
    const github = { id: 'github', name: 'GitHub', type: 'oauth', clientId: 'id', clientSecret: 'secret of it',
      authorization: 'https://github.test/a', token: 'https://github.test/t', userinfo: 'https://github.test/u' }
    const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    const without = (...names) => {
      const adapter = { ...memoryAdapter() }
      for (const name of names) delete adapter[name]
      return adapter
    }
    export const config = { providers: [github, mail], adapter: ${adapter}, ${options} }
  `
  const { about, code: exit, text } = await diagnose(applicationWith({ 'auth.mjs': code }), [], ENV)
  return { lines: about('adapter'), exit, text }
}

const WRITE = 'as the interface Adapter of lib-auth/adapters says'

test('one that has everything', async () => {
  const { lines, exit } = await examine('memoryAdapter()')
  expect(lines).toEqual([
    '✓ adapter: it has the 12 methods that are needed; sessions are in the database.',
  ])
  expect(exit).toBe(0)
})

test('that for Redis, too, with which nothing piles up', async () => {
  const { lines } = await examine(
    `() => import('lib-auth/adapters/redis').then((redis) => redis.default({ call: async () => null }))`,
  )
  expect(lines).toEqual([
    '✓ adapter: it has the 12 methods that are needed; sessions are in the database.',
  ])
})

test('one whose sessions are elsewhere needs less', async () => {
  const { lines } = await examine(
    `() => Promise.resolve(without('createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'))`,
    `session: { strategy: 'jwt' }`,
  )
  expect(lines).toEqual([
    '✓ adapter: it has the 8 methods that are needed; sessions are in the cookie.',
  ])
})

test('one of which nothing is needed', async () => {
  const { lines } = await examine('{}', `providers: [password], session: { strategy: 'jwt' }`)
  expect(lines).toEqual(['✓ adapter: nothing is needed of it; sessions are in the cookie.'])
})

test.each(['without', '() => without'])(
  'what is needed and not there is named, with what does not work (%s)',
  async (make) => {
    const { lines, exit } = await examine(`${make}('deleteSession', 'useVerificationToken')`)
    expect(lines).toEqual([
      `✗ adapter: lacks useVerificationToken: without it, no link can be used. → Write useVerificationToken ${WRITE}, or use an adapter that has it.`,
      `✗ adapter: lacks deleteSession: without it, nobody can sign out. → Write deleteSession ${WRITE}, or use an adapter that has it.`,
    ])
    expect(exit).toBe(1)
  },
)

test('what is optional and not there is named, with what it would be for', async () => {
  const { lines, exit } = await examine(
    `without('transaction', 'updateAccount', 'unlinkAccount', 'deleteUserSessions', 'deleteVerificationTokens', 'deleteExpired', 'deleteUser')`,
  )
  const optional = (names: string) => `Optional. To have it, write ${names} ${WRITE}.`
  expect(lines.slice(1)).toEqual([
    `! adapter: lacks transaction: a sign-up that fails half-way is taken back step by step, and not if the process ends before. → ${optional('transaction')}`,
    `! adapter: lacks updateAccount: the tokens of an account stay as they were when it was linked. → ${optional('updateAccount')}`,
    `! adapter: lacks unlinkAccount, deleteUserSessions: whoever signed up with an address that is not theirs keeps access when its owner proves it. → ${optional('unlinkAccount, deleteUserSessions')}`,
    `! adapter: lacks deleteVerificationTokens: using one link leaves the others of that address good until they expire. → ${optional('deleteVerificationTokens')}`,
    `! adapter: lacks deleteExpired: sessions and links that nobody comes back for pile up, unless something else deletes them. → ${optional('deleteExpired')}`,
    `! adapter: lacks deleteUser: a user whose sign-up fails half-way stays. → ${optional('deleteUser')}`,
  ])
  expect(exit).toBe(0)
})

test('without links, an address that a provider has verified needs updateUser', async () => {
  const { lines } = await examine(`without('updateUser')`, 'providers: [github]')
  expect(lines.slice(1)).toEqual([
    `! adapter: lacks updateUser: an address that a trusted provider has verified is not marked as verified. → Optional. To have it, write updateUser ${WRITE}.`,
  ])
})

test.each([
  [
    '() => { throw new Error(`login with ${process.env.DB_PASSWORD} refused`) }',
    'cannot be loaded: login with [redacted] refused',
  ],
  [
    '() => undefined',
    'the function that loads it returns none. → Write it as in adapter: () => import("./database")',
  ],
])('one that cannot be loaded: %s', async (adapter, expected) => {
  const { lines, exit, text } = await examine(adapter)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`✗ adapter: ${expected}`)
  expect(exit).toBe(1)
  expect(text).not.toContain('hunter2')
})
