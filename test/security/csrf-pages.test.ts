/** The origin of a form, and the lifetime of its CSRF token. */
import { describe, expect, test } from 'vitest'
import { Auth, skipCSRFCheck } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, SECRET, TYPED } from '../config.ts'
import {
  cookieHeader,
  CSRF_COOKIE,
  expectRefusal,
  expectSuccess,
  ORIGIN,
  PROTECTED,
  send,
  signedIn,
  site,
} from './forms.ts'

describe('a form, by the origin in its request headers,', () => {
  test.each<[string, Record<string, string>]>([
    ['none, as from a command line', {}],
    ['our origin', { origin: ORIGIN }],
    ['same-origin', { 'sec-fetch-site': 'same-origin', origin: ORIGIN }],
    ['none, for a URL that the user entered', { 'sec-fetch-site': 'none' }],
    // A page sent with `Referrer-Policy: no-referrer`.
    ['same-origin, and no origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    // Behind a proxy that terminates TLS, the origin of the request differs.
    [
      'same-origin, and the origin outside',
      { 'sec-fetch-site': 'same-origin', origin: 'http://a' },
    ],
  ])('is accepted: %s', async (_what, headers) => {
    for (const [route, fields] of PROTECTED) {
      const at = site()
      const { tab, csrfToken } = await signedIn(at)
      const form = { cookie: cookieHeader(tab), fields: { ...fields, csrfToken }, headers }
      await expectSuccess(at, route, form)
    }
  })

  test.each<[string, Record<string, string>]>([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['cross-site, with our origin', { 'sec-fetch-site': 'cross-site', origin: ORIGIN }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['the origin of another site', { origin: 'https://evil.test' }],
    ['the origin of a sibling domain', { origin: 'https://blog.app.test' }],
    ['our host on plain http', { origin: 'http://app.test' }],
    ['our host on another port', { origin: 'https://app.test:8443' }],
    ['a host that begins like ours', { origin: 'https://app.test.evil.test' }],
    ['no origin at all', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['two origins', { origin: `${ORIGIN}, https://evil.test` }],
  ])('is rejected despite a valid token: %s', async (_what, headers) => {
    for (const [route, fields] of PROTECTED) {
      const at = site()
      const { tab, csrfToken } = await signedIn(at)
      const form = { cookie: cookieHeader(tab), fields: { ...fields, csrfToken }, headers }
      await expectRefusal(at, route, form)
    }
  })

  test('is rejected with a planted token and cookie (login CSRF)', async () => {
    const at = site()
    const attacker = browser(at.config)
    const csrfToken = await attacker.csrfToken()
    const cookie = cookieHeader(attacker)
    const fields = { ...TYPED, username: 'mallory', csrfToken }
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }])
      await expectRefusal(at, 'callback/password', { cookie, fields, headers })
  })
})

test('pages have a referrer policy with which browsers send Origin with their forms', async () => {
  const tab = browser(site().config)
  for (const page of ['signin', 'signout'])
    expect((await tab.request(page)).headers.get('referrer-policy')).toBe('same-origin')
})

