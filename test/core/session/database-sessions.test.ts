import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { SessionOptions } from '../../../src/core/config/types.ts'
import { resolve as resolveConfig } from '../../../src/core/config/resolve.ts'
import { createContext } from '../../../src/core/context.ts'
import { createJar } from '../../../src/core/cookies/jar.ts'
import { readRequest } from '../../../src/core/http/read-headers.ts'
import { verificationTime } from '../../../src/core/identity/verification-time.ts'
import { getSession } from '../../../src/index.ts'
import type { AuthConfig, CallbacksOptions, EventsOptions } from '../../../src/index.ts'
import { governSessions } from '../../../src/sessions.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import {
  ADA,
  ADAPTERS,
  databaseSite,
  down,
  errorTypes,
  hang,
  lost,
  once,
  rowOf,
  signedIn,
} from '../../database.ts'
import type { DatabaseSite } from '../../database.ts'
import { click, mailSite, requestLink } from '../../email.ts'
import { during, hold } from '../../hold.ts'
import { logged } from '../../oauth.ts'
import {
  claimsOf,
  cookiesSetBy,
  cookieValue,
  DAY,
  pass,
  readWith,
  SESSION,
  stopClock,
  timeOut,
  until,
} from '../../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

beforeEach(stopClock)

afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

describe.each(Object.entries(ADAPTERS))('with an adapter %s', (_name, adapter) => {
  test('a session exposes name, e-mail address and picture, and nothing else', async () => {
    const { tab } = await signedIn(op, { adapter: adapter() })
    expect(await tab.session()).toEqual({
      user: ADA,
      expires: new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    })
  })

  test('the cookie contains a random token and expires with the session', async () => {
    const site = await signedIn(op, { adapter: adapter() })
    expect(cookieValue(site.tab)).toMatch(/^[0-9a-f]{64}$/)
    const row = await rowOf(site, cookieValue(site.tab))
    expect(row?.session.expires).toEqual(new Date(Date.now() + 30 * DAY * 1000))
    expect(row?.user).toMatchObject({ name: ADA.name, email: ADA.email, image: ADA.image })
    expect(site.tab.cookies.get(SESSION)?.expires).toBe(row?.session.expires.getTime())
  })

  test('a read sends one query and writes nothing', async () => {
    const { tab, called } = await signedIn(op, { adapter: adapter() })
    const response = await tab.request('session')
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(called()).toEqual(['getSessionAndUser'])
  })

  test('signing out deletes the session and the cookie', async () => {
    const site = await signedIn(op, { adapter: adapter() })
    const { tab, called } = site
    const token = cookieValue(tab)
    const response = await tab.post('signout')
    expect(response.headers.get('location')).toBe(tab.origin)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(called()).toEqual(['deleteSession', 'deleteSession'])
    expect(await rowOf(site, token)).toBeNull()
    expect((await readWith(`${SESSION}=${token}`, site.config)).session).toBeNull()
  })
})

describe('a session', () => {
  test('is not looked up without a cookie', async () => {
    const { tab, called } = databaseSite(op)
    const response = await tab.request('session')
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(called()).toEqual([])
  })

  test('is null if it does not exist, and its cookie is deleted', async () => {
    const { tab, called } = databaseSite(op)
    tab.cookies.set(SESSION, 'made-up')
    const response = await tab.request('session')
    expect(await response.json()).toBeNull()
    expect(cookiesSetBy(response)).toEqual([`-${SESSION}`])
    // One lookup by the token, one by its hash.
    expect(called()).toEqual(['getSessionAndUser', 'getSessionAndUser'])
  })

  test('sends a limited number of queries for long or many tokens', async () => {
    const { config, called } = databaseSite(op)
    expect((await readWith(`${SESSION}=${'a'.repeat(1025)}`, config)).session).toBeNull()
    expect(called()).toEqual([])
    const many = Array.from({ length: 100 }, (_, index) => `${SESSION}=${index}`).join('; ')
    expect((await readWith(many, config)).session).toBeNull()
    expect(called()).toHaveLength(10)
  })

  test('is found behind a planted cookie of the same name (cookie tossing)', async () => {
    const { tab, config } = await signedIn(op)
    const cookie = `${SESSION}=made-up; ${SESSION}=${cookieValue(tab)}`
    expect((await readWith(cookie, config)).session?.user).toEqual(ADA)
  })

  test('of a deleted user ends at once', async () => {
    const site = await signedIn(op)
    await site.stored.deleteUser?.((await rowOf(site, cookieValue(site.tab)))?.user.id ?? '')
    const response = await site.tab.request('session')
    expect(response.status).toBe(200)
    expect(await response.json()).toBeNull()
    expect(cookiesSetBy(response)).toEqual([`-${SESSION}`])
  })

  test.each([
    ['no user', (row: object) => ({ ...row, user: null })],
    ['undefined', () => undefined],
  ])('is null if the adapter returns %s', async (_name, change) => {
    const { tab, faults } = await signedIn(op)
    faults.getSessionAndUser = async (run) => {
      const row = await run()
      return row && change(Object(row))
    }
    expect(await tab.session()).toBeNull()
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })
})

