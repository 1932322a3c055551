import { describe, expect, test, vi } from 'vitest'
import { NextRequest, NextResponse, nextSite, ORIGIN, SESSION } from './next/next-site.ts'
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

const grace = { user: { name: 'Grace Hopper' } }

describe('the authorized callback', () => {
  test('receives the request and the session', async () => {
    const seen: unknown[] = []
    const site = nextSite({
      callbacks: {
        authorized({ request, auth }) {
          seen.push(request.nextUrl.pathname, auth)
          return true
        },
      },
    })
    await site.proxy(site.auth, '/page')
    await site.signInGrace()
    await site.proxy(site.auth, '/other')
    const { expires } = seen[3] as { expires: string }
    expect(seen).toEqual(['/page', null, '/other', { ...grace, expires }])
  })

  test.each([false, undefined, null])('rejects the request if it returns %o', async (answer) => {
    const site = nextSite({ callbacks: { authorized: () => answer } })
    expect((await site.proxy(site.auth, '/page')).page).toBeUndefined()
  })

  test.each([
    ['/docs/secret', false],
    ['/docs/%73ecret', false],
    ['/docs%2Fsecret', false],
    ['/docs/x%2F..%2Fsecret', false],
    ['/docs%5Csecret', false],
    ['/d%6Fcs/secret', false],
    ['/docs/%73ecret%2Fplan', false],
    ['/docs/public', true],
    ['/docs/%70ublic', true],
    ['/docs/a%20b%3F%C3%A9', true],
    ['/docs/100%', true],
    // Only the application would decode this twice.
    ['/docs/%2573ecret', true],
  ])('applies to %s in every encoding: %o', async (path, isOpen) => {
    const authorized = ({ request: { nextUrl, url, headers } }: { request: NextRequest }) =>
      !nextUrl.pathname.startsWith('/docs/secret') &&
      !new URL(url).pathname.startsWith('/docs/secret') &&
      headers.get('host') === 'app.test'
    const site = nextSite({ callbacks: { authorized } })
    const { page } = await site.proxy(site.auth, path)
    expect(page !== undefined).toBe(isOpen)
  })

  test.each([
    ['', '/docs/secret', '/docs/secret/', false],
    ['', '/docs/secret', '/docs/%73ecret/', false],
    ['', '/docs/secret', '/docs/secret%2F', false],
    ['', '/docs/secret/', '/docs/secret', true],
    ['1', '/docs/secret/', '/docs/secret', false],
    ['1', '/docs/secret/', '/docs/secret/', false],
    ['1', '/docs/secret/', '/docs/%73ecret', false],
    ['1', '/logo.png/', '/logo.png', true],
    ['1', '/docs/secret', '/docs/secret/', true],
  ])(
    'with trailingSlash %o, the rule for %s applies to %s: %o',
    async (trailingSlash, rule, path, isOpen) => {
      vi.stubEnv('__NEXT_TRAILING_SLASH', trailingSlash)
      const authorized = ({ request: { nextUrl } }: { request: NextRequest }) =>
        nextUrl.pathname !== rule
      const site = nextSite({ callbacks: { authorized } })
      const { page } = await site.proxy(site.auth, path)
      expect(page !== undefined).toBe(isOpen)
      vi.unstubAllEnvs()
    },
  )

  test.each(['/docs/secret', '/docs/%73ecret', '/d%6Fcs/secre%74'])(
    'applies to %s when it passes requests with a response',
    async (path) => {
      const authorized = ({ request: { nextUrl } }: { request: NextRequest }) =>
        !nextUrl.pathname.startsWith('/docs/secret') && NextResponse.next()
      const site = nextSite({ callbacks: { authorized } })
      expect((await site.proxy(site.auth, path)).page).toBeUndefined()
      expect((await site.proxy(site.auth, '/docs/public')).page).toBeDefined()
    },
  )

  test.each(['/docs/secret', '/docs/%73ecret', '/d%6Fcs/secre%74'])(
    'a path rule of a handler applies to %s',
    async (path) => {
      const site = nextSite()
      const secret = (pathname: string) =>
        pathname.startsWith('/docs/secret') ? new Response('no', { status: 403 }) : undefined
      const rules = [
        site.auth(({ nextUrl }) => secret(nextUrl.pathname)),
        site.auth(({ url }) => secret(new URL(url).pathname)),
      ]
      for (const rule of rules) {
        const { response } = await site.proxy(rule as never, `${path}?x=%61`)
        expect(response.status).toBe(403)
      }
    },
  )

  test.each(['/page', '/caf%C3%A9', '/a%20b'])('is called once for %s', async (path) => {
    const authorized = vi.fn<() => true>(() => true)
    const site = nextSite({ callbacks: { authorized } })
    await site.proxy(site.auth, path)
    expect(authorized).toHaveBeenCalledTimes(1)
  })

  test('can return a response instead of the page and the handler', async () => {
    const authorized = () => Response.json({ error: 'Payment required' }, { status: 402 })
    const site = nextSite({ callbacks: { authorized }, session: { updateAge: 0 } })
    await site.signInGrace()
    const handler = vi.fn<() => undefined>()
    for (const proxy of [site.auth, site.auth(handler) as never]) {
      const { response } = await site.proxy(proxy, '/page')
      expect(response.status).toBe(402)
      expect(await response.json()).toEqual({ error: 'Payment required' })
      expect(site.set).toHaveLength(1)
    }
    expect(handler).not.toHaveBeenCalled()
  })

  test('can rewrite, and the page receives the changed cookies', async () => {
    const authorized = () => NextResponse.rewrite(`${ORIGIN}/de/page`)
    const site = nextSite({ callbacks: { authorized }, session: { updateAge: 0 } })
    await site.signInGrace()
    const { response, page } = await site.proxy(site.auth, '/page')
    expect(response.headers.get('x-middleware-rewrite')).toBe(`${ORIGIN}/de/page`)
    expect(response.headers.has('x-middleware-next')).toBe(false)
    expect(page?.get('cookie')).toContain(`${SESSION}=${site.cookies.get(SESSION)?.value}`)
  })

  test.each(['/welcome', `${ORIGIN}/welcome`])('can redirect to %s', async (location) => {
    const authorized = () => new Response(null, { status: 302, headers: { location } })
    const site = nextSite({ callbacks: { authorized } })
    const { response } = await site.proxy(site.auth, '/page')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/welcome'])
  })

  test.each(['/login', '/login?again=1', `${ORIGIN}/login`])(
    'cannot redirect from the sign-in page to itself by %s',
    async (location) => {
      const authorized = () => new Response(null, { status: 302, headers: { location } })
      const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
      expect((await site.proxy(site.auth, '/login?callbackUrl=%2F')).page).toBeDefined()
      expect((await site.proxy(site.auth, '/page')).response.status).toBe(302)
    },
  )

  test.each(['error', 'verifyRequest', 'newUser'])(
    'cannot redirect from pages.%s to itself',
    async (name) => {
      const authorized = () => Response.redirect(`${ORIGIN}/oops`)
      const site = nextSite({ callbacks: { authorized }, pages: { [name]: '/oops' } })
      expect((await site.proxy(site.auth, '/oops?error=x')).page).toBeDefined()
      expect((await site.proxy(site.auth, '/page')).response.status).toBe(302)
    },
  )

  test.each([
    ['redirect', { location: '/login' }],
    ['rewrite', { 'x-middleware-rewrite': `${ORIGIN}/login` }],
  ])('cannot block the sign-in with a %s', async (_kind, headers) => {
    const authorized = () => new Response(null, { status: 307, headers })
    const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
    for (const path of ['session', 'csrf', 'callback/op?code=1&state=2', 'signin/op'])
      expect((await site.proxy(site.auth, `/api/auth/${path}`)).response.headers).toEqual(
        new Headers({ 'x-middleware-next': '1' }),
      )
  })

  test('can respond instead of a built-in route, as a rate limit does', async () => {
    const authorized = () => new Response('Too many', { status: 429 })
    const site = nextSite({ callbacks: { authorized } })
    expect((await site.proxy(site.auth, '/api/auth/signin')).response.status).toBe(429)
  })

  test('can redirect away from the sign-in page', async () => {
    const authorized = () => Response.redirect(`${ORIGIN}/home`)
    const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
    const { response } = await site.proxy(site.auth, '/login')
    expect(response.headers.get('location')).toBe('/home')
  })
})

