import nodeCrypto from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type {
  JWTCallbackParams,
  SessionCallbackParams,
} from '../../../src/core/config/callbacks.ts'
import { encryptText, keyFor } from '../../../src/core/crypto/seal.ts'
import { SessionUnavailable } from '../../../src/errors.ts'
import { Auth, getSession } from '../../../src/index.ts'
import type { AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import { getToken } from '../../../src/jwt.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, enter, passwordConfig, SECRET } from '../../config.ts'
import type { Log } from '../../config.ts'
import { captureConsole, debug, printed } from '../../debug-log.ts'
import { OLD_SECURE } from '../../cli/migrate-imports/next-auth-site.ts'
import {
  claimsOf,
  cookieFor,
  cookiesSetBy,
  cookieValue,
  DAY,
  pass,
  readWith,
  resolveSession,
  SESSION,
  stopClock,
  timeOut,
  until,
} from '../../sessions.ts'

/** A signed-in browser whose session contains `notes` of a given length. */
async function withNotes(length: number): Promise<{
  tab: Browser
  log: Log
  write: (length: number) => Promise<Response>
}> {
  let notes = 'n'.repeat(length)
  const callbacks: CallbacksOptions = {
    jwt: ({ token }) => ({ ...token, notes }),
    session: ({ session, token }) => ({ ...session, notes: token['notes'] }),
  }
  const { config, log } = passwordConfig({ callbacks })
  const tab = browser(config)
  await enter(tab)
  const write = (wanted: number) => {
    notes = 'n'.repeat(wanted)
    return tab.request('session')
  }
  return { tab, log, write }
}

function sessionCookies(tab: Browser): string[] {
  return tab.cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => name.startsWith(SESSION))
}

describe('a session that is too long for one cookie', () => {
  test('is stored in several cookies, none longer than browsers accept', async () => {
    const { tab } = await withNotes(6000)
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
  })

  test('is stored in cookies of at most 4096 bytes, including name and attributes', async () => {
    const { write } = await withNotes(10)
    const cookies = (await write(8000)).headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(2)
    for (const cookie of cookies) expect(cookie.length).toBeLessThanOrEqual(4096)
  })

  test('returns to one cookie when it gets shorter, and its chunks are deleted', async () => {
    const { tab, write } = await withNotes(6000)
    const response = await write(10)
    expect(cookiesSetBy(response).sort()).toEqual([
      `-${SESSION}.0`,
      `-${SESSION}.1`,
      `-${SESSION}.2`,
      SESSION,
    ])
    expect(sessionCookies(tab)).toEqual([SESSION])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(10) })
  })

  test('becomes chunked when it grows, and the whole cookie is deleted', async () => {
    const { tab, write } = await withNotes(10)
    await write(6000)
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
  })

  test.each([0, 1, 2])(
    'is invalid when chunk %i is missing, and the others are deleted',
    async (chunk) => {
      const { tab } = await withNotes(6000)
      tab.cookies.delete(`${SESSION}.${chunk}`)
      expect(await tab.session()).toBeNull()
      expect(sessionCookies(tab)).toEqual([])
    },
  )

  test('is invalid when chunks are swapped', async () => {
    const { tab } = await withNotes(6000)
    const [first, second] = [0, 1].map((chunk) => tab.cookies.get(`${SESSION}.${chunk}`)?.value)
    tab.cookies.set(`${SESSION}.0`, second ?? '')
    tab.cookies.set(`${SESSION}.1`, first ?? '')
    expect(await tab.session()).toBeNull()
  })

  test('is deleted with all chunks by a sign-out', async () => {
    const { tab } = await withNotes(6000)
    await tab.post('signout')
    expect(sessionCookies(tab)).toEqual([])
  })

  test('is valid next to a stale chunk, which is deleted', async () => {
    const { tab } = await withNotes(10)
    tab.cookies.set(`${SESSION}.0`, 'left-over')
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(10) })
    expect(sessionCookies(tab)).toEqual([SESSION])
  })

  test('is valid in chunks next to a stale whole cookie, which is deleted', async () => {
    const { tab } = await withNotes(6000)
    tab.cookies.set(SESSION, 'left-over')
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
  })
})

test('a session that nearly fills a cookie is reported once', async () => {
  const { log, write } = await withNotes(10)
  const warnings = () => log.lines.filter(([level]) => level === 'warn')
  expect(warnings()).toEqual([])
  await write(2800)
  await write(2900)
  expect(warnings()).toMatchObject([['warn', 'session-large', expect.stringContaining('3800')]])
})

describe('a session that is too large for cookies', () => {
  test('is not created, and the log names its largest keys', async () => {
    const { tab, log } = await withNotes(60_000)
    expect(sessionCookies(tab)).toEqual([])
    expect(log.errors).toMatchObject([{ type: 'SessionTooLarge' }])
    expect(log.errors[0]?.message).toMatch(
      /its largest keys: notes \(60002\), picture \(22\), email \(17\)\./,
    )
  })

  test('does not replace the session before it', async () => {
    const { tab, log, write } = await withNotes(10)
    const response = await write(60_000)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Configuration' })
    expect(sessionCookies(tab)).toEqual([SESSION])
    expect(log.errors).toMatchObject([{ type: 'SessionTooLarge' }])
    expect((await write(10)).status).toBe(200)
  })
})

const circular: Record<string, unknown> = {}

circular['self'] = circular

test.each<[string, unknown]>([
  ['a BigInt', 1n],
  ['a circular reference', circular],
  ['a toJSON that throws', { toJSON: () => JSON.parse('') }],
])('a session with %s is an error of the server', async (_what, value) => {
  const { config, log } = passwordConfig({
    callbacks: { session: ({ session }) => Object.assign(session, { value }) },
  })
  const tab = browser(config)
  await enter(tab)
  const response = await tab.request('session', { headers: { accept: 'application/json' } })
  expect(response.status).toBe(500)
  expect(log.errors).toHaveLength(1)
})