describe('a session that is used', () => {
  test('is extended once updateAge has passed, and not before', async () => {
    const { tab, called, ...site } = await signedIn(op, {
      config: { session: { updateAge: 3600 } },
    })
    const end = Date.now() + 30 * DAY * 1000
    await pass(3599)
    const early = await tab.request('session')
    expect(early.headers.getSetCookie()).toEqual([])
    expect(await early.json()).toMatchObject({ expires: new Date(end).toISOString() })
    expect(called()).toEqual(['getSessionAndUser'])
    await pass(1)
    const response = await tab.request('session')
    expect(called()).toEqual(['getSessionAndUser', 'updateSession'])
    expect(cookiesSetBy(response)).toEqual([SESSION])
    const later = new Date(end + 3600_000)
    expect(await response.json()).toMatchObject({ expires: later.toISOString() })
    expect(tab.cookies.get(SESSION)?.expires).toBe(later.getTime())
    const row = await site.stored.getSessionAndUser?.(cookieValue(tab))
    expect(row?.session.expires).toEqual(later)
  })

  test('keeps its token, and everything else that is stored', async () => {
    const site = await signedIn(op, { config: { session: { updateAge: 0 } } })
    const before = await rowOf(site, cookieValue(site.tab))
    await pass(60)
    await site.tab.session()
    const expires = new Date(Date.now() + 30 * DAY * 1000)
    expect(await rowOf(site, cookieValue(site.tab))).toEqual({
      ...before,
      session: { ...before?.session, expires },
    })
    expect(site.calls.at(-1)).toEqual({
      method: 'updateSession',
      args: [{ sessionToken: cookieValue(site.tab), expires }],
    })
  })

  test.each<[string, SessionOptions, number]>([
    ['after a day by default', {}, DAY],
    ['each time with updateAge 0', { updateAge: 0 }, 0],
  ])('is extended %s', async (_name, session, seconds) => {
    const { tab, called } = await signedIn(op, { config: { session } })
    if (seconds > 0) await pass(seconds - 1)
    if (seconds > 0) await tab.session()
    expect(called()).not.toContain('updateSession')
    if (seconds > 0) await pass(1)
    await tab.session()
    expect(called()).toContain('updateSession')
  })

  test('is never extended with updateAge Infinity', async () => {
    const { tab, called } = await signedIn(op, { config: { session: { updateAge: Infinity } } })
    await pass(29 * DAY)
    expect(await tab.session()).not.toBeNull()
    await pass(DAY)
    expect(await tab.session()).toBeNull()
    expect(called()).not.toContain('updateSession')
  })

  test('stays valid for as long as it is used', async () => {
    const { tab } = await signedIn(op, { config: { session: { maxAge: 2 * DAY } } })
    for (let day = 0; day < 10; day += 1) {
      await pass(DAY)
      expect(await tab.session()).not.toBeNull()
    }
  })

  test('is extended by the route and by getSession', async () => {
    const { tab, config } = await signedIn(op, { config: { session: { updateAge: 0 } } })
    await pass(60)
    const cookie = `${SESSION}=${cookieValue(tab)}`
    const headers = new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https' })
    const { session, headers: written } = await getSession(headers, config)
    expect(session?.expires).toBe(new Date(Date.now() + 30 * DAY * 1000).toISOString())
    expect(cookiesSetBy({ headers: written })).toEqual([SESSION])
  })
})

describe('an expired session', () => {
  test('is null, and is deleted', async () => {
    const site = await signedIn(op, { config: { session: { maxAge: 600 } } })
    const token = cookieValue(site.tab)
    await pass(600)
    const { session, headers } = await readWith(`${SESSION}=${token}`, site.config)
    expect(session).toBeNull()
    expect(cookiesSetBy({ headers })).toEqual([`-${SESSION}`])
    expect(site.called()).toEqual(['getSessionAndUser', 'getSessionAndUser', 'deleteSession'])
    expect(await rowOf(site, token)).toBeNull()
  })

  test('does not prevent a sign-in', async () => {
    const site = await signedIn(op, { config: { session: { maxAge: 600 } } })
    const token = cookieValue(site.tab)
    await pass(600)
    site.tab.cookies.set(SESSION, token)
    await site.tab.signIn('op')
    expect((await site.tab.session())?.user).toEqual(ADA)
    expect(cookieValue(site.tab)).not.toBe(token)
    expect(await rowOf(site, token)).toBeNull()
  })
})

function update(tab: Browser, data: unknown): Promise<Response> {
  return tab
    .csrfToken()
    .then((csrfToken) => tab.request('session', { method: 'POST', json: { csrfToken, data } }))
}

