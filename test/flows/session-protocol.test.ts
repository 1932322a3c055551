/** Session cookies when nothing states the protocol of a request: `getSession(headers)` without a URL. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Auth, getSession } from '../../src/index.ts'
import { getToken } from '../../src/jwt.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import { DAY, pass, cookieFor, SESSION, stopClock, cookiesSetBy } from '../sessions.ts'

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
