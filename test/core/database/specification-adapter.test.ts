import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import type { JWTCallbackParams } from '../../../src/core/config/callbacks.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, oidc, passwordConfig } from '../../config.ts'
import type { Log } from '../../config.ts'
import { mailProvider } from '../../email.ts'
import { claimsOf, cookieValue } from '../../sessions.ts'

const op = await issuer()

const USERS = ['createUser', 'getUser', 'getUserByEmail']
const ACCOUNTS = ['getUserByAccount', 'linkAccount']
const SESSIONS = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession']
const LINKS = ['updateUser', 'createVerificationToken', 'useVerificationToken']

type Overrides = NonNullable<Parameters<typeof configFor>[1]>

function site(overrides: Overrides): {
  tab: Browser
  log: Log
} {
  const { config, log } = configFor(op, overrides)
  return { tab: browser(config, { issuer: op }), log }
}

describe('a configuration is rejected', () => {
  const links = mailProvider([])

  test.each<[string, Overrides, RegExp]>([
    ['e-mail', { providers: [links] }, /^adapter is missing: a provider of type email/],
    ['e-mail and tokens', { providers: [links], session: { strategy: 'jwt' } }, /type email/],
    [
      'database sessions',
      { session: { strategy: 'database' } },
      /^adapter is missing: session\.strategy is "database"/,
    ],
  ])('with %s and no adapter', async (_what, overrides, message) => {
    const { tab, log } = site(overrides)
    expect((await tab.request('csrf')).status).toBe(500)
    expect(log.errors).toMatchObject([
      { type: 'MissingAdapter', message: expect.stringMatching(message) },
    ])
  })

  test.each<[string, Overrides, readonly string[]]>([
    ['a provider and database sessions', {}, [...USERS, ...ACCOUNTS, ...SESSIONS]],
    ['a provider and tokens', { session: { strategy: 'jwt' } }, [...USERS, ...ACCOUNTS]],
    ['links and database sessions', { providers: [links] }, [...USERS, ...LINKS, ...SESSIONS]],
    [
      'links and tokens',
      { providers: [links], session: { strategy: 'jwt' } },
      [...USERS, ...LINKS],
    ],
    [
      'credentials and database sessions',
      { providers: passwordConfig().config.providers ?? [] },
      [...USERS, ...SESSIONS],
    ],
  ])('with %s, naming each method that the adapter lacks', async (_what, overrides, needed) => {
    const empty = site({ adapter: {}, ...overrides })
    expect((await empty.tab.request('csrf')).status).toBe(500)
    const [error] = empty.log.errors
    expect(error).toHaveProperty('type', 'MissingAdapterMethods')
    const [, named = ''] = /^The adapter lacks ([\w, ]+)\./.exec(error?.message ?? '') ?? []
    expect(named.split(', ').sort()).toEqual([...needed].sort())

    const complete: Adapter = MemoryAdapter()
    const adapter = Object.fromEntries(
      Object.entries(complete).filter(([name]) => needed.includes(name)),
    )
    expect((await site({ adapter, ...overrides }).tab.request('csrf')).status).toBe(200)
  })
})