describe('signing in', () => {
  test('an existing user takes five calls', async () => {
    const site = await signedIn(op)
    const tab = site.open()
    await tab.signIn('op')
    expect(site.called()).toEqual([
      'getUserByAccount',
      'listFactors',
      'createSession',
      'listAccounts',
      'updateAccount',
    ])
  })

  test('an existing user takes three calls if the adapter has only required methods', async () => {
    const site = await signedIn(op, { adapter: ADAPTERS['with required methods only']?.() ?? {} })
    await site.open().signIn('op')
    expect(site.called()).toEqual(['getUserByAccount', 'createSession', 'getUserByAccount'])
  })

  test('again creates a new session and deletes the previous one', async () => {
    const site = await signedIn(op)
    const before = cookieValue(site.tab)
    await site.tab.signIn('op')
    expect(site.called()).toEqual([
      'getSessionAndUser',
      'getUserByAccount',
      'getSessionAndUser',
      'listFactors',
      'createSession',
      'listAccounts',
      'updateAccount',
      'deleteSession',
    ])
    expect(cookieValue(site.tab)).not.toBe(before)
    expect(await rowOf(site, before)).toBeNull()
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('ends only the session of this browser', async () => {
    const site = await signedIn(op)
    const elsewhere = site.open()
    await elsewhere.signIn('op')
    await site.tab.signIn('op')
    expect(await elsewhere.session()).not.toBeNull()
  })

  test('replaces a planted session and does not link its user (session fixation)', async () => {
    const site = await signedIn(op)
    const eve = cookieValue(site.tab)
    const victim = site.open()
    const transaction = await victim.begin('op')
    victim.cookies.set(SESSION, eve)
    await transaction.complete({ sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    expect((await victim.session())?.user?.name).toBe('Bob')
    expect(cookieValue(victim)).not.toBe(eve)
    expect(await rowOf(site, eve)).toBeNull()
    const ada = await site.stored.getUserByEmail?.(ADA.email)
    expect(await site.stored.listAccounts?.(ada?.id ?? '')).toHaveLength(1)
  })

  test('changes the CSRF token, which then belongs to the session', async () => {
    const { tab, open } = databaseSite(op)
    const before = await tab.csrfToken()
    await tab.signIn('op')
    const after = await tab.csrfToken()
    expect(after).not.toBe(before)
    await tab.session()
    expect(await tab.csrfToken()).toBe(after)
    expect(await open().csrfToken()).not.toBe(after)
  })
})

test('an update sets a cookie, a read does not', async () => {
  const { tab } = await signedIn(op)
  expect(cookiesSetBy(await tab.request('session'))).toEqual([])
  const before = cookieValue(tab)
  expect(cookiesSetBy(await update(tab, { name: 'Countess' }))).toContain(SESSION)
  expect(cookieValue(tab)).toBe(before)
})

describe('the session callback', () => {
  test('receives the stored session with its whole user', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(({ session: given }) => given)
    const site = await signedIn(op, { config: { callbacks: { session } } })
    await site.tab.session()
    const row = await rowOf(site, cookieValue(site.tab))
    expect(session).toHaveBeenCalledExactlyOnceWith({
      session: {
        sessionToken: cookieValue(site.tab),
        userId: row?.user.id,
        expires: row?.session.expires,
        user: row?.user,
      },
      user: row?.user,
    })
  })

  test('determines what the browser receives, without the token', async () => {
    const callbacks: CallbacksOptions = {
      session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
    }
    const site = await signedIn(op, { config: { callbacks } })
    const body = await (await site.tab.request('session')).text()
    expect(body).toContain((await rowOf(site, cookieValue(site.tab)))?.user.id)
    expect(body).not.toContain(cookieValue(site.tab))
    expect(body).not.toContain('sessionToken')
  })

  test('exposes the default session if it returns nothing', async () => {
    const callbacks: CallbacksOptions = { session: () => undefined as never }
    const site = await signedIn(op, { config: { callbacks } })
    expect(Object.keys((await site.tab.session()) ?? {})).toEqual(['user', 'expires'])
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('reports no session if it returns null, without an event', async () => {
    const events: EventsOptions = { session: vi.fn() }
    const callbacks: CallbacksOptions = { session: () => null as never }
    const site = await signedIn(op, { config: { callbacks, events } })
    expect(await site.tab.session()).toBeNull()
    expect(events.session).not.toHaveBeenCalled()
    expect(await rowOf(site, cookieValue(site.tab))).not.toBeNull()
  })

  test('receives the data and the trigger of an update', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(
      ({ session: { user, expires }, newSession, trigger }) => ({
        user: { ...user, name: trigger === 'update' ? newSession.name : user.name },
        expires,
      }),
    )
    const { tab } = await signedIn(op, { config: { callbacks: { session } } })
    const response = await update(tab, { name: 'Countess' })
    expect(await response.json()).toMatchObject({ user: { name: 'Countess' } })
    expect(session.mock.lastCall?.[0]).toMatchObject({
      trigger: 'update',
      newSession: { name: 'Countess' },
    })
    expect((await tab.session())?.user?.name).toBe(ADA.name)
    expect(session.mock.lastCall?.[0]).not.toHaveProperty('trigger')
  })

  test('an update changes nothing without it', async () => {
    const site = await signedIn(op)
    const before = await rowOf(site, cookieValue(site.tab))
    const response = await update(site.tab, { user: { name: 'Eve' }, expires: '2099-01-01' })
    expect(await response.json()).toMatchObject({ user: ADA })
    expect(await rowOf(site, cookieValue(site.tab))).toEqual(before)
  })

  test('an update without a session returns null', async () => {
    const { tab } = databaseSite(op)
    expect(await (await update(tab, { name: 'Eve' })).json()).toBeNull()
  })
})

test('the session event receives the exposed session', async () => {
  const session = vi.fn<NonNullable<EventsOptions['session']>>()
  const { tab } = await signedIn(op, { config: { events: { session } } })
  const seen = await tab.session()
  expect(session).toHaveBeenCalledExactlyOnceWith({ session: seen })
})

const JSON_CALLER = { accept: 'application/json' }

describe('a session that cannot be read', () => {
  test.each<[string, () => unknown]>([
    ['throws', down],
    ['returns a string', () => 'row'],
    ['returns a session without expires', () => ({ session: {}, user: { id: '1' } })],
    ['returns a user without id', () => ({ session: { expires: new Date() }, user: {} })],
    ['returns an array', () => []],
  ])('causes 503 and keeps its cookie if the database %s', async (_name, fault) => {
    const { tab, log, faults, config } = await signedIn(op)
    faults.getSessionAndUser = fault
    const response = await tab.request('session')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.json()).toMatchObject({ error: 'SessionUnavailable', retryable: true })
    expect(errorTypes(log)).toEqual(['SessionUnavailable'])
    expect(logged(log, [cookieValue(tab)])).toEqual([])
    const headers = new Headers({ cookie: `${SESSION}=${cookieValue(tab)}`, host: 'app.test' })
    await expect(getSession(headers, config)).rejects.toMatchObject({ type: 'SessionUnavailable' })
    delete faults.getSessionAndUser
    expect(await tab.session()).not.toBeNull()
  })

  test('causes 503 after five seconds if the database does not respond', async () => {
    const { tab, calls, faults, log } = await signedIn(op)
    faults.getSessionAndUser = hang
    const answer = tab.request('session')
    await until(() => calls.length > 0)
    await pass(5)
    expect((await answer).status).toBe(503)
    expect(log.errors[0]).toMatchObject({
      cause: { err: { type: 'AdapterError', cause: { method: 'getSessionAndUser' } } },
    })
    expect(tab.cookies.get(SESSION)).toBeDefined()
  })

  test('is valid if the database responds in time', async () => {
    const { tab, calls, faults } = await signedIn(op)
    faults.getSessionAndUser = (run) =>
      new Promise((resolve) => void setTimeout(() => resolve(run()), 4999))
    const answer = tab.session()
    await until(() => calls.length > 0)
    await pass(4.999)
    expect(await answer).not.toBeNull()
  })

  test('is logged without its token, even if the database error contains it', async () => {
    const { tab, faults, log } = await signedIn(op)
    const token = cookieValue(tab)
    faults.getSessionAndUser = () => {
      throw new Error(`SELECT * FROM sessions WHERE token = '${token}'`)
    }
    await tab.request('session')
    expect(logged(log, [token])).toEqual([])
  })
})

describe('a session that cannot be extended', () => {
  test.each([
    ['throws', down, 0],
    ['does not respond within a second', hang, 1],
  ])('stays valid if the database %s', async (_name, fault, seconds) => {
    const { tab, faults, log, stored } = await signedIn(op)
    const end = tab.cookies.get(SESSION)?.expires ?? 0
    await pass(DAY)
    faults.updateSession = fault
    const response = await timeOut(tab.request('session'), seconds)
    expect(await response.json()).toMatchObject({ expires: new Date(end).toISOString() })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-not-extended']))
    delete faults.updateSession
    await tab.session()
    const row = await stored.getSessionAndUser?.(cookieValue(tab))
    expect(row?.session.expires.getTime()).toBe(Date.now() + 30 * DAY * 1000)
  })
})

describe('an expired session that cannot be deleted', () => {
  test.each([
    ['throws', down, 0],
    ['does not respond within a second', hang, 1],
  ])('is rejected if the database %s', async (_name, fault, seconds) => {
    const { tab, faults, log } = await signedIn(op, { config: { session: { maxAge: 600 } } })
    const token = cookieValue(tab)
    await pass(600)
    tab.cookies.set(SESSION, token)
    faults.deleteSession = fault
    expect(await timeOut(tab.session(), seconds)).toBeNull()
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-left-behind']))
  })
})

describe('signing out with a failing database', () => {
  test('responds with 503 during an outage, and keeps the session until it is repeated', async () => {
    const site = await signedIn(op)
    const { tab, faults, log } = site
    const token = cookieValue(tab)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = down
    const form = { csrfToken }
    const response = await tab.request('signout', { method: 'POST', form, headers: JSON_CALLER })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'TemporarilyUnavailable' })
    expect(errorTypes(log)).toEqual(['SignOutError'])
    // An adapter may throw because the row does not exist, so a lookup follows each failed deletion.
    const deletion = ['deleteSession', 'getSessionAndUser']
    expect(site.called()).toEqual([...deletion, ...deletion, ...deletion])
    expect(cookieValue(tab)).toBe(token)
    expect(await tab.session()).not.toBeNull()
    delete faults.deleteSession
    const again = await tab.request('signout', { method: 'POST', form })
    expect(again.headers.get('location')).toBe(tab.origin)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    expect(await rowOf(site, token)).toBeNull()
  })

  test('redirects a browser to the error page during an outage', async () => {
    const { tab, faults } = await signedIn(op)
    faults.deleteSession = down
    const response = await tab.post('signout')
    expect(response.headers.get('location')).toBe(
      `${tab.origin}/auth/error?error=TemporarilyUnavailable`,
    )
  })

  test('succeeds after a short outage or a lost response', async () => {
    for (const [fault, again] of [
      [down, ['deleteSession']],
      [lost, []],
    ] as const) {
      const { tab, faults, log, called } = await signedIn(op)
      faults.deleteSession = once(fault)
      await tab.post('signout')
      expect(tab.cookies.get(SESSION)).toBeUndefined()
      const first = ['deleteSession', 'getSessionAndUser']
      expect(called()).toEqual([...first, ...again, 'deleteSession'])
      expect(log.errors).toEqual([])
    }
  })

  test('fails after five seconds without a response, not after three times five', async () => {
    const { tab, faults, calls } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = hang
    let isAnswered = false
    const answer = tab
      .request('signout', { method: 'POST', form: { csrfToken }, headers: JSON_CALLER })
      .finally(() => (isAnswered = true))
    await until(() => calls.length > 0)
    await pass(4.999)
    expect(isAnswered).toBe(false)
    await pass(0.001)
    expect((await answer).status).toBe(503)
    expect(cookieValue(tab)).not.toBe('')
  })

  test('takes five seconds in total if the database fails slowly', async () => {
    const { tab, faults, calls } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.deleteSession = () =>
      new Promise((_resolve, reject) => void setTimeout(() => reject(new Error('slow')), 4000))
    const answer = tab.request('signout', {
      method: 'POST',
      form: { csrfToken },
      headers: JSON_CALLER,
    })
    await until(() => calls.length > 0)
    await pass(5)
    expect((await answer).status).toBe(503)
    expect(calls.filter(({ method }) => method === 'deleteSession')).toHaveLength(2)
  })
})

describe('signing in with a failing database', () => {
  test('succeeds when the previous session cannot be deleted', async () => {
    const { tab, faults, log } = await signedIn(op)
    const before = cookieValue(tab)
    faults.deleteSession = down
    await tab.signIn('op')
    expect(cookieValue(tab)).not.toBe(before)
    expect(await tab.session()).not.toBeNull()
    expect(log.errors).toEqual([])
    expect(log.lines).toContainEqual(expect.arrayContaining(['warn', 'session-left-behind']))
  })

  test('shows an error during an outage, not a signed-out page', async () => {
    const { tab, faults } = await signedIn(op)
    const csrfToken = await tab.csrfToken()
    faults.getSessionAndUser = down
    const form = { csrfToken }
    const response = await tab.request('signin/op', { method: 'POST', form, headers: JSON_CALLER })
    expect(response.status).toBe(503)
    expect(cookieValue(tab)).not.toBe('')
  })

  test.each(['getUserByAccount', 'createSession'] as const)(
    'fails after five seconds while %s does not respond, and succeeds when repeated',
    async (method) => {
      const { tab, open, faults, calls, log } = await signedIn(op)
      await tab.post('signout')
      const visitor = open()
      const transaction = await visitor.begin('op')
      faults[method] = hang
      const answer = transaction.complete()
      await until(() => calls.some((call) => call.method === method))
      await pass(5)
      expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
      expect(errorTypes(log)).toEqual(['AdapterError'])
      expect(visitor.cookies.get(SESSION)).toBeUndefined()
      delete faults[method]
      await visitor.signIn('op')
      expect(await visitor.session()).not.toBeNull()
    },
  )

  test('creates no second user after a session that was not stored', async () => {
    const { tab, faults, stored, calls } = databaseSite(op)
    faults.createSession = once(down)
    expect((await tab.signIn('op')).headers.get('location')).toContain('TemporarilyUnavailable')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    expect(calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
    const user = await stored.getUserByEmail?.('ada@example.com')
    expect(await stored.listSessions?.(user?.id ?? '')).toHaveLength(1)
  })
})

// `session.hashTokens` on in one process and off in another, and sign-outs during the migration of a session.

/** A process over the same database. */
function processOf(adapter: Adapter, hashTokens: boolean): DatabaseSite {
  return databaseSite(op, { adapter, config: { session: { hashTokens } } })
}

interface Mixed {
  readonly plain: DatabaseSite
  readonly hashing: DatabaseSite
  readonly cookie: string
  readonly userId: string
  /** Rows of the session. */
  readonly rows: () => Promise<string[]>
}

/** Ada is signed in, in a process without the option. */
async function mixed(adapter: Adapter = MemoryAdapter()): Promise<Mixed> {
  const { tab } = await signedIn(op, { adapter })
  const user = await adapter.getUserByEmail?.(ADA.email)
  const userId = user?.id ?? ''
  const [plain, hashing] = [processOf(adapter, false), processOf(adapter, true)]
  for (const site of [plain, hashing]) site.tab.cookies.set(SESSION, cookieValue(tab))
  return {
    plain,
    hashing,
    userId,
    cookie: `${SESSION}=${cookieValue(tab)}`,
    async rows() {
      const rows = (await adapter.listSessions?.(userId)) ?? []
      return rows.map(({ sessionToken }) => sessionToken.replace(/:.*/, ':'))
    },
  }
}

function contextOf(config: AuthConfig, cookie = '') {
  const headers = new Headers({ host: 'app.test', cookie })
  return createContext(readRequest(headers), createJar(cookie), resolveConfig(config))
}

describe('with hashTokens on in one process and off in another', () => {
  test('each reads, extends and ends a session of the other', async () => {
    const { plain, hashing, cookie, rows } = await mixed()
    expect((await hashing.tab.session())?.user).toEqual(ADA)
    expect(await rows()).toEqual(['sha256:'])
    for (let time = 0; time < 2; time++) {
      expect((await plain.tab.session())?.user).toEqual(ADA)
      expect((await hashing.tab.session())?.user).toEqual(ADA)
    }
    await pass(2 * DAY)
    const later = new Date(Date.now() + 30 * DAY * 1000).toISOString()
    expect((await plain.tab.session())?.expires).toBe(later)
    expect((await readWith(cookie, hashing.config)).session?.expires).toBe(later)
    expect(await rows()).toEqual(['sha256:'])
    await plain.tab.post('signout')
    expect(await rows()).toEqual([])
    expect((await readWith(cookie, hashing.config)).session).toBeNull()
  })

  test('a session with two rows, one of which could not be deleted, is listed once, and ends', async () => {
    const adapter = MemoryAdapter()
    const { cookie, userId, rows } = await mixed(adapter)
    const deleteSession = () => {
      throw new Error('The database accepts no deletions.')
    }
    const failing = processOf({ ...adapter, deleteSession }, true)
    expect((await readWith(cookie, failing.config)).session?.user).toEqual(ADA)
    expect((await rows()).sort()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 'sha256:'])
    const { config } = processOf(adapter, true)
    const { sessions } = await governSessions(config).list(userId)
    expect(sessions).toHaveLength(1)
    expect(await governSessions(config).revoke(userId, sessions[0]?.sid ?? '')).toBe(true)
    expect(await rows()).toEqual([])
    expect((await readWith(cookie, config)).session).toBeNull()
  })

  test.each([false, true])(
    'all sessions of the user end, also those of next-auth, with the others spared: %s',
    async (hasSpared) => {
      const adapter = MemoryAdapter()
      const { cookie, userId, hashing, plain } = await mixed(adapter)
      const { tab: other } = await signedIn(op, { adapter, config: HASHED })
      const user = await adapter.getUserByEmail(ADA.email)
      expect(user?.id).toBe(userId)
      const old = { sessionToken: crypto.randomUUID(), userId, expires: new Date(Date.now() + DAY) }
      await adapter.createSession(old)
      const config = { ...hashing.config, migrateSessions: true }
      const names = async () => {
        const cookies = [
          cookie,
          `${SESSION}=${cookieValue(other)}`,
          `__Secure-authjs.session-token=${old.sessionToken}`,
        ]
        const reads = cookies.map((each) => readWith(each, config))
        return (await Promise.all(reads)).map(({ session }) => session?.user?.name ?? null)
      }
      expect(await names()).toEqual([ADA.name, ADA.name, ADA.name])
      const { sessions } = await governSessions(config).list(userId)
      expect(sessions).toHaveLength(3)
      const ctx = contextOf(config, cookie)
      const own = await (await ctx.config.session.subject(ctx))?.sid()
      const except = hasSpared ? [own ?? ''] : []
      // By a process without the option, too: an id of a session does not depend on it.
      await governSessions(plain.config).revokeAll(userId, { except })
      expect(await names()).toEqual([hasSpared ? ADA.name : null, null, null])
    },
  )

  test('sessions that began before a time end, and hashed ones, whose start is unknown, all', async () => {
    const session = { lifetime: () => ({}) }
    for (const hashTokens of [false, true]) {
      const adapter = MemoryAdapter()
      const config = { session: { ...session, hashTokens } }
      const { tab: old } = await signedIn(op, { adapter, config })
      await pass(10)
      const startedBefore = new Date()
      const site = await signedIn(op, { adapter, config })
      const user = await adapter.getUserByEmail(ADA.email)
      const ctx = contextOf(site.config)
      const options = { spare: 'none', startedBefore } as const
      expect(await ctx.config.session.endAll(ctx, user?.id ?? '', options)).toBe(true)
      expect(await old.session()).toBeNull()
      expect((await site.tab.session())?.user).toEqual(hashTokens ? undefined : ADA)
    }
  })

  test('concurrent reads during the migration keep the session', async () => {
    const { plain, hashing, cookie } = await mixed()
    const reads = Array.from({ length: 20 }, (_, index) =>
      readWith(cookie, (index % 2 ? plain : hashing).config),
    )
    for (const { session } of await Promise.all(reads)) expect(session?.user).toEqual(ADA)
    expect((await readWith(cookie, plain.config)).session?.user).toEqual(ADA)
  })

  test.each([true, false])('hashTokens %s deletes an expired session', async (isOn) => {
    const { plain, hashing, cookie, rows } = await mixed()
    await hashing.tab.session()
    await pass(31 * DAY)
    const { config } = isOn ? hashing : plain
    expect((await readWith(cookie, config)).session).toBeNull()
    expect(await rows()).toEqual([])
  })
})

describe('while a session is migrated to its hash', () => {
  const ENDINGS: [string, (site: Mixed) => Promise<unknown>][] = [
    ['a sign-out with the option on', async ({ hashing }) => hashing.tab.post('signout')],
    ['a sign-out with the option off', async ({ plain }) => plain.tab.post('signout')],
    [
      'the end of all sessions of the user',
      async ({ plain, userId }) => plain.stored.deleteUserSessions?.(userId),
    ],
  ]

  describe.each(ENDINGS)('%s', (_name, end) => {
    test.each<[keyof Adapter, 'before' | 'after']>([
      ['createSession', 'before'],
      ['createSession', 'after'],
      ['deleteSession', 'before'],
      ['deleteSession', 'after'],
    ])('ends the session (%s, %s)', async (method, moment) => {
      const site = await mixed()
      const { hashing, plain, cookie, rows } = site
      const held = hold(hashing, method, moment)
      await during(held, readWith(cookie, hashing.config), () => end(site))
      expect(await rows()).toEqual([])
      for (const { config } of [hashing, plain])
        expect((await readWith(cookie, config)).session).toBeNull()
    })
  })

  test('a failed lookup of the old row keeps the session', async () => {
    const { hashing, cookie, rows } = await mixed()
    let reads = 0
    hashing.faults.getSessionAndUser = (run) => (++reads === 3 ? down() : run())
    expect((await readWith(cookie, hashing.config)).session?.user).toEqual(ADA)
    expect(await rows()).toEqual([expect.not.stringContaining('sha256')])
  })

  test('an old row that cannot be deleted is not a session after the sign-out', async () => {
    const { hashing, cookie, rows } = await mixed()
    hashing.faults.deleteSession = once(down)
    expect((await hashing.tab.session())?.user).toEqual(ADA)
    expect(await rows()).toHaveLength(2)
    await hashing.tab.post('signout')
    expect(await rows()).toEqual([])
    expect((await readWith(cookie, hashing.config)).session).toBeNull()
  })
})

describe('signing out with an adapter that rejects missing rows', () => {
  test.each([true, false])('succeeds (hashTokens %s)', async (hashTokens) => {
    const memory = MemoryAdapter()
    const deleteSession = async (token: string) =>
      (await memory.deleteSession(token)) ?? Promise.reject(new Error('There is no such row.'))
    const config = { session: { hashTokens } }
    const site = await signedIn(op, { adapter: { ...memory, deleteSession }, config })
    const user = await memory.getUserByEmail(ADA.email)
    await site.tab.signIn('op')
    expect(await memory.listSessions(user?.id ?? '')).toHaveLength(1)
    await site.tab.post('signout')
    expect(site.tab.cookies.get(SESSION)).toBeUndefined()
    expect(site.log.errors).toEqual([])
    expect(await memory.listSessions(user?.id ?? '')).toEqual([])
  })
})

// `session.hashTokens`: a stored value cannot be used as a session token.

const HASHED = { session: { hashTokens: true } }

function hashOf(token: string): string {
  return `sha256:${createHash('sha256').update(token).digest('hex')}`
}

/** A site that enabled `hashTokens` while Ada was signed in. */
async function migrated(adapter: Adapter = MemoryAdapter()): Promise<DatabaseSite> {
  const before = await signedIn(op, { adapter })
  const after = databaseSite(op, { adapter, config: HASHED })
  after.tab.cookies.set(SESSION, cookieValue(before.tab))
  return after
}

describe('a session with hashTokens', () => {
  test('is stored under the hash of its token', async () => {
    const site = await signedIn(op, { config: HASHED })
    const token = cookieValue(site.tab)
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(await rowOf(site, token)).toBeNull()
    expect((await rowOf(site, hashOf(token)))?.user.email).toBe(ADA.email)
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test('is read with one call, extended, and ended', async () => {
    const site = await signedIn(op, { config: HASHED })
    const token = cookieValue(site.tab)
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser'])
    await pass(DAY)
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser', 'updateSession'])
    const expires = new Date(Date.now() + 30 * DAY * 1000)
    expect((await rowOf(site, hashOf(token)))?.session.expires).toEqual(expires)
    await site.tab.post('signout')
    expect(site.called()).toEqual(['deleteSession', 'deleteSession'])
    expect(await rowOf(site, hashOf(token))).toBeNull()
  })

  test('ends with the next sign-in in the same browser', async () => {
    const site = await signedIn(op, { config: HASHED })
    const token = cookieValue(site.tab)
    await site.tab.signIn('op')
    expect(await rowOf(site, hashOf(token))).toBeNull()
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test.each([true, false])(
    'cannot be used with the stored value, with hashTokens %s',
    async (hashTokens) => {
      const site = await signedIn(op, { config: HASHED })
      const stolen = hashOf(cookieValue(site.tab))
      const reader = databaseSite(op, {
        adapter: site.stored,
        config: { session: { hashTokens } },
      })
      for (const token of [stolen, stolen.slice('sha256:'.length)])
        expect((await readWith(`${SESSION}=${token}`, reader.config)).session).toBeNull()
      expect(await rowOf(site, stolen)).not.toBeNull()
    },
  )
})

describe('a session with a plain token', () => {
  test('is valid, and migrated to its hash', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    const old = await rowOf(site, token)
    const response = await site.tab.request('session')
    expect(await response.json()).toMatchObject({ user: ADA })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toEqual({
      ...old,
      session: { ...old?.session, sessionToken: hashOf(token) },
    })
    site.called()
    await site.tab.session()
    expect(site.called()).toEqual(['getSessionAndUser'])
  })

  test('keeps columns of the application, but not the primary key', async () => {
    const adapter = MemoryAdapter()
    const before = await signedIn(op, { adapter })
    const token = cookieValue(before.tab)
    const site = databaseSite(op, { adapter, config: HASHED })
    site.tab.cookies.set(SESSION, token)
    site.faults.getSessionAndUser = async (run) => {
      const row = await run()
      if (typeof row !== 'object' || row === null || !('session' in row)) return row
      return { ...row, session: { ...Object(row.session), id: 7, device: 'phone' } }
    }
    await site.tab.session()
    const created = site.calls.find(({ method }) => method === 'createSession')
    expect(created?.args[0]).toMatchObject({ device: 'phone', sessionToken: hashOf(token) })
    expect(created?.args[0]).not.toHaveProperty('id')
  })

  test('stays valid during concurrent reads', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    const cookie = `${SESSION}=${token}`
    const all = Array.from({ length: 20 }, () => readWith(cookie, site.config))
    for (const { session, headers } of await Promise.all(all)) {
      expect(session?.user).toEqual(ADA)
      expect(cookiesSetBy({ headers })).toEqual([])
    }
    expect(await rowOf(site, token)).toBeNull()
  })

  test('is found after a concurrent migration', async () => {
    const site = await migrated()
    const cookie = `${SESSION}=${cookieValue(site.tab)}`
    site.faults.getSessionAndUser = once(async (run) => {
      const row = await run()
      await readWith(cookie, site.config)
      return row
    })
    expect((await readWith(cookie, site.config)).session?.user).toEqual(ADA)
  })

  test('stays valid while the database is read-only', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    site.faults.createSession = down
    await pass(DAY)
    expect((await site.tab.session())?.expires).toBe(
      new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    )
    expect((await rowOf(site, token))?.session.expires).toEqual(
      new Date(Date.now() + 30 * DAY * 1000),
    )
    delete site.faults.createSession
    await site.tab.session()
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).not.toBeNull()
  })

  test('stays valid when the response of the database is lost', async () => {
    const site = await migrated()
    site.faults.createSession = once(lost)
    expect((await site.tab.session())?.user).toEqual(ADA)
    // The plain row has expired, and the next sign-out deletes the hashed one.
    const old = await rowOf(site, cookieValue(site.tab))
    expect(old?.session.expires.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await site.tab.session())?.user).toEqual(ADA)
    const cookie = `${SESSION}=${cookieValue(site.tab)}`
    await site.tab.post('signout')
    expect((await readWith(cookie, site.config)).session).toBeNull()
  })

  test('is deleted when it has expired', async () => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    await pass(30 * DAY)
    expect((await readWith(`${SESSION}=${token}`, site.config)).session).toBeNull()
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toBeNull()
    expect(site.called()).not.toContain('createSession')
  })

  test.each([
    ['signing out', (site: DatabaseSite) => site.tab.post('signout')],
    ['signing in again', (site: DatabaseSite) => site.tab.signIn('op')],
  ])('ends with %s, even if it was not read before', async (_name, act) => {
    const site = await migrated()
    const token = cookieValue(site.tab)
    await act(site)
    expect(await rowOf(site, token)).toBeNull()
    expect(await rowOf(site, hashOf(token))).toBeNull()
  })
})