describe('session', () => {
  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://app.test/ada' }

  describe('a session', () => {
    test('exposes name, e-mail address and picture, and nothing else', async () => {
      const { config } = passwordConfig()
      const tab = browser(config)
      await enter(tab)
      expect(await tab.session()).toEqual({
        user: ADA,
        expires: new Date(Date.now() + 30 * DAY * 1000).toISOString(),
      })
    })

    test('contains the user, the time of the sign-in and the expiry', async () => {
      const { config } = passwordConfig()
      const tab = browser(config)
      await enter(tab)
      const now = Math.floor(Date.now() / 1000)
      expect(await claimsOf(tab)).toEqual({
        name: ADA.name,
        email: ADA.email,
        picture: ADA.image,
        sub: '1',
        auth_time: now,
        iat: now,
        exp: now + 30 * DAY,
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
    })

    test('is read without a Set-Cookie header', async () => {
      const { config } = passwordConfig()
      const tab = browser(config)
      await enter(tab)
      const response = await tab.request('session')
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie()).toEqual([])
    })

    test('is null without a session cookie, and sets no cookie', async () => {
      const { config } = passwordConfig()
      const response = await browser(config).request('session')
      expect(response.status).toBe(200)
      expect(await response.json()).toBeNull()
      expect(response.headers.getSetCookie()).toEqual([])
    })
  })

  describe('a session that is used', () => {
    test('is extended once updateAge has passed, and not before', async () => {
      const { config } = passwordConfig({ session: { updateAge: 3600 } })
      const tab = browser(config)
      await enter(tab)
      const before = await claimsOf(tab)
      await pass(3599)
      expect(cookiesSetBy(await tab.request('session'))).toEqual([])
      await pass(1)
      const response = await tab.request('session')
      expect(cookiesSetBy(response)).toEqual([SESSION])
      const after = await claimsOf(tab)
      expect(after?.exp).toBe(Number(before?.exp) + 3600)
      expect(after?.jti).not.toBe(before?.jti)
      expect(after?.['auth_time']).toBe(before?.['auth_time'])
    })

    test('is extended after a day by default', async () => {
      const { config } = passwordConfig()
      const tab = browser(config)
      await enter(tab)
      await pass(DAY - 1)
      expect(cookiesSetBy(await tab.request('session'))).toEqual([])
      await pass(1)
      expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
    })

    test('is extended each time with updateAge 0', async () => {
      const { config } = passwordConfig({ session: { updateAge: 0 } })
      const tab = browser(config)
      await enter(tab)
      expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
      expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
    })

    test('stays valid for as long as it is used', async () => {
      const { config } = passwordConfig({ session: { maxAge: 2 * DAY } })
      const tab = browser(config)
      await enter(tab)
      for (let day = 0; day < 400; day += 1) {
        await pass(DAY)
        expect(await tab.session()).not.toBeNull()
      }
    })
  })

  describe('the expiry of a session', () => {
    test.each([
      [{ session: { maxAge: 3600 } }, 3600],
      [{ session: { maxAge: 3600 }, jwt: { maxAge: 600 } }, 600],
      [{ session: { maxAge: 600 }, jwt: { maxAge: 3600 } }, 600],
      [{ jwt: { maxAge: 600 } }, 600],
    ])('is the same in the token, the cookie and the response: %j', async (lifetimes, maxAge) => {
      const { config } = passwordConfig(lifetimes)
      const tab = browser(config)
      await enter(tab)
      const end = Math.floor(Date.now() / 1000) * 1000 + maxAge * 1000
      expect(Number((await claimsOf(tab))?.exp) * 1000).toBe(end)
      expect(tab.cookies.get(SESSION)?.expires).toBe(end)
      expect(Date.parse((await tab.session())?.expires ?? '')).toBe(end)
    })

    test('is that of the token, and is renewed when the session is extended', async () => {
      const { config } = passwordConfig({ session: { maxAge: 10_000, updateAge: 1000 } })
      const tab = browser(config)
      await enter(tab)
      const first = Number((await claimsOf(tab))?.exp)
      await pass(999)
      expect((await tab.session())?.expires).toBe(new Date(first * 1000).toISOString())
      await pass(1)
      expect((await tab.session())?.expires).toBe(new Date((first + 1000) * 1000).toISOString())
      expect((await claimsOf(tab))?.exp).toBe(first + 1000)
    })

    test('is enforced by the server, even if the browser keeps the cookie', async () => {
      const { config } = passwordConfig({ session: { maxAge: 600 } })
      const tab = browser(config)
      await enter(tab)
      const cookie = `${SESSION}=${cookieValue(tab)}`
      // A token is accepted for a few seconds after exp (clock skew).
      await pass(610)
      expect((await readWith(cookie, config)).session).not.toBeNull()
      await pass(10)
      const { session, headers } = await readWith(cookie, config)
      expect(session).toBeNull()
      expect(cookiesSetBy({ headers })).toEqual([`-${SESSION}`])
    })
  })

  test('a sign-in replaces a planted session (session fixation)', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    const planted = (await cookieFor({ sub: '2', name: 'Eve' })).slice(SESSION.length + 1)
    tab.cookies.set(SESSION, planted)
    await enter(tab)
    expect(await claimsOf(tab)).toMatchObject({ sub: '1', name: 'Ada Lovelace' })
    expect(cookieValue(tab)).not.toBe(planted)
  })

  test('a session from a server whose clock is a minute ahead is valid', async () => {
    const { config } = passwordConfig()
    const now = Date.now()
    vi.setSystemTime(now + 60_000)
    const cookie = await cookieFor({ name: 'Ada Lovelace' })
    vi.setSystemTime(now)
    expect((await readWith(cookie, config)).session?.user?.name).toBe('Ada Lovelace')
  })

  test('sessions are valid after January 2038, when seconds exceed 32 bits', async () => {
    vi.setSystemTime('2040-01-01T00:00:00Z')
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    expect((await tab.session())?.expires).toBe('2040-01-31T00:00:00.000Z')
  })

  describe('absoluteMaxAge', () => {
    const settings = { maxAge: 2 * DAY, absoluteMaxAge: 10 * DAY }

    test.each([
      ['as it is', undefined],
      ['kept by the jwt callback', { jwt: ({ token }: { token: object }) => token }],
      [
        'rebuilt by the jwt callback',
        { jwt: ({ token }: { token: { sub?: string | undefined } }) => ({ sub: token.sub }) },
      ],
    ])('ends a session however much it is used: token %s', async (_name, callbacks) => {
      const { config } = passwordConfig({ session: settings, callbacks: callbacks as never })
      const tab = browser(config)
      await enter(tab)
      const start = (await claimsOf(tab))?.['auth_time']
      for (let day = 1; day < 10; day += 1) {
        await pass(DAY)
        expect(await tab.session()).not.toBeNull()
        expect((await claimsOf(tab))?.['auth_time']).toBe(start)
      }
      const copy = `${SESSION}=${cookieValue(tab)}`
      await pass(DAY)
      expect(await tab.session()).toBeNull()
      expect(await resolveSession(copy, config)).toEqual([null, [`-${SESSION}`]])
    })

    test('starts again with the next sign-in', async () => {
      const { config } = passwordConfig({ session: settings })
      const tab = browser(config)
      await enter(tab)
      await pass(DAY)
      await enter(tab)
      expect((await claimsOf(tab))?.['auth_time']).toBe(Math.floor(Date.now() / 1000))
    })

    test('counts from iat if the token has no auth_time', async () => {
      const { config } = passwordConfig({ session: { ...settings, maxAge: 30 * DAY } })
      const cookie = await cookieFor({ sub: '1' }, { maxAge: 30 * DAY })
      await pass(10 * DAY - 1)
      expect((await readWith(cookie, config)).session).not.toBeNull()
      await pass(1)
      expect((await readWith(cookie, config)).session).toBeNull()
    })

    test('a session has no absolute timeout without it', async () => {
      const { config } = passwordConfig({ session: { maxAge: 400 * DAY } })
      const tab = browser(config)
      await enter(tab)
      await pass(399 * DAY)
      expect(await tab.session()).not.toBeNull()
    })
  })
})