describe('an adapter', () => {
  test('may be an instance of a class, whose methods use this', async () => {
    class ClassAdapter {
      readonly rows = MemoryAdapter()
      createUser(...args: Parameters<Required<Adapter>['createUser']>) {
        return this.rows.createUser(...args)
      }
      getUser(id: string) {
        return this.rows.getUser(id)
      }
      getUserByEmail(email: string) {
        return this.rows.getUserByEmail(email)
      }
      getUserByAccount(...args: Parameters<Required<Adapter>['getUserByAccount']>) {
        return this.rows.getUserByAccount(...args)
      }
      linkAccount(...args: Parameters<Required<Adapter>['linkAccount']>) {
        return this.rows.linkAccount(...args)
      }
      createSession(...args: Parameters<Required<Adapter>['createSession']>) {
        return this.rows.createSession(...args)
      }
      getSessionAndUser(token: string) {
        return this.rows.getSessionAndUser(token)
      }
      updateSession(...args: Parameters<Required<Adapter>['updateSession']>) {
        return this.rows.updateSession(...args)
      }
      deleteSession(token: string) {
        return this.rows.deleteSession(token)
      }
    }
    const { tab, log } = site({ adapter: new ClassAdapter() })
    await tab.signIn('op')
    expect(await tab.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    await tab.post('signout')
    expect(await tab.session()).toBeNull()
    expect(log.errors).toEqual([])
  })

  test('appears in the debug log with each call, without arguments', async () => {
    const { tab, log } = site({ adapter: MemoryAdapter() })
    await tab.signIn('op')
    const messages = log.debug.map(([message]) => message)
    for (const method of ['getUserByAccount', 'createUser', 'linkAccount', 'createSession'])
      expect(messages).toContain(`adapter_${method}`)
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`ada@|${cookieValue(tab)}`))
  })

  test('stores the sessions by default', async () => {
    const adapter = MemoryAdapter()
    const { tab } = site({ adapter })
    await tab.signIn('op')
    const row = await adapter.getSessionAndUser(cookieValue(tab))
    expect(row?.user.email).toBe('ada@example.com')
    expect(cookieValue(tab)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('stores them under the tokens of generateSessionToken', async () => {
    const adapter = MemoryAdapter()
    const generateSessionToken = () => 'a token of the application, long enough'
    const { tab } = site({ adapter, session: { generateSessionToken } })
    await tab.signIn('op')
    expect(cookieValue(tab)).toBe(generateSessionToken())
    expect(await adapter.getSessionAndUser(generateSessionToken())).not.toBeNull()
  })

  test('stores users but no sessions with strategy jwt, and the token contains the stored user', async () => {
    const adapter = MemoryAdapter()
    const { tab } = site({ adapter, session: { strategy: 'jwt' } })
    await tab.signIn('op')
    const user = await adapter.getUserByEmail('ada@example.com')
    expect(await claimsOf(tab)).toMatchObject({ sub: user?.id, email: 'ada@example.com' })
    expect(await adapter.listSessions(user?.id ?? '')).toEqual([])
  })

  test('makes the jwt callback receive the trigger signUp once, and signIn afterwards', async () => {
    const calls: Partial<JWTCallbackParams>[] = []
    const jwt = ({ token, user, ...rest }: JWTCallbackParams) => {
      calls.push({ ...rest, user: { id: user?.id } })
      return token
    }
    const adapter = MemoryAdapter()
    const { tab } = site({ adapter, session: { strategy: 'jwt' }, callbacks: { jwt } })
    await tab.signIn('op')
    const id = (await adapter.getUserByEmail('ada@example.com'))?.id
    const account = expect.objectContaining({ provider: 'op', userId: id })
    const profile = expect.objectContaining({ sub: 'ada' })
    const about = { user: { id }, account, profile }
    expect(calls.splice(0)).toEqual([{ ...about, trigger: 'signUp', isNewUser: true }])
    await tab.post('signout')
    await tab.signIn('op')
    expect(calls).toEqual([{ ...about, trigger: 'signIn', isNewUser: false }])
  })

  test.each<[string, string]>([
    ['/welcome', 'https://app.test/welcome?callbackUrl=https%3A%2F%2Fapp.test%2Fmembers'],
    ['/welcome?a=1', 'https://app.test/welcome?a=1&callbackUrl=https%3A%2F%2Fapp.test%2Fmembers'],
    ['https://id.test/new', 'https://id.test/new?callbackUrl=https%3A%2F%2Fapp.test%2Fmembers'],
  ])('redirects a new user to pages.newUser (%s), once', async (newUser, location) => {
    const { tab } = site({ adapter: MemoryAdapter(), pages: { newUser } })
    const goes = async () =>
      (await (await tab.begin('op', { callbackUrl: '/members' })).complete()).headers.get(
        'location',
      )
    expect(await goes()).toBe(location)
    await tab.post('signout')
    expect(await goes()).toBe('https://app.test/members')
  })
})

test('a database session exposes name, e-mail address and picture, also if the session callback returns nothing', async () => {
  const callbacks = { session: (() => undefined) as never }
  for (const overrides of [{}, { callbacks }] satisfies Overrides[]) {
    const { tab } = site({ adapter: MemoryAdapter(), ...overrides })
    await tab.signIn('op')
    expect(await tab.session()).toEqual({
      user: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        image: 'https://issuer.test/ada.png',
      },
      expires: expect.any(String),
    })
  }
})

test.each<[boolean, Partial<OIDCConfig>, boolean]>([
  [true, { trustEmail: true }, true],
  [false, { trustEmail: true }, false],
  [true, {}, false],
  [true, { trustEmail: false }, false],
  [true, { allowDangerousEmailAccountLinking: true }, true],
])(
  'sets emailVerified at sign-up for email_verified %s only if the provider is trusted (%j)',
  async (email_verified, provider, isSet) => {
    const adapter = MemoryAdapter()
    const { tab } = site({ adapter, providers: [oidc(op, provider)] })
    await tab.signIn('op', { sub: 'ada', email: 'ada@example.com', email_verified })
    const user = await adapter.getUserByEmail('ada@example.com')
    expect(user?.emailVerified instanceof Date).toBe(isSet)
  },
)