// A session that the database stores after the sign-in was reported as failed.

async function sessionsOf({ stored }: Pick<DatabaseSite, 'stored'>): Promise<number> {
  const user = await stored.getUserByEmail?.(ADA.email)
  return ((await stored.listSessions?.(user?.id ?? '')) ?? []).length
}

describe('a session that is stored after the deadline', () => {
  test.each(['before', 'after'] as const)(
    'is deleted, because no browser holds it (held %s it is stored)',
    async (moment) => {
      const site = databaseSite(op)
      const transaction = await site.tab.begin('op')
      const held = hold(site, 'createSession', moment)
      const answer = transaction.complete()
      await held.reached
      await pass(5)
      expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
      expect(site.tab.cookies.get(SESSION)).toBeUndefined()
      held.release()
      await vi.waitFor(() => expect(site.called()).toContain('deleteSession'), { timeout: 20_000 })
      expect(await sessionsOf(site)).toBe(0)
      expect(errorTypes(site.log)).toEqual(['AdapterError'])
      await site.tab.signIn('op')
      expect(await site.tab.session()).not.toBeNull()
      expect(await sessionsOf(site)).toBe(1)
    },
  )

  test('is deleted by the token that the adapter chose', async () => {
    const memory = MemoryAdapter()
    const adapter = {
      ...memory,
      createSession: (session: Parameters<typeof memory.createSession>[0]) =>
        memory.createSession({ ...session, sessionToken: 'chosen-by-the-adapter' }),
    }
    const site = databaseSite(op, { adapter })
    const transaction = await site.tab.begin('op')
    const held = hold(site, 'createSession', 'after')
    const answer = transaction.complete()
    await held.reached
    await pass(5)
    await answer
    expect(await sessionsOf(site)).toBe(1)
    held.release()
    await vi.waitFor(async () => expect(await sessionsOf(site)).toBe(0), { timeout: 20_000 })
  })

  test('is deleted after a magic link, which can be used again', async () => {
    const memory = MemoryAdapter()
    const waiting: (() => void)[] = []
    const site = mailSite(
      { session: { strategy: 'database' } },
      {
        adapter: memory,
        methods: {
          async createSession(session: Parameters<typeof memory.createSession>[0]) {
            if (waiting.length === 0)
              await new Promise<void>((resolve) => void waiting.push(resolve))
            return memory.createSession(session)
          },
        },
      },
    )
    const tab = browser(site.config)
    const link = await requestLink(tab, site, ADA.email)
    const answer = click(tab, link)
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 20_000 })
    await pass(5)
    expect((await answer).headers.get('location')).toContain('error=TemporarilyUnavailable')
    for (const release of waiting) release()
    await vi.waitFor(
      () => expect(site.calls.map(({ method }) => method)).toContain('deleteSession'),
      { timeout: 20_000 },
    )
    expect(await sessionsOf({ stored: memory })).toBe(0)
    await click(tab, link)
    expect((await tab.session())?.user?.email).toBe(ADA.email)
  })

  test('is logged when it cannot be deleted', async () => {
    const site = databaseSite(op)
    const transaction = await site.tab.begin('op')
    const held = hold(site, 'createSession', 'after')
    const answer = transaction.complete()
    await held.reached
    await pass(5)
    await answer
    site.faults.deleteSession = () => Promise.reject(new Error('The database is down.'))
    held.release()
    await vi.waitFor(() => expect(errorTypes(site.log)).toEqual(['AdapterError', 'AdapterError']), {
      timeout: 20_000,
    })
  })
})

