/** What a session keeps of its sign-in, if an option needs it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { appendFacts, parseFacts, readAppendedFacts } from '../../../src/core/session/facts.ts'
import type { SessionFacts } from '../../../src/core/session/facts.ts'
import type { AuthConfig, CallbacksOptions, JWT } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { databaseSite } from '../../database.ts'
import { claimsOf, cookieValue, DAY, pass, SESSION, stopClock } from '../../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

interface Options extends Pick<AuthConfig, 'tokens' | 'session'> {
  readonly callbacks?: CallbacksOptions
}

function open(options: Options): Browser {
  const database = options.session?.strategy === 'database' ? { adapter: MemoryAdapter() } : {}
  const { config } = configFor(op, { providers: [oidc(op)], ...database, ...options })
  return browser(config, { issuer: op })
}

const EXPECTED = {
  startedAt: expect.any(Number),
  via: 'op',
  amr: ['fed'],
  acr: undefined,
  idle: 2_592_000,
  absolute: null,
  keep: true,
}

async function factsOf(tab: Browser) {
  return parseFacts((await claimsOf(tab))?.['lib'])
}

const JWT_SESSION = { session: { strategy: 'jwt', updateAge: 0 } } as const

describe('a jwt session', () => {
  test('has the facts with the option, and none without it', async () => {
    const tab = open({ ...JWT_SESSION, tokens: {} })
    await tab.signIn('op')
    expect(await factsOf(tab)).toEqual(EXPECTED)
    const other = open(JWT_SESSION)
    await other.signIn('op')
    expect(await claimsOf(other)).not.toHaveProperty('lib')
  })

  test.each<[string, (token: JWT) => JWT]>([
    ['drops', ({ lib: _lib, ...token }) => token],
    ['replaces', (token) => ({ ...token, lib: { sid: 'x', via: 'mallory' } })],
    ['changes', (token) => ({ ...token, lib: { ...(token['lib'] as object), via: 'mallory' } })],
  ])('keeps them if the jwt callback %s them', async (_what, jwt) => {
    const tab = open({ ...JWT_SESSION, tokens: {}, callbacks: { jwt: ({ token }) => jwt(token) } })
    await tab.signIn('op')
    const before = (await claimsOf(tab))?.['lib']
    for (let renewals = 0; renewals < 10; renewals++) await tab.session()
    expect((await claimsOf(tab))?.['lib']).toEqual(before)
    expect(await factsOf(tab)).toEqual(EXPECTED)
  })

  test('gets none by an update that a callback copies', async () => {
    const callbacks: CallbacksOptions = {
      jwt: ({ token, session }) => ({ ...token, ...(session as object | undefined) }),
    }
    const tab = open({ ...JWT_SESSION, callbacks })
    await tab.signIn('op')
    const json = {
      csrfToken: await tab.csrfToken(),
      data: { lib: { sid: 'x', ...EXPECTED, startedAt: 1 }, rank: 'Countess' },
    }
    await tab.request('session', { method: 'POST', json })
    expect(await claimsOf(tab)).toMatchObject({ rank: 'Countess' })
    expect(await claimsOf(tab)).not.toHaveProperty('lib')
  })

  test.each(['jwt', 'session'] as const)(
    'keeps them if the %s callback merges an update into the objects of the token',
    async (callback) => {
      const sent = { ...EXPECTED, sid: 'x', startedAt: 1, via: 'mallory' }
      const merge = ({ token }: { token: JWT }) => {
        const { lib } = token
        if (typeof lib === 'object' && lib) Object.assign(lib, sent)
        token['auth_time'] = 1
      }
      const callbacks: CallbacksOptions =
        callback === 'jwt'
          ? {
              jwt(params) {
                merge(params)
                return params.token
              },
            }
          : {
              session(params) {
                merge(params)
                return params.session
              },
            }
      const tab = open({ ...JWT_SESSION, tokens: {}, callbacks })
      await tab.signIn('op')
      const before = await claimsOf(tab)
      for (let renewals = 0; renewals < 3; renewals++) await tab.session()
      const { lib, auth_time } = { ...before }
      expect(await claimsOf(tab)).toMatchObject({ lib, auth_time })
      expect(await factsOf(tab)).toEqual(EXPECTED)
    },
  )

  test('keeps a claim of the application with the same name', async () => {
    const callbacks: CallbacksOptions = { jwt: ({ token }) => ({ ...token, lib: 'mine' }) }
    const tab = open({ ...JWT_SESSION, callbacks })
    await tab.signIn('op')
    await tab.session()
    expect(await claimsOf(tab)).toMatchObject({ lib: 'mine' })
  })
})

describe('a database session', () => {
  const DATABASE = { session: { strategy: 'database' } } as const

  test('has the facts in its token with the option, and none without it', async () => {
    const tab = open({ ...DATABASE, tokens: {} })
    await tab.signIn('op')
    const token = cookieValue(tab)
    expect(readAppendedFacts(token)).toEqual(EXPECTED)
    expect(token.length).toBeLessThanOrEqual(190)
    const other = open(DATABASE)
    await other.signIn('op')
    expect(cookieValue(other)).toMatch(/^[\da-f]{64}$/)
  })

  test('is not found if a fact is changed', async () => {
    const tab = open({ ...DATABASE, tokens: {} })
    await tab.signIn('op')
    const value = cookieValue(tab).replace('!op!', '!xx!')
    expect(readAppendedFacts(value)?.via).toBe('xx')
    tab.cookies.accept(`${SESSION}=${value}; Path=/; Secure; HttpOnly`, new URL(tab.origin))
    expect(await tab.session()).toBeNull()
  })

  test('with hashed tokens, and a token of the application, has them, too', async () => {
    for (const more of [
      { hashTokens: true },
      { generateSessionToken: () => crypto.randomUUID() },
    ]) {
      const tab = open({ session: { strategy: 'database', ...more }, tokens: {} })
      await tab.signIn('op')
      expect(readAppendedFacts(cookieValue(tab))).toEqual(EXPECTED)
      expect(await tab.session()).not.toBeNull()
    }
  })

  const LONGEST: SessionFacts = {
    startedAt: Date.now(),
    via: 'a-provider.with_42~unreserved-characters-',
    amr: ['fed', 'mfa', 'face', 'iris', 'retina', 'pwd'],
    acr: 'urn:example:assurance/level="2";',
    idle: 34_560_000,
    absolute: 3_153_600_000,
    keep: false,
    authTime: Date.now() - 1000,
  }

  test('has a token that fits into a key column of 191 characters with the longest facts', () => {
    const random = 'r'.repeat(43)
    const token = appendFacts(random, LONGEST)
    expect(token.length).toBeLessThanOrEqual(191)
    expect(readAppendedFacts(token)).toEqual(LONGEST)
    const fewest = { ...LONGEST, amr: [], acr: undefined, absolute: null, authTime: undefined }
    expect(readAppendedFacts(appendFacts(random, fewest))).toEqual(fewest)
    for (const authTime of [0, 1]) {
      const facts = { ...LONGEST, authTime }
      expect(readAppendedFacts(appendFacts('a!b.c', facts))).toEqual(facts)
    }
  })

  test.each([
    '',
    'random',
    '!!!!!!!!',
    'a!b!c!d!e!f!g!h!i',
    'x!-1!op!!!60!!1!',
    'x!1!op!!!NaN!!1!',
  ])('that the application or an earlier release has created (%j) has none', (token) =>
    expect(readAppendedFacts(token)).toBeNull(),
  )

  test('is rejected if its token does not fit into a key column, unless it is hashed', async () => {
    const id = 'p'.repeat(140)
    const { config, log } = configFor(op, {
      providers: [oidc(op, { id })],
      adapter: MemoryAdapter(),
      session: { strategy: 'database', assurance: 'kept' },
    })
    const tab = browser(config, { issuer: op })
    expect((await tab.signIn(id)).status).toBe(500)
    expect(await tab.session()).toBeNull()
    expect(log.errors.map(String)).toEqual([
      expect.stringMatching(/key columns have 191\. Set session\.hashTokens, shorten the id/),
    ])
    const hashing = { ...config, session: { ...config.session, hashTokens: true } }
    const other = browser(hashing, { issuer: op })
    await other.signIn(id)
    expect(await other.session()).not.toBeNull()
  })

  test('rejects a token of the application that leaves no room for them', async () => {
    const generateSessionToken = () => 'a'.repeat(91)
    const tab = open({ session: { strategy: 'database', generateSessionToken }, tokens: {} })
    const response = await tab.signIn('op')
    expect(response.headers.get('location')).toContain('error=Configuration')
  })
})

describe('without an option that needs facts, revocation or a list', () => {
  afterEach(() => void vi.useRealTimers())

  /** A site whose adapter has every method, also those of records, and what its sign-in leaves. */
  async function plainSite(strategy: 'jwt' | 'database') {
    stopClock()
    const site = databaseSite(op, { config: { session: { strategy } } })
    await (await site.tab.begin('op')).complete()
    site.called()
    // The second sign-in of the user, in another browser.
    const tab = site.open()
    const begun = await tab.begin('op')
    const response = await begun.complete()
    return { ...site, tab, response }
  }

  const sessionCookie = ({ headers }: Response, name = SESSION) =>
    headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith(`${name}=`))
      .map((cookie) => cookie.replace(/=[^;]*/, '=…'))

  const expiring = (days: number) =>
    `${SESSION}=…; Path=/; Expires=${new Date(Date.now() + days * DAY * 1000).toUTCString()}; HttpOnly; Secure; SameSite=Lax`

  const DELETED = `${SESSION}=…; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`

  test('a jwt session has these claims, this cookie, and no call of the adapter but for its user', async () => {
    const { tab, response, called, stored } = await plainSite('jwt')
    const claims = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      picture: 'https://issuer.test/ada.png',
      sub: expect.any(String),
      auth_time: Date.now() / 1000,
      verified_at_sign_in: false,
      iat: Date.now() / 1000,
      exp: Date.now() / 1000 + 30 * DAY,
      jti: expect.any(String),
    }
    expect(await claimsOf(tab)).toStrictEqual(claims)
    expect(sessionCookie(response)).toEqual([expiring(30)])
    expect(called()).toEqual(['getUserByAccount', 'listFactors', 'listAccounts', 'updateAccount'])
    await tab.session()
    expect(called()).toEqual([])
    await pass(DAY)
    expect(sessionCookie(await tab.request('session'))).toEqual([expiring(30)])
    const renewed = { ...claims, iat: Date.now() / 1000, exp: Date.now() / 1000 + 30 * DAY }
    expect(await claimsOf(tab)).toStrictEqual(renewed)
    expect(called()).toEqual([])
    expect(sessionCookie(await tab.post('signout'))).toEqual([DELETED])
    expect(called()).toEqual([])
    const user = await stored.getUserByEmail?.('ada@example.com')
    expect(await stored.listRecords?.(`user:${user?.id}`)).toEqual([])
  })

  test('a database session has these columns, this cookie, and these calls of the adapter', async () => {
    const { tab, response, called, stored } = await plainSite('database')
    const user = await stored.getUserByEmail?.('ada@example.com')
    const calls = [
      'getUserByAccount',
      'listFactors',
      'createSession',
      'listAccounts',
      'updateAccount',
    ]
    expect(called()).toEqual(calls)
    const rows = async () => stored.listSessions?.(user?.id ?? '')
    const row = {
      sessionToken: cookieValue(tab),
      userId: user?.id,
      expires: new Date(Date.now() + 30 * DAY * 1000),
    }
    expect(cookieValue(tab)).toMatch(/^[0-9a-f]{64}$/)
    expect(sessionCookie(response)).toEqual([expiring(30)])
    expect(await rows()).toContainEqual(row)
    await tab.session()
    expect(called()).toEqual(['getSessionAndUser'])
    await pass(DAY)
    expect(sessionCookie(await tab.request('session'))).toEqual([expiring(30)])
    expect(called()).toEqual(['getSessionAndUser', 'updateSession'])
    const expires = new Date(Date.now() + 30 * DAY * 1000)
    expect(await rows()).toContainEqual({ ...row, expires })
    expect(sessionCookie(await tab.post('signout'))).toEqual([DELETED])
    expect(called()).toEqual(['deleteSession', 'deleteSession'])
    expect(await rows()).toHaveLength(1)
    expect(await stored.listRecords?.(`user:${user?.id}`)).toEqual([])
  })
})
