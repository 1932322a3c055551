import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import {
  transactionCookies,
  expectRefused,
  expectSignedIn,
  advanceDate,
  site,
  stopDate,
} from '../oauth.ts'
import type { SiteOptions } from '../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

const authorization = { params: { response_mode: 'form_post' } }

const formSite = (options: SiteOptions = {}) =>
  site(op, { provider: { authorization }, ...options })

/** Posts the form, as the page of the provider does. */
async function posted(on: ReturnType<typeof site>, change = (_form: URLSearchParams) => {}) {
  const transaction = await on.tab.begin('op', { callbackUrl: '/members' })
  const { form = new URLSearchParams() } = await op.authorize(transaction.url)
  on.secrets.add(form.get('code') ?? '')
  change(form)
  const request = { method: 'POST', form, initiator: 'cross-site' } as const
  return on.tab.request('callback/op', request)
}

async function afterwards(on: ReturnType<typeof site>, response: Response): Promise<Response> {
  const url = response.headers.get('location') ?? ''
  return on.tab.request(url, { initiator: 'cross-site' })
}

describe('an authorization response with form_post', () => {
  test('signs the user in', async () => {
    const on = formSite()
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(transactionCookies(on.tab)).toEqual([])
  })

  test('can be requested in the URL of the endpoint', async () => {
    const url = `${op.url}/authorize?response_mode=form_post`
    const on = formSite({ provider: { authorization: url } })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('needs one SameSite=None cookie and leaves the others unchanged', async () => {
    const on = formSite()
    await on.tab.begin('op')
    const kinds = on.tab.cookies.all().map(({ name, sameSite, secure, httpOnly }) => ({
      name: name.replace(/[0-9a-f]{8}$/, ''),
      sameSite,
      secure,
      httpOnly,
    }))
    const rest = { secure: true, httpOnly: true }
    expect(kinds).toHaveLength(2)
    expect(kinds).toContainEqual({ name: '__Host-lib.state.', sameSite: 'none', ...rest })
    expect(kinds).toContainEqual({ name: '__Host-lib.csrf-token', sameSite: 'lax', ...rest })
  })

  test('is redirected to this site without readable parameters', async () => {
    const on = formSite()
    const response = await posted(on)
    expect(response.status).toBe(303)
    const location = response.headers.get('location') ?? ''
    expect(location).toMatch(/^https:\/\/app\.test\/auth\/callback\/op\?form=[\w.-]+$/)
    expect([...on.secrets].filter((secret) => location.includes(secret))).toEqual([])
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(on.sent.filter(({ url }) => url.pathname === '/token')).toEqual([])
    await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
  })

  test('can contain an ID token, which is ignored', async () => {
    const on = formSite()
    const response = await posted(on, (form) => form.set('id_token', 'x'.repeat(8000)))
    await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
  })

  test('redirects to the sign-in page if it is an error', async () => {
    const on = formSite()
    const response = await posted(on, (form) => {
      form.delete('code')
      form.set('error', 'access_denied')
    })
    await expectRefused(on, await afterwards(on, response))
  })

  test.each([
    ['access_token', 'x'],
    ['response', 'x'],
    ['iss', 'https://evil.example'],
  ])('is rejected with a %s of %s', async (name, value) => {
    const on = formSite()
    const response = await posted(on, (form) => form.set(name, value))
    await expectRefused(on, await afterwards(on, response))
    expect(op.requests.token).toBe(0)
  })

  test('is rejected with a code that is too long', async () => {
    const on = formSite()
    const response = await posted(on, (form) => form.set('code', 'x'.repeat(4097)))
    expect(response.status).toBe(400)
    expect(op.requests.token).toBe(0)
  })

  test('expires after one minute', async () => {
    stopDate()
    const on = formSite()
    const response = await posted(on)
    advanceDate(60 + 16)
    await expect(afterwards(on, response)).resolves.toMatchObject({ status: 302 })
    expect(await on.tab.session()).toBeNull()
    expect(op.requests.token).toBe(0)
  })

  test('redirects again if it is reloaded later', async () => {
    stopDate()
    const on = formSite()
    const response = await posted(on)
    await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
    for (const seconds of [1, 3600]) {
      advanceDate(seconds)
      const again = await afterwards(on, response)
      expect(again.headers.get('location')).toBe('https://app.test/members')
    }
    expect(on.log.errors).toEqual([])
    expect(op.requests.token).toBe(1)
  })

  test('is rejected if another site forged it', async () => {
    const on = formSite()
    const { url } = await on.open().begin('op')
    const { form = new URLSearchParams() } = await op.authorize(url)
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    const response = await afterwards(on, await on.tab.request('callback/op', request))
    await expectRefused(on, response, { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })

  test('works on localhost without https, and leaves no cookie', async () => {
    const on = formSite({ browser: { origin: 'http://localhost:3000' } })
    const { tab } = on
    const transaction = await tab.begin('op')
    expect(tab.cookies.all().find(({ name }) => name.includes('lib.state.'))).toMatchObject({
      sameSite: 'none',
      secure: true,
    })
    await expectSignedIn(on, await transaction.complete())
    expect(transactionCookies(tab)).toEqual([])
  })
})