describe('the path of the application', () => {
  const nextConfig = { basePath: '/app' }

  test.each([
    [{}, '/app/api/auth/signin'],
    [{ pages: { signIn: '/login' } }, '/app/login'],
    [{ pages: { signIn: '/app/login' } }, '/app/login'],
    [{ basePath: '/app/api/auth' }, '/app/api/auth/signin'],
  ])('with a basePath and %o, the sign-in page is %s', async (config, signIn) => {
    const site = nextSite({ callbacks: signedIn, ...config })
    const { response } = await site.proxy(site.auth, '/app/page', { nextConfig })
    const url = new URL(response.headers.get('location') ?? '', ORIGIN)
    expect(url.pathname).toBe(signIn)
    expect(url.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/app/page`)
    expect((await site.proxy(site.auth, signIn, { nextConfig })).page).toBeDefined()
    const route = '/app/api/auth/callback/op'
    expect((await site.proxy(site.auth, route, { nextConfig })).page).toBeDefined()
  })

  test('with a basePath, authorized receives paths without it', async () => {
    const paths: string[] = []
    const authorized = ({ request }: { request: NextRequest }) => {
      paths.push(request.nextUrl.pathname)
      return true
    }
    const site = nextSite({ callbacks: { authorized }, origin: 'https://public.test' })
    await site.proxy(site.auth, '/app/page', { nextConfig })
    expect(paths).toEqual(['/page'])
  })

  describe('in several languages', () => {
    const languages = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } }

    test.each([
      ['/page', {}, '/api/auth/signin'],
      ['/de/page', {}, '/api/auth/signin'],
      ['/page', { signIn: '/login' }, '/login'],
      ['/de/page', { signIn: '/login' }, '/de/login'],
      ['/de/page', { signIn: '/login/' }, '/de/login/'],
      ['/de', { signIn: '/login' }, '/de/login'],
      // Next leaves out the name of the first language itself.
      ['/de/page', { signIn: '/en/login' }, '/login'],
      ['/page', { signIn: '/de/login' }, '/de/login'],
      ['/de/page', { signIn: 'https://login.test/start' }, 'https://login.test/start'],
    ])('%s with pages %o redirects to %s and back, without a loop', async (path, pages, signIn) => {
      for (const mount of ['', '/app']) {
        const below = { nextConfig: { ...languages, ...(mount && { basePath: mount }) } }
        const site = nextSite({ callbacks: signedIn, pages })
        const { response } = await site.proxy(site.auth, mount + path, below)
        const url = new URL(response.headers.get('location') ?? '', ORIGIN)
        const target = url.origin === ORIGIN ? url.pathname : url.origin + url.pathname
        expect(target).toBe(signIn.startsWith('/') ? mount + signIn : signIn)
        expect(url.searchParams.get('callbackUrl')).toBe(ORIGIN + mount + path)
        if (url.origin !== ORIGIN) continue
        const there = await site.proxy(site.auth, url.pathname + url.search, below)
        expect(there.page).toBeDefined()
      }
    })

    test('with a basePath, authorized receives paths without it and without the locale', async () => {
      vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/app')
      const seen: unknown[] = []
      const authorized = ({ request: { nextUrl, url } }: { request: NextRequest }) => {
        seen.push(nextUrl.pathname, nextUrl.locale, url)
        return false
      }
      const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
      // Next passes the public path /app/de/page in this form.
      const below = { nextConfig: { ...languages, basePath: '/app' } }
      const { response } = await site.proxy(site.auth, '/de/app/de/page?x=1', below)
      expect(seen).toEqual(['/page', 'de', `${ORIGIN}/app/de/page?x=1`])
      const url = new URL(response.headers.get('location') ?? '', ORIGIN)
      expect(url.pathname).toBe('/app/de/login')
      expect(url.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/app/de/page?x=1`)
      const there = await site.proxy(site.auth, '/de/app/de/login', below)
      expect(there.page).toBeDefined()
      vi.unstubAllEnvs()
    })

    test.each(['/fr/login', '/de/page/login', '/de//login', '/de/Login'])(
      '%s requires a session like any page',
      async (path) => {
        const site = nextSite({ callbacks: signedIn, pages: { signIn: '/login' } })
        expect((await site.proxy(site.auth, path, { nextConfig: languages })).page).toBeUndefined()
      },
    )

    test('a sign-in page does not redirect to itself in another locale', async () => {
      const authorized = ({ request }: { request: NextRequest }) =>
        Response.redirect(new URL('/login', request.url))
      const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
      const { page } = await site.proxy(site.auth, '/de/login', { nextConfig: languages })
      expect(page).toBeDefined()
    })
  })

  /** The response of the proxy to a request as the server of Next passes it on. */
  const answerTo = (site: NextSite, url: string, headers = {}) =>
    site.auth(new NextRequest(url, { headers }), {} as never)

  test.each([
    ['http://localhost:3000/page', { host: 'app.test', 'x-forwarded-proto': 'https' }],
    ['https://app.test/page', {}],
    ['https://app.test/page?_rsc=abc', {}],
  ])('for %s with %o redirects stay on the origin of the request', async (url, headers) => {
    const response = await answerTo(nextSite({ callbacks: signedIn }), url, headers)
    expect(response.headers.get('location')).toBe(
      `${ORIGIN}/api/auth/signin?callbackUrl=${encodeURIComponent(`${ORIGIN}/page`)}`,
    )
  })

  test('a sign-in page does not redirect to itself on the internal host', async () => {
    const authorized = ({ request }: { request: NextRequest }) =>
      Response.redirect(new URL('/login', request.url))
    const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
    const headers = { host: 'app.test', 'x-forwarded-proto': 'https' }
    expect((await answerTo(site, 'http://localhost:3000/login', headers)).status).toBe(200)
    expect((await answerTo(site, 'http://localhost:3000/page', headers)).status).toBe(302)
  })

  test('rejects an untrusted host', async () => {
    const site = nextSite({ trustHost: false, trustedHosts: ['other.test'] })
    const { response, page } = await site.proxy(site.auth, '/page')
    expect([response.status, page]).toEqual([400, undefined])
  })
})