// Concurrent users: each receives only their own session.

describe.each(['with transactions', 'without transactions'])('with an adapter %s', (name) => {
  test('200 concurrent users each get their own session', async () => {
    const site = databaseSite(op, { adapter: ADAPTERS[name]?.() ?? {} })
    const names = Array.from({ length: 200 }, (_, index) => `user-${index}`)
    const seen = await Promise.all(
      names.map(async (sub) => {
        const tab = site.open()
        await tab.signIn('op', { sub, name: sub, email: `${sub}@example.com` })
        return (await tab.session())?.user?.name
      }),
    )
    expect(seen).toEqual(names)
    expect(site.log.errors).toEqual([])
    expect(site.calls.filter(({ method }) => method === 'createUser')).toHaveLength(200)
  })
})

test('a callback that is reloaded or sent twice signs in once', async () => {
  const { tab, calls, log } = databaseSite(op)
  const transaction = await tab.begin('op')
  const answer = await op.authorize(transaction.url)
  await transaction.comeBack(answer)
  const token = cookieValue(tab)
  const again = await transaction.comeBack(answer)
  expect(again.headers.get('location')).toBe(tab.origin)
  expect(cookieValue(tab)).toBe(token)
  expect(calls.filter(({ method }) => method === 'createSession')).toHaveLength(1)
  expect(log.errors).toEqual([])
})

