import { describe, expect, test, vi } from 'vitest'
import { nextSite, ORIGIN, SESSION } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'

/** Whether the user is authenticated. */
const signedIn: NonNullable<LibConfig['callbacks']> = {
  authorized: ({ auth }) => Boolean(auth?.user),
}

/** URL of the sign-in page with this return URL. */
const signInUrl = (path: string, page = '/api/auth/signin') =>
  `${page}?callbackUrl=${encodeURIComponent(ORIGIN + path)}`

/** Both uses of `auth` in the proxy. */
const forms: [string, (site: NextSite) => Parameters<NextSite['proxy']>[0]][] = [
  ['as the proxy', (site) => site.auth],
  ['around a handler', (site) => site.auth(() => undefined)],
]

describe.each(forms)('auth %s', (_form, proxyOf) => {
  const pass = (site: NextSite, ...rest: [string, object?]) => site.proxy(proxyOf(site), ...rest)

  test('passes an authenticated request on without setting a cookie', async () => {
    const site = nextSite({ callbacks: signedIn })
    await site.signInGrace()
    const { response, page } = await pass(site, '/page')
    expect(response.status).toBe(200)
    expect(page?.get('cookie')).toContain(SESSION)
    expect(site.set).toEqual([])
    expect(response.headers.has('cache-control')).toBe(false)
  })

  test('passes every request on without an authorized callback, and sets no cookie', async () => {
    const site = nextSite()
    const { response, page } = await pass(site, '/page')
    expect(page).toBeDefined()
    expect([...response.headers.keys()]).toEqual(['x-middleware-next'])
  })

  test('redirects to the sign-in page and back, without caching', async () => {
    const site = nextSite({ callbacks: signedIn })
    const { response, page } = await pass(site, '/page?x=1&y=a%2Fb')
    expect(page).toBeUndefined()
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toBe(signInUrl('/page?x=1&y=a%2Fb'))
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  })

  test.each([
    ['GET', {}, 307],
    ['GET', { 'sec-fetch-dest': 'document', accept: 'text/html' }, 307],
    ['GET', { 'sec-fetch-dest': 'iframe' }, 307],
    ['HEAD', {}, 307],
    ['POST', { 'sec-fetch-dest': 'document' }, 303],
    ['PUT', {}, 303],
    ['GET', { 'sec-fetch-dest': 'empty' }, 401],
    ['GET', { 'sec-fetch-dest': 'image' }, 401],
    ['POST', { 'next-action': 'abc' }, 401],
    ['GET', { accept: 'application/json' }, 401],
    ['GET', { accept: 'text/html, application/json' }, 307],
  ])('responds to %s with %o with %d', async (method, headers, status) => {
    const site = nextSite({ callbacks: signedIn })
    const { response, page } = await pass(site, '/page', { method, headers })
    expect(page).toBeUndefined()
    expect(response.status).toBe(status)
    expect(response.headers.has('location')).toBe(status !== 401)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  })

  test('responds with a message that Next shows for a failed server action', async () => {
    const site = nextSite({ callbacks: signedIn })
    const headers = { 'next-action': 'abc' }
    const { response } = await pass(site, '/page', { method: 'POST', headers })
    expect(response.status).toBe(401)
    // Next shows the text of this type only, spelled exactly so.
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('Sign in first.')
  })

  test.each([
    '/api/auth/signin',
    '/api/auth/signin/',
    '/api/auth/callback/op?code=1',
    '/api/auth/session',
  ])('does not protect %s', async (path) => {
    const site = nextSite({ callbacks: signedIn })
    expect((await pass(site, path)).page).toBeDefined()
  })

  test.each([
    '/api/auth',
    '/api/auth/profile',
    '/api/authors',
    '/API/auth/signin',
    '/api/auth/signin/op/x',
    '/api/auth//signin',
    '//api/auth/signin',
    // Equivalent or malformed spellings of public paths (RFC 3986 §6.2.2.2).
    '/api/auth/%73ignin',
    '/%61pi/auth/session',
    '/api/auth%2Fsignin',
    '/api/auth/signin%2F..%2Fpage',
    '/api/auth/signin.',
    '/api/auth/callback/..%2f..%2fadmin',
    '/api/auth/callback/..%2F..%2Fadmin',
    '/api/auth/callback/..%5c..%5cadmin',
    '/api/auth/signin/%2e%2e%2fadmin',
    '/api/auth/signin;x',
  ])('protects %s', async (path) => {
    const site = nextSite({ callbacks: signedIn })
    expect((await pass(site, path)).page).toBeUndefined()
  })

  test('protects pages when the routes are at the root', async () => {
    const site = nextSite({ callbacks: signedIn, basePath: '/' })
    expect((await pass(site, '/page')).page).toBeUndefined()
    expect((await pass(site, '/signin')).page).toBeDefined()
  })

  test.each([
    ['/login', '/login'],
    ['/login', '/login/'],
    ['/login/', '/login'],
    ['/login?from=app', '/login?callbackUrl=x'],
  ])('redirects to pages.signIn (%s) and does not protect %s', async (signIn, path) => {
    const site = nextSite({ callbacks: signedIn, pages: { signIn } })
    expect((await pass(site, path)).page).toBeDefined()
    const { response } = await pass(site, '/page')
    const url = new URL(response.headers.get('location') ?? '', ORIGIN)
    expect(url.pathname).toBe(new URL(signIn, ORIGIN).pathname)
    expect(url.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/page`)
    expect(url.searchParams.get('from')).toBe(signIn.includes('?') ? 'app' : null)
  })

  test.each(['//login', '/Login', '/%6Cogin', '/login.', '/login%2F', '/login//', '/login/x'])(
    'does not treat %s as the sign-in page',
    async (path) => {
      const site = nextSite({ callbacks: signedIn, pages: { signIn: '/login' } })
      expect((await pass(site, path)).page).toBeUndefined()
    },
  )

  test('redirects from another spelling of the sign-in page to that page, without a loop', async () => {
    const site = nextSite({ callbacks: signedIn, pages: { signIn: '/login' } })
    const { response } = await pass(site, '/%6Cogin?x=1')
    const location = response.headers.get('location') ?? ''
    expect(location).toBe(signInUrl('/%6Cogin?x=1', '/login'))
    expect((await pass(site, location)).page).toBeDefined()
  })

  test('redirects to a sign-in page on another origin, and protects the same path here', async () => {
    const signIn = 'https://login.test/start?app=1'
    const site = nextSite({ callbacks: signedIn, pages: { signIn } })
    const { response, page } = await pass(site, '/start')
    expect(page).toBeUndefined()
    expect(response.headers.get('location')).toBe(signInUrl('/start', signIn).replace('1?', '1&'))
  })

  test('responds with 503 when the session cannot be read', async () => {
    const site = nextSite({ callbacks: { session: () => Promise.reject(new Error('Down.')) } })
    await site.signInGrace()
    const { response, page } = await pass(site, '/page')
    expect(page).toBeUndefined()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(site.cookies.get(SESSION)).toBeDefined()
  })

  test('responds with 500 for an invalid configuration', async () => {
    vi.stubEnv('AUTH_SECRET', '')
    const site = nextSite({ secret: undefined })
    const { response, page } = await pass(site, '/page')
    vi.unstubAllEnvs()
    expect(page).toBeUndefined()
    expect(response.status).toBe(500)
  })

  test('throws the error of authorized', async () => {
    const authorized = () => Promise.reject(new Error('Not today.'))
    const site = nextSite({ callbacks: { authorized } })
    await expect(pass(site, '/page')).rejects.toThrow('Not today.')
  })
})
