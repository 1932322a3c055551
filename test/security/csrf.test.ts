/** Forms without a CSRF token, with the token of another browser, and with a forged token. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { enter, SECRET } from '../config.ts'
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
