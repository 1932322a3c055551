import { describe, expect, test } from 'vitest'
import { createActionURL } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig } from '../../config.ts'
import { cookiesSetBy } from '../../sessions.ts'

const op = await issuer()

describe('the route', () => {
  test('providers lists the providers with their URLs, in the configured order', async () => {
    const { config } = passwordConfig()
    const providers = [oidc(op), ...(config.providers ?? []), oidc(op, { id: 'b', name: 'B' })]
    const response = await browser({ ...config, providers }).request('providers')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.getSetCookie()).toEqual([])
    const body = (await response.json()) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(['op', 'password', 'b'])
    expect(body['op']).toEqual({
      id: 'op',
      name: 'Test OP',
      type: 'oidc',
      signinUrl: 'https://app.test/auth/signin/op',
      callbackUrl: 'https://app.test/auth/callback/op',
    })
    expect(body['password']).toEqual({
      id: 'password',
      name: 'Password',
      type: 'credentials',
      signinUrl: 'https://app.test/auth/signin/password',
      callbackUrl: 'https://app.test/auth/callback/password',
    })
  })

  test('csrf returns a token with its cookie, and is not cached', async () => {
    const response = await browser(passwordConfig().config).request('csrf')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(await response.json()).toEqual({ csrfToken: expect.stringMatching(/^.{32,}$/) })
    expect(cookiesSetBy(response)).toEqual(['__Host-lib.csrf-token'])
  })

  test.each(['signin', 'signin/op', 'signin/password'])(
    '%s shows every provider, and starts no sign-in',
    async (route) => {
      const { config } = passwordConfig()
      const tab = browser({ ...config, providers: [oidc(op), ...(config.providers ?? [])] })
      const response = await tab.request(route)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const text = await response.text()
      expect(text).toContain('action="https://app.test/auth/signin/op"')
      expect(text).toContain('action="https://app.test/auth/callback/password"')
      expect(tab.cookies.all().filter(({ name }) => name.includes('state'))).toEqual([])
    },
  )

  test('signin without a provider redirects a form to the page, and stores the callbackUrl', async () => {
    const tab = browser(passwordConfig().config)
    const response = await tab.post('signin', { callbackUrl: '/members' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('https://app.test/auth/signin')
    expect((await enter(tab)).headers.get('location')).toBe('https://app.test/members')
  })

  test('signout asks for a confirmation, and ends the session when its form is submitted', async () => {
    const tab = browser(passwordConfig().config)
    await enter(tab)
    const page = await tab.request('signout')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('action="https://app.test/auth/signout"')
    expect(await tab.session()).not.toBeNull()
    const left = await tab.post('signout', { callbackUrl: '/bye' })
    expect([left.status, left.headers.get('location')]).toEqual([302, 'https://app.test/bye'])
    expect(await tab.session()).toBeNull()
  })

  test('verify-request asks the user to check the mailbox', async () => {
    const response = await browser(passwordConfig().config).request('verify-request?type=email')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const text = await response.text()
    expect(text).toMatch(/<h1>[^<]*mail[^<]*<\/h1>/i)
    expect(text).toContain('href="https://app.test"')
  })

  test('verify-request redirects to the page of the application with its query', async () => {
    const { config } = passwordConfig({ pages: { verifyRequest: '/sent?lang=de' } })
    const response = await browser(config).request('verify-request?provider=email&type=email')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe(
      'https://app.test/sent?lang=de&provider=email&type=email',
    )
  })
})

describe('a script that cannot follow redirects', () => {
  const headers = { 'x-auth-return-redirect': '1', accept: '*/*' }

  test('receives the URL of the provider, and the redirect after signing in and out', async () => {
    const { config } = configFor(op)
    const tab = browser({
      ...config,
      providers: [oidc(op), ...(passwordConfig().config.providers ?? [])],
    })
    const send = async (route: string, fields: Record<string, string>) => {
      const form = { csrfToken: await tab.csrfToken(), ...fields }
      const response = await tab.request(route, { method: 'POST', form, headers })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      return (await response.json()) as unknown
    }
    expect(await send('signin/op', {})).toEqual({
      url: expect.stringMatching(/^https:\/\/issuer\.test\/authorize\?/),
    })
    const credentials = { username: 'ada', password: 'correct horse battery staple' }
    expect(await send('callback/password', { ...credentials, callbackUrl: '/in' })).toEqual({
      url: 'https://app.test/in',
    })
    expect(await tab.session()).not.toBeNull()
    expect(await send('signout', { callbackUrl: '/out' })).toEqual({ url: 'https://app.test/out' })
    expect(await tab.session()).toBeNull()
  })
})

describe('a base path that is percent-encoded in URLs', () => {
  test.each(['/über', '/%C3%BCber', '/meine seite/auth'])(
    'serves sign-in, session and sign-out: %s',
    async (basePath) => {
      const { config } = configFor(op, { basePath })
      const tab = browser(config, { issuer: op, basePath })
      const page = await tab.request('signin')
      expect(page.status).toBe(200)
      const { pathname } = new URL(basePath, tab.origin)
      expect(await page.text()).toContain(`action="https://app.test${pathname}/signin/op"`)
      expect((await tab.signIn('op')).status).toBe(302)
      expect(await tab.session()).not.toBeNull()
      await tab.post('signout')
      expect(await tab.session()).toBeNull()
    },
  )

  test('is read from AUTH_URL', () => {
    const config = { basePath: '/über' }
    const env = { AUTH_URL: 'https://app.test/über' }
    const url = createActionURL('session', 'https', new Headers(), env, config)
    expect(url.href).toBe('https://app.test/%C3%BCber/session')
  })
})