test('a sign-out during a session read is final', async () => {
  const { tab, faults, stored } = databaseSite(op, {
    config: { session: { updateAge: 0 } },
  })
  await tab.signIn('op')
  const token = cookieValue(tab)
  let signOut: Promise<Response> | undefined
  faults.updateSession = async (run) => {
    signOut = tab.post('signout')
    await signOut
    return run()
  }
  await tab.request('session')
  expect((await signOut)?.status).toBe(302)
  expect(await stored.getSessionAndUser?.(token)).toBeNull()
  delete faults.updateSession
  tab.cookies.set(SESSION, token)
  expect(await tab.session()).toBeNull()
})

// Databases with numeric ids, dates as strings or numbers, or `undefined` for missing values.

const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }

/** How a database differs from the memory adapter. */
interface Dialect {
  readonly date: (date: Date) => unknown
  readonly none: null | undefined
  readonly ids: 'text' | 'numbers'
}

/** Converts every value in the arguments or the result of a method. */
function mapped(
  value: unknown,
  change: (key: string, value: unknown) => unknown,
  key = '',
): unknown {
  const changed = change(key, value)
  if (changed !== value || typeof value !== 'object' || value === null || value instanceof Date)
    return changed
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, change))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(each, change, name)]),
  )
}

/** The memory adapter with the values of a dialect. */
function withDialect({ date, none, ids }: Dialect): Adapter {
  const storedIds: string[] = []
  const isId = (key: string) => ids === 'numbers' && (key === 'id' || key === 'userId')
  const outward = (key: string, value: unknown): unknown => {
    if (value === null) return none
    if (value instanceof Date) return date(value)
    if (!isId(key) || typeof value !== 'string') return value
    if (!storedIds.includes(value)) storedIds.push(value)
    return storedIds.indexOf(value) + 1
  }
  const inward = (key: string, value: unknown): unknown =>
    isId(key) && /^\d+$/.test(String(value)) ? storedIds[Number(value) - 1] : value
  const { transaction: _none, ...memory } = MemoryAdapter()
  return new Proxy<Adapter>(memory, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        const key = name === 'getUser' || name === 'listAccounts' ? 'id' : ''
        const row: unknown = await Reflect.apply(
          method,
          target,
          args.map((each) => mapped(each, inward, key)),
        )
        return mapped(row, outward)
      }
    },
  })
}

