/** How long sessions last: absolute and idle timeouts, lifetimes of each sign-in, and "Keep me signed in". */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { LifetimeFacts, SessionLifetime } from '../../../src/core/config/types.ts'
import { readAppendedFacts } from '../../../src/core/session/facts.ts'
import type { AuthConfig, CallbacksOptions, JWT } from '../../../src/index.ts'
import { getSession } from '../../../src/index.ts'
import { getToken } from '../../../src/jwt.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, oidc, silentLog } from '../../config.ts'
import type { Log } from '../../config.ts'
import { hang, without } from '../../database.ts'
import { forEachDatabase } from '../tokens/places.ts'
import type { OpenAdapter } from '../tokens/places.ts'
import { claimsOf, cookieValue, DAY, pass, SESSION, stopClock } from '../../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })
const HOUR = 3600

interface Site {
  readonly tab: Browser
  readonly config: AuthConfig
  readonly log: Log
}

type Overrides = Partial<AuthConfig> & { readonly callbacks?: CallbacksOptions }

function open(overrides: Overrides): Site {
  const { config, log } = configFor(op, { providers: [oidc(op)], ...overrides })
  return { tab: browser(config, { issuer: op }), config, log }
}

/** Signs in at the provider; with a choice, as the box of the page sends it. */
async function signIn(tab: Browser, remember?: boolean): Promise<Response> {
  const fields: Record<string, string> = remember === undefined ? {} : { remember: `${remember}` }
  return (await tab.begin('op', fields)).complete()
}

/** When the cookie expires, in seconds from now; `Infinity`: with the browser. */
function cookieLasts(tab: Browser, name = SESSION): number {
  return ((tab.cookies.get(name)?.expires ?? 0) - Date.now()) / 1000
}

async function sessionLasts(tab: Browser): Promise<number | null> {
  const session = await tab.session()
  return session && (Date.parse(session.expires) - Date.now()) / 1000
}

/** The session with a copy of the cookie, which outlives that of the browser. */
async function readCopy({ config }: Site, value: string) {
  const headers = { cookie: `${SESSION}=${value}`, host: 'app.test', 'x-forwarded-proto': 'https' }
  return getSession(headers, config)
}

/** Redis has a clock of its own, which deletes what has expired. */
const NOW = Math.ceil(Date.now() / 1000) * 1000 + DAY * 1000

beforeEach(() => {
  stopClock()
  vi.setSystemTime(NOW)
})

afterEach(() => void vi.useRealTimers())

type Strategy = 'jwt' | 'database'

