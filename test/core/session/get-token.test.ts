/** `getToken()` accepts the tokens that `auth()` accepts, and no others. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getSession } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { encode, getToken } from '../../../src/jwt.ts'
import { encryptText, keyFor } from '../../../src/core/crypto/seal.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, SECRET } from '../../config.ts'
import { OLD_SECURE, oldCookie } from '../../cli/migrate-imports/next-auth-site.ts'
import { DAY, pass, readWith, cookieFor, SESSION, stopClock } from '../../sessions.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

const ADA = { sub: '1', name: 'Ada Lovelace' }
const OTHER_SECRET = 'a second secret for tests, long enough as well'

/** Whether `auth()` and `getToken()` accept the cookies. */
async function accepted(cookie: string, config: AuthConfig): Promise<[boolean, boolean]> {
  const { session } = await readWith(cookie, config)
  const token = await getToken({ req: { headers: { cookie } }, config })
  return [session !== null, token !== null]
}

describe('with the configuration, getToken and auth agree about', () => {
  test('absoluteMaxAge', async () => {
    const { config } = passwordConfig({ session: { absoluteMaxAge: DAY } })
    const tab = browser(config)
    await enter(tab)
    const cookie = `${SESSION}=${tab.cookies.get(SESSION)?.value ?? ''}`
    expect(await accepted(cookie, config)).toEqual([true, true])
    await pass(DAY + 60)
    expect(await accepted(cookie, config)).toEqual([false, false])
  })

  test('the secret, jwt.secret and a list of secrets', async () => {
    const own = await cookieFor(ADA)
    const other = await cookieFor(ADA, { secret: OTHER_SECRET })
    const { config } = passwordConfig()
    expect(await accepted(own, config)).toEqual([true, true])
    expect(await accepted(other, config)).toEqual([false, false])
    expect(await accepted(other, { ...config, jwt: { secret: OTHER_SECRET } })).toEqual([
      true,
      true,
    ])
    expect(await accepted(own, { ...config, jwt: { secret: OTHER_SECRET } })).toEqual([
      false,
      false,
    ])
    const both = { ...config, secret: [OTHER_SECRET, SECRET] }
    expect(await accepted(own, both)).toEqual([true, true])
  })

  test('the name of the cookie', async () => {
    const { config } = passwordConfig({ cookies: { sessionToken: { name: 'mine' } } })
    expect(await accepted(await cookieFor(ADA, { salt: 'mine' }), config)).toEqual([true, true])
    expect(await accepted(await cookieFor(ADA), config)).toEqual([false, false])
  })

  test('duplicates and chunks', async () => {
    const { config } = passwordConfig()
    const cookie = await cookieFor({ ...ADA, notes: 'n'.repeat(5000) })
    const chunks = (cookie.split('=')[1] ?? '').match(/.{1,3900}/g) ?? []
    const chunked = chunks.map((chunk, index) => `${SESSION}.${index}=${chunk}`)
    expect(await accepted(chunked.join('; '), config)).toEqual([true, true])
    expect(await accepted(`${SESSION}=garbage; ${chunked.join('; ')}`, config)).toEqual([
      true,
      true,
    ])
    expect(await accepted(chunked.slice(1).join('; '), config)).toEqual([false, false])
    expect(await accepted(chunked.slice(0, 1).join('; '), config)).toEqual([false, false])
  })

  test('migrateSessions', async () => {
    const { config } = passwordConfig({ migrateSessions: true, session: { absoluteMaxAge: DAY } })
    const cookie = await oldCookie(ADA)
    expect(await accepted(cookie, config)).toEqual([true, true])
    expect(await accepted(cookie, passwordConfig().config)).toEqual([false, false])
    await pass(DAY + 60)
    expect(await accepted(cookie, config)).toEqual([false, false])
  })

  test('tokens of next-auth with claims that only this library sets, which a browser has forged', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const now = Math.floor(Date.now() / 1000)
    const lib = { sid: 'x', startedAt: Date.now(), via: 'op', amr: ['mfa'], idle: DAY }
    const forged = [
      { lib: { ...lib, absolute: null, keep: true } },
      { lib: { sid: 'x' } },
      { verified_at_sign_in: true },
      { user_at_sign_in: true },
      { auth_time: now + DAY },
    ]
    for (const claims of forged)
      expect(await accepted(await oldCookie({ ...ADA, ...claims }), config)).toEqual([false, false])
    // Of the application, whose provider has a clock that is ahead.
    const own = { ...ADA, lib: { theme: 'dark' }, auth_time: now + 30 }
    expect(await accepted(await oldCookie(own), config)).toEqual([true, true])
  })

  test.each([
    ['the URL of an https Request', {}, 'https://app.test', {}, [null, null]],
    ['the URL of an http Request', {}, 'http://app.test', {}, ['Eve', 'Eve']],
    ['X-Forwarded-Proto', {}, 'http://app.test', { 'x-forwarded-proto': 'https' }, [null, null]],
    ['an https origin', { origin: 'https://app.test' }, 'http://10.0.0.1', {}, [null, null]],
    ['an http origin', { origin: 'http://app.test' }, 'https://app.test', {}, ['Eve', 'Eve']],
    ['useSecureCookies: true', { useSecureCookies: true }, 'http://app.test', {}, [null, null]],
    [
      'useSecureCookies: false',
      { useSecureCookies: false },
      'https://app.test',
      {},
      ['Eve', 'Eve'],
    ],
  ])('a plain cookie, by %s', async (_what, overrides, url, headers, names) => {
    const { config } = passwordConfig(overrides)
    const cookie = await cookieFor({ sub: '2', name: 'Eve' }, { salt: 'lib.session-token' })
    const req = new Request(url, { headers: { ...headers, cookie } })
    const { session } = await getSession(req, config)
    const token = await getToken({ req, config })
    expect([session?.user?.name ?? null, token?.name ?? null]).toEqual(names)
    expect(await getToken({ req, config, secureCookie: false })).toMatchObject({ name: 'Eve' })
    expect(await getToken({ req, config, cookieName: 'lib.session-token' })).not.toBeNull()
  })

  test('a token under the key of this library in a next-auth cookie', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const cookie = await cookieFor(ADA, { salt: OLD_SECURE })
    expect(await accepted(cookie, config)).toEqual([false, false])
  })

  test('a token without exp', async () => {
    const { config } = passwordConfig()
    const key = await keyFor(SECRET, SESSION)
    const cookie = `${SESSION}=${await encryptText(key, JSON.stringify(ADA))}`
    expect(await accepted(cookie, config)).toEqual([false, false])
  })

  test('a decode function', async () => {
    const decode = vi.fn(() => null)
    const { config } = passwordConfig({ jwt: { decode } })
    expect(await accepted(await cookieFor(ADA), config)).toEqual([false, false])
    expect(decode).toHaveBeenCalledTimes(2)
  })
})