const dialects: [string, Dialect][] = [
  ['dates as strings', { date: (date) => date.toISOString(), none: null, ids: 'text' }],
  ['dates as numbers', { date: (date) => date.getTime(), none: null, ids: 'text' }],
  ['undefined for null', { date: (date) => date, none: undefined, ids: 'text' }],
  ['numeric ids', { date: (date) => date, none: null, ids: 'numbers' }],
  ['all of these', { date: (date) => date.getTime(), none: undefined, ids: 'numbers' }],
]

describe.each(dialects)('with %s', (_name, dialect) => {
  const userId = dialect.ids === 'numbers' ? '1' : expect.stringMatching(/^[0-9a-f-]{36}$/)

  test('a user signs up, has a session that is extended, links an account, signs in again and signs out', async () => {
    const session = vi.fn<NonNullable<CallbacksOptions['session']>>(({ session: given }) => given)
    const site = databaseSite(op, {
      adapter: withDialect(dialect),
      provider: { trustEmail: true },
      config: { callbacks: { session } },
    })
    const { tab } = site
    await tab.signIn('op')
    expect(await tab.session()).toEqual({
      userId,
      user: { ...ADA, id: userId, emailVerified: verificationTime().toISOString() },
      expires: new Date(Date.now() + 30 * DAY * 1000).toISOString(),
    })
    expect(session.mock.lastCall?.[0].user).toMatchObject({
      id: userId,
      emailVerified: verificationTime(),
    })
    await pass(DAY)
    const later = new Date(Date.now() + 30 * DAY * 1000)
    expect((await tab.session())?.expires).toBe(later.toISOString())
    expect(tab.cookies.get(SESSION)?.expires).toBe(later.getTime())
    await tab.signIn('other', BOB)
    const elsewhere = site.open()
    await elsewhere.signIn('other', BOB)
    expect((await elsewhere.session())?.user?.name).toBe(ADA.name)
    const token = cookieValue(tab)
    await tab.post('signout')
    expect((await site.stored.getSessionAndUser?.(token)) ?? null).toBeNull()
    expect(site.log.errors).toEqual([])
  })

  test('an expired session is not valid', async () => {
    const { tab, called } = databaseSite(op, {
      adapter: withDialect(dialect),
      config: { session: { maxAge: 600 } },
    })
    await tab.signIn('op')
    const token = cookieValue(tab)
    await pass(600)
    tab.cookies.set(SESSION, token)
    called()
    expect(await tab.session()).toBeNull()
    expect(called()).toEqual(['getSessionAndUser', 'getSessionAndUser', 'deleteSession'])
  })

  test('ids are strings everywhere', async () => {
    const signIn = vi.fn<NonNullable<EventsOptions['signIn']>>()
    const { tab } = databaseSite(op, {
      adapter: withDialect(dialect),
      config: { events: { signIn }, session: { strategy: 'jwt' } },
    })
    await tab.signIn('op')
    expect(await claimsOf(tab)).toMatchObject({ sub: userId })
    expect(signIn.mock.lastCall?.[0]).toMatchObject({
      user: { id: userId },
      account: { userId, providerAccountId: 'ada' },
    })
  })
})

