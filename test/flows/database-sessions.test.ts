import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionOptions } from '../../src/config/types.ts'
import { getSession } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, ADAPTERS, databaseSite, rowOf, signedIn } from '../database.ts'
import { DAY, pass, readWith, SESSION, stopClock, cookieValue, cookiesSetBy } from '../sessions.ts'

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
