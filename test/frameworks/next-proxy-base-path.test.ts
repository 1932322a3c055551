import { describe, expect, test, vi } from 'vitest'
import { NextRequest, nextSite, ORIGIN } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'

const signedIn = { authorized: ({ auth }: { auth: unknown }) => auth !== null }

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