// Session tokens that the library, the application or the adapter generates.

describe('the token and expiry of a session', () => {
  test.each<[string, SessionOptions]>([
    ['a UUID', { generateSessionToken: () => 'b6ee33c1-9f0f-4b8b-8d3e-4a3f1f6ad4f5' }],
    ['characters that are not valid in cookies', { generateSessionToken: () => 'a; b="ü"' }],
  ])('has the token that generateSessionToken returns: %s', async (_name, session) => {
    const site = await signedIn(op, { config: { session } })
    expect(cookieValue(site.tab)).toBe(session.generateSessionToken?.())
    expect((await site.tab.session())?.user).toEqual(ADA)
  })

  test.each([
    ['an empty string', () => ''],
    ['a number', () => 7 as never],
    ['too many characters', () => 'a'.repeat(1025)],
  ])('is not created if generateSessionToken returns %s', async (_name, generateSessionToken) => {
    const { tab, log } = databaseSite(op, { config: { session: { generateSessionToken } } })
    const response = await tab.signIn('op')
    expect(response.headers.get('location')).toContain('/auth/error?error=Configuration')
    expect(log.errors[0]?.message).toContain('session.generateSessionToken did not return')
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('needs a shorter token with the option tokens, and the error names the options', async () => {
    const session = { generateSessionToken: () => 'a'.repeat(91) }
    const { tab, log } = databaseSite(op, { config: { session, tokens: {} } })
    await tab.signIn('op')
    expect(log.errors[0]?.message).toMatch(
      /1 to 90 characters\. The facts of the sign-in, which an option such as tokens /,
    )
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })

  test('has the token and the expiry that the adapter returns', async () => {
    const end = new Date(Date.now() + 29.5 * DAY * 1000)
    const { tab, faults, stored } = databaseSite(op)
    faults.createSession = async () => {
      const user = await stored.getUserByEmail?.(ADA.email)
      const row = { sessionToken: 'theirs', userId: user?.id ?? '', expires: end }
      return stored.createSession?.(row)
    }
    await tab.signIn('op')
    expect(cookieValue(tab)).toBe('theirs')
    expect(tab.cookies.get(SESSION)?.expires).toBe(end.getTime())
    expect((await tab.session())?.expires).toBe(end.toISOString())
  })

  test('is looked up once in each form, even if the browser sends its token repeatedly', async () => {
    const { config, called } = databaseSite(op)
    const token = 'a'.repeat(64)
    const names = [SESSION, SESSION, SESSION.replace('__Host-', '')]
    await readWith(names.map((name) => `${name}=${token}`).join('; '), config)
    expect(called()).toEqual(['getSessionAndUser', 'getSessionAndUser'])
  })

  test('has the proposed token and expiry if the adapter returns no row', async () => {
    const { tab, faults } = databaseSite(op)
    faults.createSession = async (run) => void (await run())
    await tab.signIn('op')
    expect((await tab.session())?.user).toEqual(ADA)
  })
})
