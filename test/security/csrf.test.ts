/** Forms without a CSRF token, with the token of another browser, and with a forged token. */
import { createHash } from 'node:crypto'
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

describe.each(PROTECTED)('POST %s', (route, fields) => {
  test('accepts a token with its cookie, from any client', async () => {
    const at = site()
    const { tab, csrfToken } = await signedIn(at)
    const form = { cookie: cookieHeader(tab), fields: { ...fields, csrfToken } }
    await expectSuccess(at, route, form)
  })

  test('rejects a request without a token', async () => {
    const at = site()
    const { tab } = await signedIn(at)
    const cookie = cookieHeader(tab)
    await expectRefusal(at, route, { cookie, fields })
    await expectRefusal(at, route, { cookie, fields: { ...fields, csrfToken: '' } })
  })

  test('rejects a token without the cookie, signed in or signed out', async () => {
    const at = site()
    const { tab, csrfToken } = await signedIn(at)
    for (const cookie of [cookieHeader(tab, ''), ''])
      await expectRefusal(at, route, { cookie, fields: { ...fields, csrfToken } })
  })

  test('rejects the token of another browser', async () => {
    const at = site()
    const { tab } = await signedIn(at)
    const csrfToken = await browser(at.config).csrfToken()
    await expectRefusal(at, route, { cookie: cookieHeader(tab), fields: { ...fields, csrfToken } })
  })

  test('ignores a token in the query or in headers', async () => {
    const at = site()
    const { tab, csrfToken } = await signedIn(at)
    const headers = { 'x-csrf-token': csrfToken, 'csrf-token': csrfToken }
    const form = { cookie: cookieHeader(tab), fields, headers }
    await expectRefusal(at, `${route}?csrfToken=${csrfToken}`, form)
  })

  test.each(['["TOKEN"]', '{"token":"TOKEN"}', '1', 'true', 'null'])(
    'rejects %s as a token',
    async (value) => {
      const at = site()
      const { tab, csrfToken } = await signedIn(at)
      const sent: unknown = JSON.parse(value.replace('TOKEN', csrfToken))
      const headers = { cookie: cookieHeader(tab), 'content-type': 'application/json' }
      const body = JSON.stringify({ ...fields, csrfToken: sent })
      const request = new Request(`${ORIGIN}/auth/${route}`, { method: 'POST', headers, body })
      expect((await Auth(request, at.config)).status).toBe(403)
      expect(at.effects).toEqual([])
    },
  )

  test('returns the URL of the error page to a client that requests JSON', async () => {
    const at = site()
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await send(at, route, { cookie: '', fields, headers })
    const body: unknown = await response.json()
    if (route === 'session') expect(body).toMatchObject({ error: 'MissingCSRF' })
    else expect(body).toEqual({ url: `${ORIGIN}/auth/signin?error=MissingCSRF` })
    expect(at.effects).toEqual([])
  })
})

test('prevents login CSRF with the credentials of an attacker', async () => {
  const at = site()
  const tab = browser(at.config)
  const attacker = await signedIn(at, 'mallory')
  const fields = { username: 'mallory', password: 'x', csrfToken: attacker.csrfToken }
  const cookie = cookieHeader(tab)
  await expectRefusal(at, 'callback/password', { cookie, fields })
  const planted = attacker.tab.cookies.get(CSRF_COOKIE)?.value
  await expectRefusal(at, 'callback/password', { cookie: cookieHeader(tab, planted), fields })
  expect(await tab.session()).toBeNull()
})

describe('a forged CSRF cookie', () => {
  const token = 'ab'.repeat(32)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

  test.each([
    ['without a code', token],
    ['with an empty code', `${token}|`],
    ['with another code', `${token}|${'cd'.repeat(32)}`],
    ['with a hash that needs no secret', `${token}|${sha256(token)}`],
    ['with a hash over token and secret', `${token}|${sha256(token + SECRET)}`],
    ['with a code twice', `${token}|${token}|${token}`],
    ['of separators', '|'.repeat(100)],
    ['of five kilobytes', `${token}|${'a'.repeat(5000)}`],
    ['of one character', 'a'],
  ])('is rejected: %s', async (_what, value) => {
    const at = site()
    const { tab } = await signedIn(at)
    const cookie = cookieHeader(tab, encodeURIComponent(value))
    await expectRefusal(at, 'signout', { cookie, fields: { csrfToken: token } })
    // The browser receives a valid one instead.
    const page = await Auth(new Request(`${ORIGIN}/auth/csrf`, { headers: { cookie } }), at.config)
    expect(page.headers.getSetCookie().join()).toContain(`${CSRF_COOKIE}=`)
  })

  test.each(['first', 'last'])('does not replace a valid one when it is sent %s', async (place) => {
    const at = site()
    const { tab, csrfToken } = await signedIn(at)
    const good = cookieHeader(tab)
    const bad = `${CSRF_COOKIE}=planted`
    const cookie = place === 'first' ? `${bad}; ${good}` : `${good}; ${bad}`
    await expectSuccess(at, 'signout', { cookie, fields: { csrfToken } })
  })

  test('is rejected with the signature of another token', async () => {
    const at = site()
    const { tab, csrfToken } = await signedIn(at)
    const own = decodeURIComponent(tab.cookies.get(CSRF_COOKIE)?.value ?? '')
    const other = await browser(at.config).csrfToken()
    const cookie = cookieHeader(tab, encodeURIComponent(own.replace(csrfToken, other)))
    await expectRefusal(at, 'signout', { cookie, fields: { csrfToken: other } })
  })
})

describe('a token and cookie from the browser of an attacker', () => {
  test.each(['signed out', 'signed in'])(
    'are rejected in the browser of another user (attacker %s)',
    async (state) => {
      const at = site()
      const attacker =
        state === 'signed in' ? (await signedIn(at, 'mallory')).tab : browser(at.config)
      const csrfToken = await attacker.csrfToken()
      const planted = attacker.cookies.get(CSRF_COOKIE)?.value
      expect(planted).toBeDefined()
      const { tab } = await signedIn(at)
      const form = { cookie: cookieHeader(tab, planted), fields: { csrfToken } }
      await expectRefusal(at, 'signout', form)
    },
  )

  test('are rejected over plain http, where an attacker on the network can set cookies', async () => {
    const at = site()
    const options = { origin: 'http://app.test' }
    const [attacker, tab] = [browser(at.config, options), browser(at.config, options)]
    await enter(tab)
    at.effects.length = 0
    const csrfToken = await attacker.csrfToken()
    tab.cookies.set('lib.csrf-token', attacker.cookies.get('lib.csrf-token')?.value ?? '')
    // Browsers send Sec-Fetch-Site over trustworthy connections only, and old ones no Origin.
    const headers = {
      cookie: tab.cookies.header({
        url: new URL(options.origin),
        method: 'GET',
        initiator: 'same-site',
      }),
    }
    const body = new URLSearchParams({ csrfToken })
    const request = new Request(`${options.origin}/auth/signout`, { method: 'POST', headers, body })
    expect((await Auth(request, at.config)).headers.get('location')).toContain('error=MissingCSRF')
    expect(at.effects).toEqual([])
  })
})

test('logs a rejected request once, without any token', async () => {
  const at = site()
  const { tab, csrfToken } = await signedIn(at)
  await send(at, 'signout', { cookie: cookieHeader(tab, ''), fields: { csrfToken } })
  expect(at.log.errors).toMatchObject([{ type: 'MissingCSRF' }])
  expect(`${at.log.errors[0]?.message}`).not.toContain(csrfToken.slice(0, 16))
})

// The origin of a form, and the lifetime of its CSRF token.

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