function suite(strategy: Strategy, openAdapter: OpenAdapter): void {
  async function site({ session, ...overrides }: Overrides, hashTokens?: boolean): Promise<Site> {
    const stored = strategy === 'database' ? { adapter: await openAdapter() } : {}
    const options = hashTokens === undefined ? session : { ...session, hashTokens }
    return open({ ...stored, ...overrides, session: { strategy, ...options } })
  }

  test('an absolute timeout is never exceeded, however much the session is used', async () => {
    const session = { maxAge: 2 * DAY, updateAge: 0, absoluteMaxAge: 10 * DAY }
    const opened = await site({ session })
    const { tab } = opened
    await signIn(tab)
    const end = Date.now() + 10 * DAY * 1000
    for (let halfDay = 1; halfDay < 20; halfDay++) {
      await pass(DAY / 2)
      const left = (end - Date.now()) / 1000
      expect(await sessionLasts(tab)).toBe(Math.min(2 * DAY, left))
      expect(cookieLasts(tab)).toBe(Math.min(2 * DAY, left))
    }
    const copy = cookieValue(tab)
    await pass(DAY / 2 - 1)
    expect((await readCopy(opened, copy)).session).not.toBeNull()
    await pass(1)
    expect((await readCopy(opened, copy)).session).toBeNull()
    expect(await tab.session()).toBeNull()
  })

  test.each<[string, AuthConfig['session']]>([
    ['of a sign-in', { lifetime: () => ({ idle: HOUR }) }],
    ['of all sessions', { maxAge: HOUR }],
  ])('an idle timeout %s slides, and ends a session that is not used', async (_name, session) => {
    const opened = await site({ session })
    const { tab } = opened
    await signIn(tab)
    for (let half = 0; half < 48; half++) {
      expect(await sessionLasts(tab)).toBeGreaterThan(0.9 * HOUR - 1)
      await pass(HOUR / 2)
    }
    expect(await sessionLasts(tab)).toBe(HOUR)
    const copy = cookieValue(tab)
    await pass(HOUR + 15)
    expect((await readCopy(opened, copy)).session).toBeNull()
  })

  test.each([
    [HOUR, HOUR / 10],
    [DAY, DAY / 10],
    [DAY + 1, DAY],
    [30 * DAY, DAY],
  ])('with maxAge %i, a session is extended after %i s', async (maxAge, updateAge) => {
    const { tab } = await site({ session: { maxAge } })
    await signIn(tab)
    await pass(updateAge - 1)
    expect(await sessionLasts(tab)).toBe(maxAge - updateAge + 1)
    await pass(1)
    expect(await sessionLasts(tab)).toBe(maxAge)
  })

  test('idle and absolute of a sign-in apply together', async () => {
    const lifetime = () => ({ idle: HOUR, absolute: 3 * HOUR }) as const
    const { tab } = await site({ session: { lifetime } })
    await signIn(tab)
    expect(await sessionLasts(tab)).toBe(HOUR)
    await pass(HOUR - 60)
    expect(await sessionLasts(tab)).toBe(HOUR)
    await pass(HOUR - 60)
    expect(await sessionLasts(tab)).toBe(HOUR)
    await pass(HOUR - 60)
    expect(await sessionLasts(tab)).toBe(180)
    await pass(180)
    expect(await tab.session()).toBeNull()
  })

  test('session.absoluteMaxAge is the limit of absolute, also if it was set later', async () => {
    const session = { lifetime: () => ({ absolute: 20 * DAY }) } as const
    const opened = await site({ session: { ...session, absoluteMaxAge: 5 * DAY } })
    await signIn(opened.tab)
    expect(await sessionLasts(opened.tab)).toBe(5 * DAY)
    const other = await site({ session })
    await signIn(other.tab)
    expect(await sessionLasts(other.tab)).toBe(20 * DAY)
    const { adapter } = other.config
    const stricter = open({
      ...(adapter && { adapter }),
      session: { strategy, ...session, absoluteMaxAge: 3 * DAY },
    })
    await pass(3 * DAY - 1)
    const copy = cookieValue(other.tab)
    expect((await readCopy(stricter, copy)).session).not.toBeNull()
    await pass(1)
    expect((await readCopy(stricter, copy)).session).toBeNull()
  })

  test.each<[string, SessionLifetime, boolean | undefined, number, boolean]>([
    ['nothing', {}, undefined, 30 * DAY, true],
    ['nothing, with a yes', {}, true, 30 * DAY, true],
    ['nothing, with a no', {}, false, DAY, false],
    ['idle, with a no', { idle: 2 * DAY }, false, 2 * DAY, false],
    ['a persistent cookie, with a no', { cookie: 'persistent' }, false, DAY, true],
    ['a session cookie', { cookie: 'session' }, undefined, 30 * DAY, false],
    ['a session cookie, with a yes', { cookie: 'session' }, true, 30 * DAY, false],
    ['a longer idle timeout', { idle: 90 * DAY }, true, 90 * DAY, true],
    ['absolute alone', { absolute: DAY }, true, DAY, true],
    ['fractions', { idle: 60.9 }, true, 60, true],
    ['the longest', { idle: 400 * DAY, absolute: 3_153_600_000 }, true, 400 * DAY, true],
  ])('lifetime returns %s', async (_what, returned, remember, lasts, isPersistent) => {
    const { tab, log } = await site({ session: { lifetime: () => returned } })
    await signIn(tab, remember)
    expect(log.errors).toEqual([])
    expect(await sessionLasts(tab)).toBe(lasts)
    expect(cookieLasts(tab)).toBe(isPersistent ? lasts : Infinity)
  })

  test('a no without the option lifetime means a day, and a cookie that ends with the browser', async () => {
    const { tab } = await site({})
    await signIn(tab, false)
    expect(await sessionLasts(tab)).toBe(DAY)
    expect(cookieLasts(tab)).toBe(Infinity)
    const brief = await site({ session: { maxAge: HOUR } })
    await signIn(brief.tab, false)
    expect(await sessionLasts(brief.tab)).toBe(HOUR)
    for (const remember of [true, undefined]) {
      const other = await site({})
      await signIn(other.tab, remember)
      expect(cookieLasts(other.tab)).toBe(30 * DAY)
      const facts =
        strategy === 'jwt'
          ? (await claimsOf(other.tab))?.['lib']
          : cookieValue(other.tab).split('.')[1]
      expect(facts).toBeUndefined()
    }
  })

  test('a session cookie stays one whenever it is set again', async () => {
    const lifetime = () => ({ cookie: 'session' }) as const
    const session = { updateAge: 0, lifetime }
    const { tab, config } = await site({ session })
    await signIn(tab)
    const rolled = await tab.request('session')
    expect(rolled.headers.getSetCookie().join()).not.toMatch(/max-age|expires/i)
    const json = { csrfToken: await tab.csrfToken(), data: {} }
    const updated = await tab.request('session', { method: 'POST', json })
    const [header = ''] = updated.headers.getSetCookie()
    expect(header).toMatch(new RegExp(`^${SESSION}=`))
    expect(header).not.toMatch(/max-age|expires/i)
    const { headers } = await readCopy({ tab, config, log: silentLog().log }, cookieValue(tab))
    expect(headers.getSetCookie().join()).not.toMatch(/max-age|expires/i)
    expect(headers.getSetCookie()).toHaveLength(
      strategy === 'jwt' ? 1 : headers.getSetCookie().length,
    )
  })

  test('a session cookie stays one under another name, and with attributes of the application', async () => {
    const session = { lifetime: () => ({ cookie: 'session' }) as const }
    const opened = await site({ session })
    await signIn(opened.tab)
    const { adapter } = opened.config
    const renamed = open({
      ...(adapter && { adapter }),
      session: { strategy, ...session },
      cookies: { sessionToken: { options: { path: '/', domain: 'app.test', maxAge: 9 } } },
    })
    const { session: read, headers } = await readCopy(renamed, cookieValue(opened.tab))
    expect(read).not.toBeNull()
    const set = headers.getSetCookie().find((each) => each.startsWith('__Secure-'))
    expect(set).toContain('Domain=app.test')
    expect(set).not.toMatch(/max-age|expires/i)
  })

  test.each<[string, unknown]>([
    ['NaN', { idle: NaN }],
    ['zero', { idle: 0 }],
    ['a negative number', { absolute: -1 }],
    ['Infinity', { absolute: Infinity }],
    ['a text', { idle: '3600' }],
    ['more than 400 days', { idle: 400 * DAY + 1 }],
    ['null for idle', { idle: null }],
    ['an unknown kind of cookie', { cookie: 'persistant' }],
    ['nothing at all', undefined],
    ['null', null],
    ['a number', HOUR],
  ])('%s of lifetime rejects the sign-in', async (_what, returned) => {
    const lifetime = () => returned as SessionLifetime
    const { tab, log } = await site({ session: { lifetime } })
    const response = await signIn(tab)
    expect(response.headers.get('location')).toContain('error=Configuration')
    expect(log.errors[0]?.message).toContain('session.lifetime returned')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('a lifetime that throws or does not return rejects the sign-in', async () => {
    const lifetime = vi.fn<(facts: LifetimeFacts) => Promise<SessionLifetime>>()
    const { tab, log } = await site({ session: { lifetime } })
    lifetime.mockRejectedValueOnce(new Error('The table of roles is gone.'))
    await signIn(tab)
    expect(log.errors[0]).toMatchObject({ type: 'CallbackRouteError' })
    expect(log.errors[0]?.message).toContain('The function session.lifetime threw')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    lifetime.mockReturnValueOnce(hang())
    const pending = signIn(tab)
    while (lifetime.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await pass(10)
    await pending
    expect(log.errors[1]).toMatchObject({ type: 'TemporarilyUnavailable' })
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    lifetime.mockResolvedValueOnce({ idle: HOUR })
    await signIn(tab)
    expect(await sessionLasts(tab)).toBe(HOUR)
  })

  test('lifetime receives the user, the account, the choice and the headers', async () => {
    const lifetime = vi.fn<(facts: LifetimeFacts) => SessionLifetime>(() => ({}))
    const { tab } = await site({ session: { lifetime } })
    await signIn(tab, true)
    await tab.post('signout')
    await signIn(tab)
    expect(lifetime).toHaveBeenCalledTimes(2)
    const [[first], [second]] = lifetime.mock.calls as [[LifetimeFacts], [LifetimeFacts]]
    expect(first).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@example.com' },
      account: { provider: 'op', type: 'oidc' },
      remember: true,
    })
    expect(first.headers.get('accept')).toContain('text/html')
    expect(second.remember).toBeUndefined()
    await pass(2 * DAY)
    expect(await tab.session()).not.toBeNull()
    expect(lifetime).toHaveBeenCalledTimes(2)
  })

  test('sessions of an earlier release are valid until their expiry, and are not extended', async () => {
    const before = await site({ session: { maxAge: 10 * DAY } })
    await signIn(before.tab)
    const { adapter } = before.config
    const after = (session: AuthConfig['session']) =>
      open({ ...(adapter && { adapter }), session: { strategy, maxAge: 10 * DAY, ...session } })
    const copy = cookieValue(before.tab)
    await pass(9 * DAY)
    const now = after({ lifetime: () => ({ idle: HOUR }) })
    const { session, headers } = await readCopy(now, copy)
    expect(session?.expires).toBe(new Date(Date.now() + DAY * 1000).toISOString())
    expect(headers.getSetCookie()).toEqual([])
    if (strategy === 'database') {
      const limited = await readCopy(after({ absoluteMaxAge: 100 * DAY }), copy)
      expect(limited.session?.expires).toBe(session?.expires)
    }
    await pass(DAY + 15)
    expect((await readCopy(now, copy)).session).toBeNull()
  })

  test('the tokens of a provider last as long as the session', async () => {
    const lifetime = ({ remember }: LifetimeFacts): SessionLifetime =>
      remember === true ? { absolute: 7 * DAY } : { cookie: 'session' }
    const tokens = { where: 'cookie' } as const
    const opened = await site({ session: { lifetime }, tokens })
    const lasts = () => {
      const cookie = opened.tab.cookies.all().find(({ name }) => name.includes('lib.tokens'))
      return cookieLasts(opened.tab, cookie?.name)
    }
    await signIn(opened.tab, true)
    expect(lasts()).toBe(7 * DAY)
    await signIn(opened.tab, false)
    expect(lasts()).toBe(Infinity)
  })

  if (strategy === 'database')
    test('facts with hashed tokens, and of the longest names, fit into the column', async () => {
      const id = 'microsoft-entra-id-of-the-customer'
      const lifetime = () => ({ idle: 400 * DAY, absolute: 3_153_600_000 })
      for (const hashTokens of [false, true]) {
        const { tab } = await site(
          { providers: [oidc(op, { id })], session: { lifetime } },
          hashTokens,
        )
        await tab.signIn(id)
        expect(cookieValue(tab).length).toBeLessThanOrEqual(190)
        expect(readAppendedFacts(cookieValue(tab))).toMatchObject({ via: id, idle: 400 * DAY })
        expect(await tab.session()).not.toBeNull()
      }
    })
}

describe('jwt sessions', () => suite('jwt', async () => MemoryAdapter()))

describe('database sessions, memory', () => suite('database', async () => MemoryAdapter()))

await forEachDatabase((storage, openAdapter) => {
  describe(`database sessions, ${storage}`, () => suite('database', openAdapter))
})

describe('database sessions with required methods only', () =>
  suite('database', async () => without(MemoryAdapter(), 'transaction', 'listSessions')))

describe('the lifetimes of a jwt session', () => {
  test.each<[string, (token: JWT) => JWT]>([
    ['returns a new object', ({ sub }) => ({ sub })],
    ['writes lib', (token) => ({ ...token, lib: { sid: 'x', idle: 9e9, absolute: null } })],
    ['writes exp', (token) => ({ ...token, exp: 9e9 })],
  ])('are the same after 10 renewals if the jwt callback %s', async (_what, jwt) => {
    const lifetime = () => ({ idle: HOUR, absolute: 4 * HOUR, cookie: 'session' }) as const
    const { tab } = open({
      session: { lifetime, updateAge: 0 },
      callbacks: { jwt: ({ token }) => jwt(token) },
    })
    await signIn(tab)
    const before = (await claimsOf(tab))?.['lib']
    for (let renewals = 0; renewals < 10; renewals++) {
      await pass(600)
      await tab.session()
    }
    expect((await claimsOf(tab))?.['lib']).toEqual(before)
    expect(await sessionLasts(tab)).toBe(HOUR)
    expect(cookieLasts(tab)).toBe(Infinity)
    await pass(3500)
    await tab.session()
    await pass(3500)
    expect(await sessionLasts(tab)).toBe(4 * HOUR - 13_000)
  })

  test('a session cookie of several chunks has no lifetime', async () => {
    const lifetime = () => ({ cookie: 'session' }) as const
    const { tab } = open({
      session: { lifetime, updateAge: 0 },
      callbacks: { jwt: ({ token }) => ({ ...token, text: 'x'.repeat(5000) }) },
    })
    await signIn(tab)
    for (let reads = 0; reads < 2; reads++) {
      expect(cookieLasts(tab, `${SESSION}.0`)).toBe(Infinity)
      expect(cookieLasts(tab, `${SESSION}.1`)).toBe(Infinity)
      expect(await tab.session()).not.toBeNull()
    }
  })

  test('getToken rejects the token when the session ends, also with an encode that ignores maxAge', async () => {
    const lifetime = () => ({ absolute: HOUR })
    const jwt = {
      encode: ({ token }: { token?: object | undefined }) => JSON.stringify(token),
      decode: ({ token }: { token?: string | undefined }) => JSON.parse(token ?? 'null') as JWT,
    }
    for (const config of [open({ session: { lifetime } }), open({ session: { lifetime }, jwt })]) {
      await signIn(config.tab)
      const cookie = `${SESSION}=${encodeURIComponent(cookieValue(config.tab))}`
      const req = new Request('https://app.test', { headers: { cookie } })
      await pass(HOUR - 1)
      expect(await getToken({ req, config: config.config })).not.toBeNull()
      await pass(1)
      expect(await getToken({ req, config: config.config })).toBeNull()
    }
  })

  test('jwt.maxAge is the default of idle', async () => {
    const { tab } = open({ session: { lifetime: () => ({}) }, jwt: { maxAge: HOUR } })
    await signIn(tab)
    expect(await sessionLasts(tab)).toBe(HOUR)
  })
})

test('an option that is not a function is reported', async () => {
  const { config, log } = open({ session: { lifetime: { idle: 60 } as never } })
  await browser(config).request('session')
  expect(log.errors[0]?.message).toContain('session.lifetime is not a function')
})
