import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import {
  DAY,
  pass,
  readWith,
  cookieFor,
  SESSION,
  stopClock,
  claimsOf,
  cookieValue,
  cookiesSetBy,
} from '../sessions.ts'

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
    await pass(DAY)
    const response = await tab.request('session')
    expect(await response.json()).toBeNull()
    expect(cookiesSetBy(response)).toEqual([`-${SESSION}`])
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