describe('session start', () => {
  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  describe('the time of the sign-in in a session token', () => {
    const settings = { maxAge: 2 * DAY, absoluteMaxAge: 10 * DAY }

    test('is not changed by a jwt callback that copies the data of update()', async () => {
      const jwt = ({ token, session }: JWTCallbackParams) => ({
        ...token,
        ...session,
      })
      const { config } = passwordConfig({ session: settings, callbacks: { jwt } })
      const tab = browser(config)
      await enter(tab)
      const start = (await claimsOf(tab))?.['auth_time']
      for (const auth_time of [Math.floor(Date.now() / 1000) + 1000 * DAY, 0, 'never', null]) {
        const json = { csrfToken: await tab.csrfToken(), data: { auth_time, theme: 'dark' } }
        const response = await tab.request('session', { method: 'POST', json })
        expect(await response.json()).not.toBeNull()
        expect(await claimsOf(tab)).toMatchObject({ auth_time: start, theme: 'dark' })
      }
      for (let day = 1; day < 10; day += 1) {
        await pass(DAY)
        expect(await tab.session()).not.toBeNull()
      }
      await pass(DAY)
      expect(await tab.session()).toBeNull()
    })

    test('starts at the sign-in, whatever the jwt callback returns', async () => {
      const jwt = ({ token }: JWTCallbackParams) => ({ ...token, auth_time: 1 })
      const { config } = passwordConfig({ session: settings, callbacks: { jwt } })
      const tab = browser(config)
      await enter(tab)
      expect((await claimsOf(tab))?.['auth_time']).toBe(Math.floor(Date.now() / 1000))
      expect(await tab.session()).not.toBeNull()
    })
  })
})

