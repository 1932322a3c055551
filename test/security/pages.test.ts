import { describe, expect, test } from 'vitest'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig } from '../config.ts'
import { open, ORIGIN, policyOf, send, recordingConfig } from './recording-config.ts'

/** Every page, including errors that are shown in place. */
const PAGES: [string, number][] = [
  ['signin', 200],
  ['signin?error=CredentialsSignin', 200],
  ['signin/op', 200],
  ['signout', 200],
  ['error', 200],
  ['error?error=AccessDenied', 403],
  ['error?error=Configuration', 500],
  ['nothing', 404],
  ['signin/absent', 404],
  ['signin?code=1&code=2', 400],
  ['callback/op?code=1&code=2', 400],
  ['callback/password', 405],
]

const nonceOf = (response: Response) => policyOf(response)['style-src']?.match(/nonce-([^']+)/)?.[1]

describe('every page', () => {
  test.each(PAGES)('cannot be framed, stored, sniffed or scripted: %s', async (route, status) => {
    const [response, html] = await open(recordingConfig().config, route)
    expect(response.status).toBe(status)
    const isCallback = route.startsWith('callback')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: 'Cookie',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': isCallback ? 'no-referrer' : 'same-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
    })
    const { 'form-action': forms = 'anywhere', ...policy } = policyOf(response)
    expect(policy).toEqual({
      'default-src': "'none'",
      'style-src': `'nonce-${nonceOf(response) ?? ''}'`,
      'img-src': "'self' data:",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(forms).toBe(html.includes('<form') ? 'anywhere' : "'none'")
    expect(html).toMatch(/^<!doctype html>\s*<html lang="en">/)
    // The empty icon needs no request.
    expect(html.match(/<link[^>]*>/gi)).toEqual(['<link rel="icon" href="data:," />'])
    expect(html).not.toMatch(/<script|<iframe|<object|<base|\son\w+=|\sstyle=|javascript:/i)
  })

  test.each(PAGES)('loads nothing from other hosts: %s', async (route) => {
    const [, html] = await open(recordingConfig().config, route)
    expect(html).not.toMatch(/\ssrc=|srcset|url\(|@import|@font-face|http-equiv/)
    const urls = [...html.matchAll(/https?:\/\/[^"'\s<]+/g)].map(([url]) => new URL(url).origin)
    expect(new Set([...urls, ORIGIN])).toEqual(new Set([ORIGIN]))
  })

  test.each(PAGES)('has a style sheet that only its own policy allows: %s', async (route) => {
    const { config } = recordingConfig()
    const [first, html] = await open(config, route)
    const [second] = await open(config, route)
    const nonce = nonceOf(first) ?? ''
    expect(nonce).toMatch(/^[\w-]{22,}$/)
    expect([...html.matchAll(/<style([^>]*)>/g)].map(([, given]) => given)).toEqual([
      ` nonce="${nonce}"`,
    ])
    expect(nonceOf(second)).not.toBe(nonce)
  })
})

describe('untrusted text', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'`&lt;'

  test.each(['signin', 'signout', 'error', 'signin/op'])(
    'of the query is not part of the page: %s',
    async (route) => {
      const query = new URLSearchParams({
        error: HOSTILE,
        code: HOSTILE,
        callbackUrl: `/${HOSTILE}`,
        email: HOSTILE,
      })
      const [response, html] = await open(
        passwordConfig().config,
        `${route.replace('/op', '')}?${query}`,
      )
      expect(response.status).toBe(200)
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>|`/)
    },
  )

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '<script>', ''])(
    'of the query that is a property name of JavaScript is an unknown error: %s',
    async (error) => {
      const { config } = passwordConfig()
      const query = new URLSearchParams({ error })
      const [page, text] = await open(config, `error?${query}`)
      expect(page.status).toBe(200)
      expect(text).toContain('An unexpected error occurred. Go back and try again.')
      const [, signIn] = await open(config, `signin?${query}`)
      if (error) expect(signIn).toContain('Unable to sign in. Try again.')
      else expect(signIn).not.toContain('role="alert"')
      expect(text + signIn).not.toContain('function')
    },
  )

  test('of the configuration is escaped', async () => {
    const fields = { 'a"><script>': { label: HOSTILE, placeholder: HOSTILE, onfocus: 'alert(1)' } }
    const { config } = passwordConfig({}, { name: HOSTILE, credentials: fields })
    const [, html] = await open(config, 'signin')
    expect(html).not.toMatch(/<script|<img|onfocus/)
    expect(html).toContain(
      '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;`&amp;lt;',
    )
  })
})

describe('a private response', () => {
  test.each(['session', 'csrf', 'providers', 'signin', 'nothing'])(
    'is not cached, and not readable by another site: %s',
    async (route) => {
      const { config } = recordingConfig()
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const headers = { origin: 'https://evil.test', 'access-control-request-method': 'GET' }
        const { headers: given } = await send(config, `/auth/${route}`, { method, headers })
        expect(given.get('cache-control')).toBe('private, no-store')
        expect(given.get('vary')).toBe('Cookie')
        expect([...given.keys()].join()).not.toContain('access-control')
        expect(JSON.stringify([...given])).not.toContain('evil.test')
      }
    },
  )

  test('is not cached if it sets a cookie', async () => {
    const op = await issuer()
    const { providers = [] } = passwordConfig().config
    const { config } = configFor(op, { providers: [oidc(op), ...providers] })
    const tab = browser(config, { issuer: op })
    const csrfToken = await tab.csrfToken()
    const answers = [
      await tab.request('signin?callbackUrl=/a'),
      await tab.post('signin/op'),
      await tab.signIn('op'),
      await enter(tab),
      await tab.request('session', { method: 'POST', json: { csrfToken: await tab.csrfToken() } }),
      await tab.post('signout'),
      await tab.request('callback/op?code=x&state=y'),
      await tab.request('signout', { method: 'POST', form: { csrfToken } }),
    ]
    for (const { headers } of answers)
      expect(headers.get('cache-control')).toBe('private, no-store')
    const setting = answers.filter(({ headers }) => headers.getSetCookie().length > 0)
    expect(setting.length).toBeGreaterThanOrEqual(5)
  })
})

describe('the callback of a provider', () => {
  test('redirects to a URL without the code, and hides the code from the Referer', async () => {
    const op = await issuer()
    const { config } = configFor(op)
    const tab = browser(config, { issuer: op })
    const good = await tab.signIn('op')
    const again = await tab.request('callback/op?code=secret&state=unknown')
    const preview = await tab.request('callback/op?code=secret', { method: 'HEAD' })
    const twice = await tab.request('callback/op?code=secret&code=other')
    expect([good, again, preview, twice].map(({ status }) => status)).toEqual([302, 302, 200, 400])
    for (const { headers } of [good, again, preview, twice]) {
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('location') ?? '').not.toMatch(/code=secret|state=/)
    }
  })
})