describe('without the configuration', () => {
  test('session.absoluteMaxAge ends a session', async () => {
    const cookie = await cookieFor(ADA, { maxAge: 10 * DAY })
    const req = { headers: { cookie } }
    const session = { absoluteMaxAge: DAY }
    expect(await getToken({ req, secret: SECRET, session })).toMatchObject(ADA)
    await pass(DAY + 60)
    expect(await getToken({ req, secret: SECRET, session })).toBeNull()
    expect(await getToken({ req, secret: SECRET })).toMatchObject(ADA)
  })

  test('absoluteMaxAge counts from the sign-in, and not from the last extension', async () => {
    const signedIn = Math.floor(Date.now() / 1000) - DAY
    const token = await encode({
      token: { ...ADA, auth_time: signedIn },
      secret: SECRET,
      salt: SESSION,
    })
    const req = { headers: { cookie: `${SESSION}=${token}` } }
    const read = (absoluteMaxAge: number) =>
      getToken({ req, secret: SECRET, session: { absoluteMaxAge } })
    expect(await read(DAY)).toBeNull()
    expect(await read(DAY + 60)).not.toBeNull()
  })

  test('parameters take precedence over the configuration', async () => {
    const { config } = passwordConfig({ migrateSessions: true })
    const req = { headers: { cookie: await oldCookie(ADA) } }
    expect(await getToken({ req, config })).toMatchObject(ADA)
    expect(await getToken({ req, config, migrateSessions: false })).toBeNull()
    expect(await getToken({ req, config, secret: OTHER_SECRET })).toBeNull()
  })
})
