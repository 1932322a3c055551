import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import type { LifetimeFacts, SessionLifetime } from '../../src/core/config/types.ts'
import { ClientFetchError, createClient } from '../../src/browser/client/index.ts'
import type { Client } from '../../src/browser/client/index.ts'
import { mailProvider, wrongCode } from '../email.ts'
import { op, submitted, ORIGIN, login, siteConfig, unusable, visit } from '../frameworks/site.ts'
import type { Visit } from '../frameworks/site.ts'

let site: Visit

beforeEach(() => {
  const { config } = siteConfig()
  site = visit(config)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('signing in', () => {
  test('redirects to the provider with the parameters and returns to the current page', async () => {
    await site.client.signIn('op', undefined, { login_hint: 'ada@example.com' })
    const url = new URL(site.visited[0] ?? '')
    expect(url.origin).toBe(op.url)
    expect(url.searchParams.get('login_hint')).toBe('ada@example.com')
    const answer = await op.authorize(url)
    const response = await site.page.tab.request(answer.url, { initiator: 'cross-site' })
    expect(response.headers.get('location')).toBe(`${ORIGIN}/welcome?tab=2`)
    expect(await site.client.getSession()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test('with redirect: false returns the URL of the provider and stays on the page', async () => {
    const result = await site.client.signIn('op', { redirect: false })
    expect(result).toEqual({
      error: undefined,
      code: undefined,
      status: 200,
      ok: true,
      url: expect.stringMatching(/^https:\/\/issuer\.test\//) as string,
    })
    expect(site.visited).toEqual([])
  })

  test.each<[string, { remember?: boolean }, boolean | undefined]>([
    ['true', { remember: true }, true],
    ['false', { remember: false }, false],
    ['nothing', {}, undefined],
  ])('sends %s for remember, and not to authorize', async (_what, options, expected) => {
    const lifetime = vi.fn<(facts: LifetimeFacts) => SessionLifetime>(() => ({}))
    const { client } = visit(siteConfig({ session: { lifetime } }).config)
    await client.signIn('credentials', { ...login, ...options, redirect: false })
    expect(lifetime).toHaveBeenLastCalledWith(expect.objectContaining({ remember: expected }))
    expect(submitted.last).toEqual(login)
  })

  test.each<[string, string | undefined]>([
    ['no provider', undefined],
    ['an unknown provider', 'gitlab'],
    ['the name of an Object.prototype property', 'constructor'],
  ])('with %s redirects to the sign-in page', async (_what, provider) => {
    const target = encodeURIComponent(`${ORIGIN}/welcome?tab=2`)
    const url = `/api/auth/signin?callbackUrl=${target}`
    await site.client.signIn(provider)
    expect(site.visited).toEqual([url])
    const result = await site.client.signIn(provider, { redirect: false })
    expect(result).toEqual({ error: undefined, code: undefined, status: 200, ok: true, url })
    expect(site.visited).toHaveLength(1)
  })

  test.each([
    ['right', { error: undefined, code: undefined, status: 200, ok: true, url: `${ORIGIN}/home` }],
    [
      'wrong',
      { error: 'CredentialsSignin', code: 'credentials', status: 200, ok: true, url: null },
    ],
    ['locked', { error: 'CredentialsSignin', code: 'locked', status: 200, ok: true, url: null }],
    ['broken', { error: 'Configuration', code: undefined, status: 200, ok: true, url: null }],
  ])('with the %s password returns the result', async (password, result) => {
    const options = { username: 'grace', password, redirectTo: '/home', redirect: false }
    expect(await site.client.signIn('credentials', options)).toEqual(result)
    expect(site.visited).toEqual([])
  })

  test.each([
    ['is invalid', 'ada@', { code: 'invalid_address' }],
    ['cannot be reached', 'ada@example.com', { code: undefined }],
  ])(
    'by e-mail returns an error for a rejected address: one that %s',
    async (_what, email, code) => {
      const sendVerificationRequest = () => Promise.reject(new Error('No route to the host.'))
      const { config } = siteConfig({
        providers: [mailProvider([], { sendVerificationRequest })],
        adapter: MemoryAdapter(),
      })
      const result = await visit(config).client.signIn('email', { email, redirect: false })
      expect(result).toEqual({
        error: 'EmailSignInError',
        status: 200,
        ok: true,
        url: null,
        ...code,
      })
    },
  )

  test('with a code from an e-mail signs in where the request was made, after a wrong one', async () => {
    const mails: VerificationRequest[] = []
    const { config } = siteConfig({
      providers: [mailProvider(mails, { method: 'code' })],
      adapter: MemoryAdapter(),
    })
    const { client } = visit(config)
    const request = { email: 'ada@example.com', redirectTo: '/board', redirect: false }
    await client.signIn('email', request)
    const code = mails[0]?.code ?? ''
    const wrong = await client.signIn('email', { code: wrongCode(code), redirect: false })
    expect(wrong).toMatchObject({ error: 'Verification', code: 'invalid_code', url: null })
    const result = await client.signIn('email', { code, redirect: false })
    expect(result).toMatchObject({ error: undefined, url: `${ORIGIN}/board` })
    expect(await client.getSession()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test.each([
    ['right', `${ORIGIN}/home`],
    ['wrong', `${ORIGIN}/api/auth/signin?error=CredentialsSignin&code=credentials`],
  ])('with the %s password redirects to %s', async (password, url) => {
    await site.client.signIn('credentials', { username: 'grace', password, callbackUrl: '/home' })
    expect(site.visited).toEqual([url])
  })

  test.each([
    ['?tab=2&error=CredentialsSignin&code=locked', '?tab=2'],
    ['?error=OAuthCallbackError', ''],
    ['?code=invitation', '?code=invitation'],
  ])('removes the error of an earlier sign-in, %s, from the return URL', async (search, left) => {
    const { location } = globalThis
    location.href = `${ORIGIN}/welcome${search}`
    const result = await site.client.signIn('credentials', { ...login, redirect: false })
    const url = `${ORIGIN}/welcome${left}`
    expect(result).toEqual({ error: undefined, code: undefined, status: 200, ok: true, url })
    expect(await site.client.signOut({ redirect: false })).toEqual({ url })
  })

  test('accepts a form and its redirect field', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...login, redirectTo: '/home' }))
      form.set(name, value)
    await site.client.signIn('credentials', form)
    expect(site.visited).toEqual([`${ORIGIN}/home`])
    form.set('redirect', 'false')
    expect(await site.client.signIn('credentials', form)).toMatchObject({ url: `${ORIGIN}/home` })
    expect(site.visited).toHaveLength(1)
  })

  test('sends other options as text fields', async () => {
    await site.client.signIn('credentials', {
      ...login,
      redirect: false,
      code: undefined,
      device: null,
      attempt: 2,
      remember: true,
      from: new URL('https://app.test/a'),
      choices: ['a'],
      picture: new Blob(['?']),
    })
    expect(submitted.last).toEqual({
      ...login,
      attempt: '2',
      remember: 'true',
      from: 'https://app.test/a',
      choices: '["a"]',
    })
  })

  test.each([
    ['an error', unusable.error, 500],
    ['a 400 without an error', () => Response.json(null, { status: 400 }), 400],
    ['not JSON', unusable.html, 200],
    ['missing', unusable.networkError, 0],
  ])('returns an error when any response is %s', async (_w, answer, status) => {
    for (const step of ['GET providers', 'GET csrf', 'POST callback/credentials']) {
      site.page.intercept = (route) => (route === step ? answer() : undefined)
      const result = await site.client.signIn('credentials', {
        ...login,
        redirect: false,
      })
      expect(result).toEqual({
        error: 'Configuration',
        code: undefined,
        status,
        ok: false,
        url: null,
      })
      expect(site.visited).toEqual([])
      await site.client.signIn('credentials', login)
      expect(site.visited.splice(0)).toEqual(['/api/auth/error?error=Configuration'])
    }
  })

  test('accepts a URL without an origin', async () => {
    site.page.intercept = (route) =>
      route.startsWith('POST') ? Response.json({ url: '/home' }) : undefined
    const result = await site.client.signIn('credentials', { ...login, redirect: false })
    expect(result.url).toBe(`${ORIGIN}/home`)
  })

  test('reloads the page only when the target differs in its fragment alone', async () => {
    await site.client.signIn('credentials', {
      ...login,
      redirectTo: '/welcome?tab=2#top',
    })
    expect(site.visited).toEqual([`${ORIGIN}/welcome?tab=2#top`, 'reload'])
    await site.client.signIn('credentials', { ...login, redirectTo: '/home#top' })
    expect(site.visited.slice(2)).toEqual([`${ORIGIN}/home#top`])
  })

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['getSession', (client) => client.getSession()],
    ['getCsrfToken', (client) => client.getCsrfToken()],
    ['getProviders', (client) => client.getProviders()],
    ['signIn', (client) => client.signIn('credentials', login)],
    ['signOut', (client) => client.signOut()],
    ['update', (client) => client.update({})],
  ])('%s outside a browser throws an error that names baseUrl', async (_name, call) => {
    vi.stubGlobal('location', undefined)
    vi.stubGlobal('fetch', site.page.fetch)
    const answer: unknown = await call(createClient()).catch((error: unknown) => error)
    expect(answer).toBeInstanceOf(ClientFetchError)
    expect(String(answer)).toContain("createClient({ baseUrl: 'https://your.site' })")
    expect(site.page.requests).toEqual([])
  })

  test.each([
    [null, '(got null)'],
    ['/home', '(got string)'],
  ])('rejects the options %j', async (options, message) => {
    for (const call of [
      site.client.signOut(options as never),
      site.client.signIn('credentials', options as never),
    ])
      await expect(call).rejects.toThrow(message)
    expect(site.page.requests).toEqual([])
  })

  test('works outside a browser without redirecting', async () => {
    vi.stubGlobal('location', undefined)
    const server = createClient({ fetch: site.page.fetch, baseUrl: ORIGIN })
    const result = await server.signIn('credentials', login)
    expect(result).toMatchObject({ error: undefined, url: ORIGIN + '/' })
  })
})