describe('session callbacks', () => {
  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  async function signedIn(later: CallbacksOptions): Promise<{ tab: Browser; log: Log }> {
    const callbacks: CallbacksOptions = {}
    const { config, log } = passwordConfig({ callbacks })
    const tab = browser(config)
    await enter(tab)
    Object.assign(callbacks, later)
    return { tab, log }
  }

  function update(tab: Browser, data: unknown): Promise<Response> {
    return tab
      .csrfToken()
      .then((csrfToken) => tab.request('session', { method: 'POST', json: { csrfToken, data } }))
  }

  describe('the jwt callback', () => {
    test('changes the claims of the session, and the cookie is set at once', async () => {
      const { tab } = await signedIn({ jwt: ({ token }) => ({ ...token, name: 'Countess' }) })
      const response = await tab.request('session')
      expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
      expect(cookiesSetBy(response)).toEqual([SESSION])
      expect(cookiesSetBy(await tab.request('session'))).toEqual([])
    })

    test.each<[string, NonNullable<CallbacksOptions['jwt']>]>([
      ['the same object', ({ token }) => token],
      ['a copy', ({ token }) => ({ ...token })],
      ['its own claims only', ({ token: { iat: _i, exp: _e, jti: _j, ...rest } }) => rest],
      ['a promise of it', ({ token }) => Promise.resolve(token)],
    ])('writes nothing when it returns %s', async (_name, jwt) => {
      const { tab } = await signedIn({ jwt })
      expect(cookiesSetBy(await tab.request('session'))).toEqual([])
    })

    test('may mutate the token that it receives', async () => {
      const { tab } = await signedIn({
        jwt: ({ token }) => {
          token['seen'] = true
          return token
        },
      })
      expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
      expect(await claimsOf(tab)).toMatchObject({ sub: '1', seen: true })
    })

    test('ends the session by returning null, before the session callback is called', async () => {
      const session = vi.fn()
      const { tab } = await signedIn({ jwt: () => null, session })
      const response = await tab.request('session')
      expect(response.status).toBe(200)
      expect(await response.json()).toBeNull()
      expect(cookiesSetBy(response)).toEqual([`-${SESSION}`])
      expect(session).not.toHaveBeenCalled()
    })

    test('leaves the browser signed out by returning null at sign-in, and redirects', async () => {
      const signIn = vi.fn()
      const { config } = passwordConfig({ callbacks: { jwt: () => null }, events: { signIn } })
      const tab = browser(config)
      const response = await enter(tab)
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('https://app.test')
      expect(await tab.session()).toBeNull()
      expect(signIn).toHaveBeenCalledOnce()
    })
  })

  const never = () => new Promise<never>(() => undefined)

  const fail = () => {
    throw new Error('The database is down.')
  }

  describe.each<[string, CallbacksOptions]>([
    ['a jwt callback that throws', { jwt: fail }],
    ['a jwt callback that rejects', { jwt: () => Promise.reject(new Error('down')) }],
    ['a jwt callback that returns nothing', { jwt: (() => undefined) as never }],
    ['a jwt callback that never resolves', { jwt: never }],
    ['a session callback that throws', { session: fail }],
    ['a session callback that never resolves', { session: never }],
  ])('%s', (_name, callbacks) => {
    test('keeps the session when it fails: the response is 503 and sets no cookie', async () => {
      const { tab, log } = await signedIn(callbacks)
      const before = cookieValue(tab)
      const response = await timeOut(tab.request('session'), 10)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('2')
      expect(await response.json()).toEqual({
        error: 'SessionUnavailable',
        message: 'The session cannot be read right now. Try again.',
        retryable: true,
      })
      expect(cookiesSetBy(response)).toEqual([])
      expect(cookieValue(tab)).toBe(before)
      expect(log.errors).toMatchObject([{ type: 'SessionUnavailable' }])
    })
  })

  test('a session is valid again once the callback works again', async () => {
    const jwt = vi.fn(({ token }) => token).mockImplementationOnce(fail)
    const { tab } = await signedIn({ jwt })
    expect((await tab.request('session')).status).toBe(503)
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test.each<[string, NonNullable<CallbacksOptions['jwt']>]>([
    ['throws', fail],
    ['never resolves', never],
  ])('a sign-in fails when the jwt callback %s', async (_name, jwt) => {
    const { config } = passwordConfig({ callbacks: { jwt } })
    const tab = browser(config)
    const response = await timeOut(enter(tab), 10)
    expect(response.headers.get('location')).toBe(
      'https://app.test/auth/error?error=SessionUnavailable',
    )
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  describe('the session callback', () => {
    test('determines the session that the browser receives', async () => {
      const { tab } = await signedIn({
        session: ({ session, token }) => ({ ...session, id: token.sub }),
      })
      expect(await tab.session()).toMatchObject({ id: '1', user: { name: 'Ada Lovelace' } })
    })

    test('exposes the default session if it returns nothing', async () => {
      const { tab } = await signedIn({ session: (() => undefined) as never })
      expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    })

    test('reports no session if it returns null, and the browser keeps its cookie', async () => {
      const { tab } = await signedIn({ session: () => null as never })
      expect(await tab.session()).toBeNull()
      expect(await (await update(tab, {})).json()).toBeNull()
      expect(await claimsOf(tab)).toMatchObject({ sub: '1' })
    })

    test('receives the token that the jwt callback returned', async () => {
      const session = vi.fn((params: SessionCallbackParams) => params.session)
      const { tab } = await signedIn({ jwt: ({ token }) => ({ ...token, role: 'admin' }), session })
      await tab.session()
      expect(session.mock.calls[0]?.[0].token).toMatchObject({ sub: '1', role: 'admin' })
    })
  })

  describe('an update', () => {
    test('changes no claim without a jwt callback', async () => {
      const { tab } = await signedIn({})
      const before = await claimsOf(tab)
      const response = await update(tab, { user: { name: 'Eve' }, sub: '2', role: 'admin' })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ user: { name: 'Ada Lovelace' } })
      // The Set-Cookie header makes frameworks render pages again; the claims are unchanged.
      expect(cookiesSetBy(response)).toEqual([SESSION])
      expect({ ...(await claimsOf(tab)), jti: before?.jti }).toEqual(before)
      expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    })

    test('sets the claims that the jwt callback returns', async () => {
      const { tab } = await signedIn({
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: session.name } : token,
      })
      const response = await update(tab, { name: 'Countess' })
      expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
      expect(cookiesSetBy(response)).toContain(SESSION)
      expect(await tab.session()).toMatchObject({ user: { name: 'Countess' } })
    })

    test('returns null without a session, and calls no callback', async () => {
      const jwt = vi.fn()
      const { config } = passwordConfig({ callbacks: { jwt } })
      const tab = browser(config)
      const response = await update(tab, { name: 'Eve' })
      expect(response.status).toBe(200)
      expect(await response.json()).toBeNull()
      expect(jwt).not.toHaveBeenCalled()
    })

    test('requires a CSRF token', async () => {
      const jwt = vi.fn(({ token }: JWTCallbackParams) => token)
      const { tab } = await signedIn({ jwt })
      const response = await tab.request('session', { method: 'POST', json: { data: {} } })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: 'MissingCSRF' })
      expect(jwt).not.toHaveBeenCalled()
    })
  })

  test('callbacks receive their trigger', async () => {
    const calls: unknown[][] = []
    const { config } = passwordConfig({
      callbacks: {
        jwt(params) {
          const { token: _token, ...rest } = params
          calls.push(['jwt', rest])
          return params.token
        },
        session(params) {
          const { token: _token, session, ...rest } = params
          calls.push(['session', rest])
          return session
        },
      },
    })
    const tab = browser(config)
    await enter(tab)
    expect(calls.splice(0)).toEqual([
      [
        'jwt',
        {
          trigger: 'signIn',
          isNewUser: false,
          user: expect.objectContaining({ id: '1' }),
          account: { provider: 'password', type: 'credentials', providerAccountId: '1' },
        },
      ],
    ])
    await tab.session()
    expect(calls.splice(0)).toEqual([
      ['jwt', {}],
      ['session', {}],
    ])
    await update(tab, { name: 'Countess' })
    expect(calls.splice(0)).toEqual([
      ['jwt', { trigger: 'update', session: { name: 'Countess' } }],
      ['session', { trigger: 'update', newSession: { name: 'Countess' } }],
    ])
  })
})

