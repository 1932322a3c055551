/** `doctor` reports which methods the adapter lacks. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, runDoctor, GOOD_SECRET } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test', DB_PASSWORD: 'hunter2' }

/** The findings about the adapter of a configuration with OAuth and magic links. */
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
  const {
    about,
    code: exit,
    text,
  } = await runDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)
  return { lines: about('adapter'), exit, text }
}

const IMPLEMENT = 'Implement it (interface Adapter of lib-auth/adapters)'

test('accepts an adapter with all methods', async () => {
  const { lines, exit } = await examine('memoryAdapter()')
  expect(lines).toEqual([
    '✓ adapter: all 12 required methods are there; sessions are in the database.',
  ])
  expect(exit).toBe(0)
})

test('accepts the Redis adapter, which needs no deleteExpired', async () => {
  const { lines } = await examine(
    `() => import('lib-auth/adapters/redis').then((redis) => redis.default({ call: async () => null }))`,
  )
  expect(lines).toEqual([
    '✓ adapter: all 12 required methods are there; sessions are in the database.',
  ])
})

test('requires fewer methods with JWT sessions', async () => {
  const { lines } = await examine(
    `() => Promise.resolve(without('createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'))`,
    `session: { strategy: 'jwt' }`,
  )
  expect(lines).toEqual(['✓ adapter: all 8 required methods are there; sessions are in cookies.'])
})

test('requires no methods without OAuth, magic links and database sessions', async () => {
  const { lines } = await examine('{}', `providers: [password], session: { strategy: 'jwt' }`)
  expect(lines).toEqual(['✓ adapter: no methods are required; sessions are in cookies.'])
})

test.each(['without', '() => without'])(
  'reports missing required methods and what fails without them (%s)',
  async (make) => {
    const { lines, exit } = await examine(`${make}('deleteSession', 'useVerificationToken')`)
    expect(lines).toEqual([
      `✗ adapter: useVerificationToken is missing: magic links cannot be redeemed. → ${IMPLEMENT}, or use an adapter that has it.`,
      `✗ adapter: deleteSession is missing: sign-out fails. → ${IMPLEMENT}, or use an adapter that has it.`,
    ])
    expect(exit).toBe(1)
  },
)

test('warns about missing optional methods', async () => {
  const { lines, exit } = await examine(
    `without('transaction', 'updateAccount', 'unlinkAccount', 'deleteUserSessions', 'deleteVerificationTokens', 'deleteExpired', 'deleteUser')`,
  )
  expect(lines.slice(1)).toEqual([
    `! adapter: transaction is missing (optional): a failed sign-up is compensated step by step, and not if the process ends. → ${IMPLEMENT}.`,
    `! adapter: updateAccount is missing (optional): the tokens of an account are not updated at sign-in. → ${IMPLEMENT}.`,
    `! adapter: unlinkAccount, deleteUserSessions is missing (optional): a user who signed up with a foreign address keeps access after its owner verifies it (account pre-hijacking). → ${IMPLEMENT}.`,
    `! adapter: deleteVerificationTokens is missing (optional): other magic links of an address stay valid after one is used. → ${IMPLEMENT}.`,
    `! adapter: deleteExpired is missing (optional): expired sessions and magic links are not deleted. → ${IMPLEMENT}.`,
    `! adapter: deleteUser is missing (optional): users of failed sign-ups are not deleted. → ${IMPLEMENT}.`,
  ])
  expect(exit).toBe(0)
})

test('warns about a missing updateUser without magic links', async () => {
  const { lines } = await examine(`without('updateUser')`, 'providers: [github]')
  expect(lines.slice(1)).toEqual([
    `! adapter: updateUser is missing (optional): addresses that a trusted provider verified stay unverified. → ${IMPLEMENT}.`,
  ])
})

test.each([
  [
    '() => { throw new Error(`login with ${process.env.DB_PASSWORD} refused`) }',
    'cannot be loaded: login with [redacted] refused',
  ],
  [
    '() => undefined',
    'the function that loads it does not return an adapter. → Write adapter: () => import("./database")',
  ],
])('reports an adapter that cannot be loaded: %s', async (adapter, expected) => {
  const { lines, exit, text } = await examine(adapter)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`✗ adapter: ${expected}`)
  expect(exit).toBe(1)
  expect(text).not.toContain('hunter2')
})
