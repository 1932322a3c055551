import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { attempts, expectRefused, expectSignedIn, jump, site, stopDate } from '../oauth.ts'
import type { SiteOptions } from '../oauth.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

const authorization = { params: { response_mode: 'form_post' } }

const formSite = (options: SiteOptions = {}) =>
  site(op, { provider: { authorization }, ...options })

/** What the page of the provider does: posts the form. */
async function posted(on: ReturnType<typeof site>, change = (_form: URLSearchParams) => {}) {
  const attempt = await on.tab.begin('op', { callbackUrl: '/members' })
  const { form = new URLSearchParams() } = await op.authorize(attempt.url)
  on.secrets.add(form.get('code') ?? '')
  change(form)
  const request = { method: 'POST', form, initiator: 'cross-site' } as const
  return on.tab.request('callback/op', request)
}

async function afterwards(on: ReturnType<typeof site>, response: Response): Promise<Response> {
  const url = response.headers.get('location') ?? ''
  return on.tab.request(url, { initiator: 'cross-site' })
}

describe('an answer that is posted as a form', () => {
  // Covers: route.post-callback-oauth, oauth.form-post
  test('signs somebody in', async () => {
    const on = formSite()
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(attempts(on.tab)).toEqual([])
  })

  test('may be asked for in the URL of the provider', async () => {
    const url = `${op.url}/authorize?response_mode=form_post`
    const on = formSite({ provider: { authorization: url } })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('needs one cookie that other sites may send, and the others stay as they are', async () => {
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

  test('is answered with another request of our own, which shows nothing of it', async () => {
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

  test('may carry an ID token, which is not taken', async () => {
    const on = formSite()
    const response = await posted(on, (form) => form.set('id_token', 'x'.repeat(8000)))
    await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
  })

  test('that is an error leads to the sign-in page', async () => {
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
  ])('with a %s of %s signs nobody in', async (name, value) => {
    const on = formSite()
    const response = await posted(on, (form) => form.set(name, value))
    await expectRefused(on, await afterwards(on, response))
    expect(op.requests.token).toBe(0)
  })

  test('with a code that is too long is refused', async () => {
    const on = formSite()
    const response = await posted(on, (form) => form.set('code', 'x'.repeat(4097)))
    expect(response.status).toBe(400)
    expect(op.requests.token).toBe(0)
  })

  test('is good for a minute', async () => {
    stopDate()
    const on = formSite()
    const response = await posted(on)
    jump(60 + 16)
    await expect(afterwards(on, response)).resolves.toMatchObject({ status: 302 })
    expect(await on.tab.session()).toBeNull()
    expect(op.requests.token).toBe(0)
  })

  test('and is loaded again, even much later, leads to where it led', async () => {
    stopDate()
    const on = formSite()
    const response = await posted(on)
    await expectSignedIn(on, await afterwards(on, response), 'https://app.test/members')
    for (const seconds of [1, 3600]) {
      jump(seconds)
      const again = await afterwards(on, response)
      expect(again.headers.get('location')).toBe('https://app.test/members')
    }
    expect(on.log.errors).toEqual([])
    expect(op.requests.token).toBe(1)
  })

  test('that another site makes up signs nobody in', async () => {
    const on = formSite()
    const { url } = await on.open().begin('op')
    const { form = new URLSearchParams() } = await op.authorize(url)
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    const response = await afterwards(on, await on.tab.request('callback/op', request))
    await expectRefused(on, response, { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })

  test('works on this machine without https, and leaves no cookie behind', async () => {
    const on = formSite({ browser: { origin: 'http://localhost:3000' } })
    const { tab } = on
    const attempt = await tab.begin('op')
    expect(tab.cookies.all().find(({ name }) => name.includes('lib.state.'))).toMatchObject({
      sameSite: 'none',
      secure: true,
    })
    await expectSignedIn(on, await attempt.complete())
    expect(attempts(tab)).toEqual([])
  })
})