describe('session cookies', () => {
  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  const OLD = 'the secret before this one, also long enough'

  const ADA = { sub: '1', name: 'Ada Lovelace' }

  /** A session token without exp. */
  async function endless(claims: object): Promise<string> {
    return `${SESSION}=${await encryptText(await keyFor(SECRET, SESSION), JSON.stringify(claims))}`
  }

  describe('a cookie that is not a session', () => {
    test.each([
      ['garbage', () => `${SESSION}=garbage`],
      ['text in the form of a token', () => `${SESSION}=a..b.c.d`],
      ['a token that was changed', async () => (await cookieFor(ADA)).slice(0, -4) + 'AAAA'],
      [
        'a token made for another cookie',
        async () => (await cookieFor(ADA, { salt: 'x' })).replace('x', SESSION),
      ],
      ['a token made with another secret', () => cookieFor(ADA, { secret: OLD })],
      ['a token that has expired', () => cookieFor(ADA, { maxAge: -60 })],
      ['a token that does not expire', () => endless(ADA)],
      ['a chunk without the first one', () => `${SESSION}.1=rest`],
    ])('creates no session and is deleted: %s', async (_name, cookie) => {
      const { config, log } = passwordConfig()
      const header = await cookie()
      const [name = ''] = header.split('=')
      expect(await resolveSession(header, config)).toEqual([null, [`-${name}`]])
      expect(log.errors).toEqual([])
    })

    test('is deleted with the attributes that it was set with, because browsers keep it otherwise', async () => {
      const { config } = passwordConfig()
      const { headers } = await readWith(`${SESSION}=garbage`, config)
      expect(headers.getSetCookie()).toEqual([
        `${SESSION}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
      ])
    })

    test('is kept when it has another name', async () => {
      const { config } = passwordConfig()
      expect(
        await resolveSession(`${SESSION}-legacy=x; ${SESSION}.-1=x; ${SESSION}.1e3=x`, config),
      ).toEqual([null, []])
      const cookie = await cookieFor(ADA)
      expect(await resolveSession(`${SESSION}-legacy=x; ${cookie}`, config)).toEqual([
        'Ada Lovelace',
        [],
      ])
    })
  })

  describe('a list of secrets', () => {
    test('decrypts sessions of each of them', async () => {
      const { config } = passwordConfig({ secret: [SECRET, OLD] })
      expect(await resolveSession(await cookieFor(ADA, { secret: OLD }), config)).toEqual([
        'Ada Lovelace',
        [],
      ])
      expect(await resolveSession(await cookieFor(ADA), config)).toEqual(['Ada Lovelace', []])
    })

    test('encrypts with the first, so that the others can be removed', async () => {
      const { config } = passwordConfig({ secret: [SECRET, OLD] })
      const tab = browser(config)
      tab.cookies.set(
        SESSION,
        (await cookieFor(ADA, { secret: OLD, maxAge: 9 * DAY })).split('=')[1] ?? '',
      )
      const before = `${SESSION}=${cookieValue(tab)}`
      await pass(DAY)
      expect(cookiesSetBy(await tab.request('session'))).toEqual([SESSION])
      const alone = passwordConfig().config
      expect(await resolveSession(`${SESSION}=${cookieValue(tab)}`, alone)).toEqual([
        'Ada Lovelace',
        [],
      ])
      expect(await resolveSession(before, alone)).toEqual([null, [`-${SESSION}`]])
    })

    test('is read from jwt.secret if that is set', async () => {
      const { config } = passwordConfig({ jwt: { secret: OLD } })
      expect(await resolveSession(await cookieFor(ADA, { secret: OLD }), config)).toEqual([
        'Ada Lovelace',
        [],
      ])
      expect((await resolveSession(await cookieFor(ADA), config))[0]).toBeNull()
    })
  })

  describe('a session under a former name', () => {
    const SHARED = '__Secure-lib.session-token'
    const cookies = { sessionToken: { options: { domain: 'app.test' } } }

    test('moves from the __Host- name to the __Secure- name when a domain is configured', async () => {
      const { config } = passwordConfig({ cookies })
      const { session, headers } = await readWith(await cookieFor(ADA), config)
      expect(session).toMatchObject({ user: { name: 'Ada Lovelace' } })
      expect(cookiesSetBy({ headers })).toEqual([SHARED, `-${SESSION}`])
      const [moved = ''] = headers.getSetCookie()
      expect(await resolveSession(moved.split(';')[0] ?? '', config)).toEqual(['Ada Lovelace', []])
    })

    test('is deleted by a sign-out', async () => {
      const { config } = passwordConfig({ cookies })
      const tab = browser(config)
      tab.cookies.set(SESSION, (await cookieFor(ADA)).slice(SESSION.length + 1))
      await tab.post('signout')
      expect(tab.cookies.get(SESSION)).toBeUndefined()
      expect(await tab.session()).toBeNull()
    })

    test('is ignored next to a session under the current name', async () => {
      const { config } = passwordConfig({ cookies })
      const former = await cookieFor({ sub: '2', name: 'Eve' })
      const current = await cookieFor(ADA, { salt: SHARED })
      expect((await resolveSession(`${former}; ${current}`, config))[0]).toBe('Ada Lovelace')
    })

    test.each(['jwt', 'database'] as const)(
      'is not read from a __Secure- cookie, which a sibling subdomain can set, with strategy %s',
      async (strategy) => {
        const database = { adapter: MemoryAdapter(), session: { strategy } } as const
        const { config } = passwordConfig(strategy === 'jwt' ? {} : database, { createUser: true })
        const attacker = browser(config)
        await enter(attacker)
        const token =
          strategy === 'jwt'
            ? (await cookieFor(ADA, { salt: SHARED })).slice(SHARED.length + 1)
            : cookieValue(attacker)
        const victim = browser(config)
        victim.cookies.set(SHARED, token)
        const response = await victim.request('session')
        expect(await response.json()).toBeNull()
        expect(cookiesSetBy(response)).toEqual([])
        expect(await attacker.session()).not.toBeNull()
      },
    )
  })

  describe('two cookies of the same name', () => {
    test.each([
      ['first', async () => `${SESSION}=garbage; ${await cookieFor(ADA)}`],
      ['last', async () => `${await cookieFor(ADA)}; ${SESSION}=garbage`],
      ['first, and empty', async () => `${SESSION}=; ${await cookieFor(ADA)}`],
    ])('resolve to the valid one if the invalid one is sent %s', async (_name, cookie) => {
      const { config } = passwordConfig()
      expect(await resolveSession(await cookie(), config)).toEqual(['Ada Lovelace', []])
    })

    test('are reported in the debug log', async () => {
      const { config, log } = passwordConfig()
      await readWith(`${SESSION}=garbage; ${await cookieFor(ADA)}`, config)
      expect(log.debug).toContainEqual(['cookie.duplicate', { name: SESSION }])
    })
  })
})

describe('the cost of a session read: decryptions, encryptions, key derivations and requests', () => {
  beforeEach(stopClock)

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  /** Counts decryptions, encryptions, key derivations and requests. */
  function countCalls() {
    const decrypted = vi.spyOn(nodeCrypto, 'createDecipheriv')
    const encrypted = vi.spyOn(nodeCrypto, 'createCipheriv')
    const derived = vi.spyOn(nodeCrypto, 'hkdfSync')
    const requested = vi.fn<typeof fetch>(async () => new Response())
    vi.stubGlobal('fetch', requested)
    return () => [decrypted, encrypted, derived, requested].map((each) => each.mock.calls.length)
  }

  test.each(['over the route', 'directly'])(
    'a session read %s decrypts a token once, encrypts none, derives no key and sends no request',
    async (how) => {
      const { config } = passwordConfig()
      const tab = browser(config)
      await enter(tab)
      const cookie = `other=1; ${SESSION}=${cookieValue(tab)}; more=2`
      const counts = countCalls()
      const read = () =>
        how === 'directly'
          ? readWith(cookie, config)
          : tab.request('session', { headers: { cookie } })
      await read()
      expect(counts()).toEqual([1, 0, 0, 0])
      await read()
      expect(counts()).toEqual([1, 0, 0, 0])
    },
  )

  test('a session that is due is encrypted once when it is read', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await pass(2 * DAY)
    const counts = countCalls()
    await tab.request('session')
    expect(counts()).toEqual([1, 1, 0, 0])
  })

  test('a signed-out request costs no decryption', async () => {
    const { config } = passwordConfig()
    const counts = countCalls()
    await readWith('other=1; more=2', config)
    expect(counts()).toEqual([0, 0, 0, 0])
  })
})

describe('`jwt.encode` and `jwt.decode`: session tokens in a format of the application', () => {
  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  describe('tokens of the application', () => {
    const encode = vi.fn(
      ({ token }: { token?: object | undefined }) => `mine.${btoa(JSON.stringify(token))}`,
    )
    const decode = vi.fn(({ token }: { token?: string | undefined }) => {
      const [kind, text = ''] = token?.split('.') ?? []
      if (kind !== 'mine') throw new Error('not mine')
      return JSON.parse(atob(text))
    })

    test('replace the encrypted tokens', async () => {
      const { config } = passwordConfig({ jwt: { encode, decode, maxAge: 600 } })
      const tab = browser(config)
      await enter(tab)
      expect(cookieValue(tab)).toMatch(/^mine\./)
      expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
      expect(encode).toHaveBeenLastCalledWith({
        token: expect.objectContaining({ sub: '1' }),
        secret: SECRET,
        salt: SESSION,
        maxAge: 600,
      })
      expect(decode).toHaveBeenLastCalledWith({
        token: cookieValue(tab),
        secret: SECRET,
        salt: SESSION,
      })
    })

    test.each<[string, () => never]>([
      [
        'throws',
        () => {
          throw new Error('bad signature')
        },
      ],
      ['returns null', (() => null) as () => never],
      ['returns a string', (() => 'ada') as () => never],
    ])('end the session when decode %s', async (_name, bad) => {
      const { config } = passwordConfig({ jwt: { decode: bad } })
      expect(await resolveSession(`${SESSION}=mine.e30`, config)).toEqual([null, [`-${SESSION}`]])
    })

    test('keep the session when decode throws SessionUnavailable', async () => {
      const { config } = passwordConfig({
        jwt: { decode: () => Promise.reject(new SessionUnavailable('The key store is down.')) },
      })
      await expect(readWith(`${SESSION}=mine.e30`, config)).rejects.toThrow(
        'The key store is down.',
      )
    })

    test('keep the session when decode times out', async () => {
      const hanging = vi.fn(() => new Promise<null>(() => undefined))
      const { config } = passwordConfig({ jwt: { decode: hanging } })
      const answer = browser(config)
      answer.cookies.set(SESSION, 'mine.e30')
      const response = answer.request('session')
      await until(() => hanging.mock.calls.length > 0)
      await pass(10)
      expect((await response).status).toBe(503)
      expect(answer.cookies.get(SESSION)?.value).toBe('mine.e30')
    })

    test.each<[string, () => never]>([
      [
        'throws',
        () => {
          throw new Error('no key')
        },
      ],
      ['returns nothing', (() => undefined) as () => never],
      ['never resolves', (() => new Promise(() => undefined)) as () => never],
    ])('create no session when encode %s', async (_name, bad) => {
      const failing = vi.fn(bad)
      const { config, log } = passwordConfig({ jwt: { encode: failing } })
      const tab = browser(config)
      const csrfToken = await tab.csrfToken()
      const answer = tab.request('callback/password', {
        method: 'POST',
        json: { csrfToken, username: 'ada', password: 'correct horse battery staple' },
      })
      await until(() => failing.mock.calls.length > 0)
      await pass(10)
      expect((await answer).status).toBe(503)
      expect(tab.cookies.get(SESSION)).toBeUndefined()
      expect(log.errors).toHaveLength(1)
    })
  })
})

describe('session cookies when nothing states the protocol of a request: `getSession(headers)` without a URL', () => {
  const PLAIN = 'lib.session-token'

  const ADA = { sub: '1', name: 'Ada Lovelace' }

  const EVE = { sub: '2', name: 'Eve' }

  beforeEach(stopClock)

  afterEach(() => void vi.useRealTimers())

  const STRATEGIES: Record<string, () => AuthConfig> = {
    'JWT sessions': () => passwordConfig({ session: { updateAge: DAY } }).config,
    'database sessions': () =>
      passwordConfig(
        { adapter: MemoryAdapter(), session: { strategy: 'database', updateAge: DAY } },
        { createUser: true },
      ).config,
  }

  /** Reads the session with the cookies of the browser and a Host header. */
  async function readOn(tab: Browser, config: AuthConfig, host: string) {
    const url = new URL(tab.origin)
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
    const result = await getSession(new Headers({ cookie, host }), config)
    for (const header of result.headers.getSetCookie()) tab.cookies.accept(header, url)
    return result
  }

  describe.each(Object.entries(STRATEGIES))('%s', (_strategy, configure) => {
    test.each(['https://localhost:3000', 'http://localhost:3000', 'http://app.internal'])(
      'are read and extended on %s, under the name they were issued with',
      async (origin) => {
        const config = configure()
        const tab = browser(config, { origin })
        await enter(tab)
        const name = origin.startsWith('https:') ? SESSION : PLAIN
        const host = new URL(origin).host
        expect((await readOn(tab, config, host)).session?.user?.name).toBe('Ada Lovelace')
        await pass(2 * DAY)
        const { session, headers } = await readOn(tab, config, host)
        expect(session?.user?.name).toBe('Ada Lovelace')
        expect(cookiesSetBy({ headers })).toEqual([name])
        expect(headers.getSetCookie().join().includes('Secure')).toBe(name === SESSION)
        expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
      },
    )

    test('are deleted under both names by a sign-out on https', async () => {
      const config = configure()
      const plain = browser(config, { origin: 'http://localhost:3000' })
      await enter(plain)
      const tab = browser(config, { origin: 'https://localhost:3000' })
      await enter(tab)
      tab.cookies.set(PLAIN, plain.cookies.get(PLAIN)?.value ?? '')
      const held = `${PLAIN}=${plain.cookies.get(PLAIN)?.value ?? ''}`
      const response = await tab.post('signout')
      expect(cookiesSetBy(response)).toEqual(expect.arrayContaining([`-${SESSION}`, `-${PLAIN}`]))
      expect((await readOn(tab, config, 'localhost:3000')).session).toBeNull()
      // A token cannot be revoked; a row can.
      if (config.adapter) {
        const headers = new Headers({ cookie: held, host: 'localhost:3000' })
        expect((await getSession(headers, config)).session).toBeNull()
      }
    })

    test('are replaced under both names by a sign-in', async () => {
      const config = configure()
      const plain = browser(config, { origin: 'http://localhost:3000' })
      await enter(plain)
      const tab = browser(config, { origin: 'https://localhost:3000' })
      tab.cookies.set(PLAIN, plain.cookies.get(PLAIN)?.value ?? '')
      const response = await enter(tab)
      expect(cookiesSetBy(response)).toEqual(expect.arrayContaining([SESSION, `-${PLAIN}`]))
    })
  })

  describe('a request that does not state the protocol', () => {
    const headers = (cookie: string) => new Headers({ cookie, host: 'localhost:3000' })

    test('reads the session of https if the browser sent both', async () => {
      const { config } = passwordConfig()
      const cookie = `${await cookieFor(EVE, { salt: PLAIN })}; ${await cookieFor(ADA)}`
      const result = await getSession(headers(cookie), config)
      expect(result.session?.user?.name).toBe('Ada Lovelace')
      expect([...result.headers]).toEqual([])
    })

    test.each([
      ['is invalid', `${SESSION}=garbage`],
      ['is empty', `${SESSION}=`],
      ['has only one chunk', `${SESSION}.1=garbage`],
      ['may be in the part of the Cookie header that is too long to be read', 'a'.repeat(70_000)],
    ])('ignores a plain cookie when that of https %s', async (_what, sent) => {
      const { config } = passwordConfig()
      const cookie = `${await cookieFor(EVE, { salt: PLAIN })}; ${sent}`
      expect((await getSession(headers(cookie), config)).session).toBeNull()
      expect(await getToken({ req: { headers: headers(cookie) }, config })).toBeNull()
    })

    test('does not read a session that a sibling subdomain can set', async () => {
      const { config } = passwordConfig()
      const cookie = await cookieFor(EVE, { salt: '__Secure-lib.session-token' })
      expect((await getSession(headers(cookie), config)).session).toBeNull()
    })

    test.each([
      ['useSecureCookies: true', { useSecureCookies: true }, null],
      ['useSecureCookies: false', { useSecureCookies: false }, 'Eve'],
      ['an https origin', { origin: 'https://app.test' }, null],
      ['an http origin', { origin: 'http://app.test' }, 'Eve'],
    ])('%s determines which names are read', async (_what, overrides, name) => {
      const { config } = passwordConfig(overrides)
      const { session } = await getSession(headers(await cookieFor(EVE, { salt: PLAIN })), config)
      expect(session?.user?.name ?? null).toBe(name)
    })

    test('keeps a session whose cookie has one configured name for both protocols', async () => {
      const { config } = passwordConfig({
        cookies: { sessionToken: { name: 'sid' } },
        session: { updateAge: 0 },
      })
      const result = await getSession(headers(await cookieFor(ADA, { salt: 'sid' })), config)
      expect(result.session?.user?.name).toBe('Ada Lovelace')
      expect(result.headers.getSetCookie().join()).toContain('Secure')
    })
  })

  test('a request on http extends a session of https under its own name', async () => {
    const { config } = passwordConfig({ session: { updateAge: 0 } })
    const request = new Request('http://localhost:3000/auth/session', {
      headers: { cookie: await cookieFor(ADA) },
    })
    const response = await Auth(request, config)
    expect(await response.json()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(cookiesSetBy(response)).toEqual([SESSION])
  })
})

describe('the reasons for a rejected session cookie in the debug log', async () => {
  const op = await issuer()

  beforeEach(() => {
    captureConsole()
    stopClock()
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const ADA = { sub: '1', name: 'Ada Lovelace' }

  describe('the debug log reports that a session cookie is rejected because', () => {
    const FOREIGN = 'a secret of another deployment, long enough'
    const rejected = (reason: string) =>
      `session rejected ${JSON.stringify({ name: SESSION, reason })}`

    test.each<[string, Partial<AuthConfig>, () => Promise<string> | string, string]>([
      ['the browser sent none', {}, () => 'theme=dark', 'no session cookie'],
      [
        'it has expired',
        {},
        () => cookieFor(ADA, { maxAge: -60 }),
        rejected('expired at 2026-05-04T03:01:01.000Z'),
      ],
      [
        'another secret encrypted it',
        {},
        () => cookieFor(ADA, { secret: FOREIGN }),
        rejected('cannot be decrypted with 1 secret'),
      ],
      [
        'none of several secrets decrypts it',
        { secret: [SECRET, `${SECRET} 2`] },
        () => cookieFor(ADA, { secret: FOREIGN }),
        rejected('cannot be decrypted with 2 secrets'),
      ],
      ['it is not encrypted', {}, () => `${SESSION}=a.b.c`, rejected('not a compact JWE')],
      ['its first chunk is missing', {}, () => `${SESSION}.1=abc`, rejected('chunk 0 is missing')],
      [
        'the absolute timeout has passed',
        { session: { absoluteMaxAge: 60 } },
        () => cookieFor({ ...ADA, auth_time: Date.now() / 1000 - 61 }),
        rejected('session.absoluteMaxAge has passed'),
      ],
      [
        'nbf is in the future',
        {},
        () => cookieFor({ ...ADA, nbf: Date.now() / 1000 + 60 }),
        rejected('nbf is not in the past'),
      ],
      [
        'the absolute timeout has passed after nbf',
        { session: { absoluteMaxAge: 60 } },
        () => cookieFor({ ...ADA, nbf: 1, auth_time: Date.now() / 1000 - 61 }),
        rejected('session.absoluteMaxAge has passed'),
      ],
      [
        'the absolute timeout has passed, and exp within the clock tolerance',
        { session: { absoluteMaxAge: 60 } },
        () => cookieFor({ ...ADA, auth_time: Date.now() / 1000 - 61 }, { maxAge: -5 }),
        rejected('session.absoluteMaxAge has passed'),
      ],
      [
        'jwt.decode returned nothing',
        { jwt: { decode: () => null } },
        () => `${SESSION}=abc`,
        rejected('jwt.decode returned no token'),
      ],
      [
        'the database does not have it',
        { adapter: MemoryAdapter(), session: { strategy: 'database' } },
        () => `${SESSION}=abc`,
        rejected('not in the database'),
      ],
    ])('%s', async (_what, overrides, cookie, line) => {
      const { config } = passwordConfig({ ...debug, ...overrides })
      const { session } = await readWith(await cookie(), config)
      expect(session).toBeNull()
      expect(printed()).toEqual([line])
    })

    test.each([
      [
        'the absolute timeout has passed',
        { absoluteMaxAge: 60 },
        'session.absoluteMaxAge has passed',
      ],
      ['it has expired', { maxAge: 60, updateAge: 0 }, 'expired at 2026-05-04T03:01:01.000Z'],
    ])('a next-auth token without exp is not valid: %s', async (_what, session, reason) => {
      const { config } = passwordConfig({ ...debug, migrateSessions: true, session })
      const key = await keyFor(SECRET, OLD_SECURE, 'next-auth')
      const token = await encryptText(key, JSON.stringify({ ...ADA, iat: Date.now() / 1000 - 120 }))
      const read = await readWith(`${OLD_SECURE}=${token}`, config)
      expect(read.session).toBeNull()
      expect(printed()).toEqual([
        `session rejected ${JSON.stringify({ name: OLD_SECURE, reason })}`,
      ])
    })

    test('it has expired in the database', async () => {
      const adapter = MemoryAdapter()
      const { config } = configFor(op, { ...debug, adapter })
      const tab = browser(config, { issuer: op })
      await tab.signIn('op')
      const cookie = `${SESSION}=${cookieValue(tab)}`
      printed()
      await pass(31 * DAY)
      await readWith(cookie, config)
      expect(printed()).toEqual([rejected('expired at 2026-06-03T03:02:01.000Z')])
    })
  })

  test('the debug log reports that a session is extended', async () => {
    const { config } = passwordConfig(debug)
    const cookie = await cookieFor(ADA, { maxAge: 30 * DAY })
    await pass(2 * DAY)
    await readWith(cookie, config)
    expect(printed()).toEqual([
      `session read {"name":"${SESSION}"}`,
      'session extended {"expires":"2026-06-05T03:02:01.000Z"}',
    ])
  })
})