test.each(['csrf', 'session'])('forbids other sites to read %s', async (route) => {
  const at = site()
  const { tab } = await signedIn(at)
  for (const headers of [
    { origin: 'https://evil.test', cookie: cookieHeader(tab) },
    { origin: 'null', 'access-control-request-method': 'GET' },
  ]) {
    const get = await Auth(new Request(`${ORIGIN}/auth/${route}`, { headers }), at.config)
    const options = { method: 'OPTIONS', headers }
    const preflight = await Auth(new Request(`${ORIGIN}/auth/${route}`, options), at.config)
    const names = [...get.headers.keys(), ...preflight.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(get.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

describe('the lifetime of a CSRF token', () => {
  test('keeps the token of a browser, and sets its cookie once', async () => {
    const tab = browser(site().config)
    const first = await tab.request('csrf')
    expect(first.headers.getSetCookie()).toHaveLength(1)
    const second = await tab.request('csrf')
    expect(second.headers.getSetCookie()).toEqual([])
    expect(await second.json()).toEqual(await first.json())
  })

  test.each([
    ['in', (tab: ReturnType<typeof browser>) => enter(tab)],
    ['out', (tab: ReturnType<typeof browser>) => tab.post('signout')],
  ])('ends with signing %s: a new token is set, and the old pair is rejected', async (way, act) => {
    const at = site()
    const tab = browser(at.config)
    if (way === 'out') await enter(tab)
    const csrfToken = await tab.csrfToken()
    const old = tab.cookies.get(CSRF_COOKIE)?.value
    const response = await act(tab)
    expect(response.headers.getSetCookie().join()).toContain(`${CSRF_COOKIE}=`)
    expect(await tab.csrfToken()).not.toBe(csrfToken)
    at.effects.length = 0
    for (const cookie of [cookieHeader(tab), cookieHeader(tab, old)])
      await expectRefusal(at, 'signout', { cookie, fields: { csrfToken } })
  })

  test('accepts a page that was opened before a sign-in or sign-out in another tab', async () => {
    const at = site()
    const tab = browser(at.config)
    const before = await tab.csrfToken()
    await enter(tab)
    const during = await tab.csrfToken()
    const form = (csrfToken: string) => ({ method: 'POST', form: { csrfToken } }) as const
    expect((await tab.request('signout', form(before))).headers.get('location')).toBe(ORIGIN)
    expect(await tab.session()).toBeNull()
    const late = await tab.request('callback/password', {
      method: 'POST',
      form: { ...TYPED, csrfToken: during },
    })
    expect(late.headers.get('location')).toBe(ORIGIN)
    expect(await tab.session()).toMatchObject({ user: { name: 'ada' } })
  })

  test('rejects such a page without Sec-Fetch-Site, a signed token or a cookie', async () => {
    const at = site()
    const before = await browser(at.config).csrfToken()
    const { tab } = await signedIn(at)
    const cookie = cookieHeader(tab)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const fields = { csrfToken: before }
    await expectRefusal(at, 'signout', { cookie, fields })
    await expectRefusal(at, 'signout', { cookie, fields, headers: { origin: ORIGIN } })
    await expectRefusal(at, 'signout', { cookie: cookieHeader(tab, ''), fields, headers })
    for (const csrfToken of ['ab'.repeat(32), before.toUpperCase(), before.slice(1), `${before}0`])
      await expectRefusal(at, 'signout', { cookie, fields: { csrfToken }, headers })
    await expectSuccess(at, 'signout', { cookie, fields, headers })
  })
})

describe('key rotation', () => {
  const OLD = SECRET
  const NEW = 'another secret for tests, long enough for each check'
  const sites = () => ({
    old: site(),
    both: site({ secret: [NEW, OLD] }),
    fresh: site({ secret: NEW }),
  })

  test('accepts pages that were loaded before it', async () => {
    const { old, both, fresh } = sites()
    const { tab, csrfToken } = await signedIn(old)
    const form = { cookie: cookieHeader(tab), fields: { csrfToken } }
    await expectRefusal(fresh, 'signout', form)
    await expectSuccess(both, 'signout', form)
  })

  test('signs tokens of new pages with the new secret', async () => {
    const { old, both, fresh } = sites()
    const { tab, csrfToken } = await signedIn(both)
    const form = { cookie: cookieHeader(tab), fields: { csrfToken } }
    await expectRefusal(old, 'signout', form)
    await expectSuccess(fresh, 'signout', form)
  })
})

describe('skipCSRFCheck', () => {
  const off = (value: unknown) => site({ skipCSRFCheck: value } as Partial<AuthConfig>)

  test('disables the check and the tokens', async () => {
    for (const [route, fields] of PROTECTED) {
      const at = off(skipCSRFCheck)
      const tab = browser(at.config)
      await tab.request('callback/password', { method: 'POST', form: TYPED })
      expect(await tab.session()).not.toBeNull()
      expect(tab.cookies.get(CSRF_COOKIE)).toBeUndefined()
      at.effects.length = 0
      await expectSuccess(at, route, { cookie: cookieHeader(tab), fields })
    }
    const at = off(skipCSRFCheck)
    const tab = browser(at.config)
    expect((await tab.request('csrf')).status).toBe(404)
    expect(await tab.csrfToken()).toBe('')
    expect((await tab.post('callback/password', TYPED)).headers.get('location')).toBe(tab.origin)
    expect(at.log.lines).toContainEqual(['warn', 'csrf-disabled', expect.any(String)])
    expect(await (await tab.request('signin')).text()).not.toContain('csrfToken')
  })

  test.each([
    ['true', true],
    ['its name', 'lib-auth.skipCSRFCheck'],
    ['a symbol of the same name', Symbol('lib-auth.skipCSRFCheck')],
    ['a registered symbol of the same name', Symbol.for('lib-auth.skipCSRFCheck')],
    ['JSON', JSON.parse('{"skipCSRFCheck":true}')],
  ])('is ignored if it is %s', async (_what, value) => {
    const at = off(value)
    const { tab } = await signedIn(at)
    const response = await send(at, 'signout', { cookie: cookieHeader(tab), fields: {} })
    expect(response.headers.get('location')).toContain('error=MissingCSRF')
    expect(at.effects).toEqual([])
  })
})
