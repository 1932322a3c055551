import { beforeEach, describe, expect, test, vi } from 'vitest'
import { NextRequest, NextResponse, nextSite, ORIGIN, SESSION } from './next-site.ts'
import type { NextSite } from './next-site.ts'

const signedIn = { authorized: ({ auth }: { auth: unknown }) => auth !== null }

/** A site on which sessions are extended each time they are read. */
let rolling: NextSite

beforeEach(async () => {
  rolling = nextSite({ session: { updateAge: 0 } })
  await rolling.signInGrace()
  rolling.cookies.delete('__Host-lib.callback-url')
})

/** The session cookie as the browser sends it now. */
const sessionCookie = () => `${SESSION}=${rolling.cookies.get(SESSION)?.value}`

/** What the proxy calls, in the type the test tools take. */
const around = (site: NextSite, handler: (request: NextRequest & { auth: unknown }) => unknown) =>
  site.auth(handler as never) as unknown as Parameters<NextSite['proxy']>[0]

describe('a handler in the proxy', () => {
  test('knows who sent the request, and answers it', async () => {
    const seen: unknown[] = []
    const proxy = around(rolling, ({ auth, nextUrl }) => {
      seen.push(auth, nextUrl.pathname)
      return NextResponse.redirect(`${ORIGIN}/elsewhere`)
    })
    const { response } = await rolling.proxy(proxy, '/page')
    expect(seen).toMatchObject([{ user: { name: 'Grace Hopper' } }, '/page'])
    expect(response.headers.get('location')).toBe('/elsewhere')
    expect(rolling.set).toHaveLength(1)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('gets what Next passes along', async () => {
    const handler = vi.fn<(request: unknown, event: unknown) => void>()
    await rolling.proxy(rolling.auth(handler), '/page')
    expect(handler.mock.calls[0]?.[1]).toHaveProperty('waitUntil')
  })

  test('is not reached by who may not pass', async () => {
    const handler = vi.fn<() => undefined>()
    const site = nextSite({ callbacks: signedIn })
    const { response, page } = await site.proxy(around(site, handler), '/page')
    expect([response.status, page]).toEqual([307, undefined])
    expect(handler).not.toHaveBeenCalled()
  })

  test.each([[], [undefined], [{}]])(
    'is not reached either when it is called from a proxy that passes on %o besides the request',
    async (...rest) => {
      const handler = vi.fn<() => undefined>()
      const site = nextSite({ callbacks: signedIn })
      const guarded = around(site, handler) as (...given: unknown[]) => Promise<Response>
      const { response, page } = await site.proxy((request) => guarded(request, ...rest), '/page')
      expect([response.status, page]).toEqual([307, undefined])
      expect(handler).not.toHaveBeenCalled()
    },
  )

  test('decides itself when it is told to', async () => {
    const site = nextSite({ callbacks: signedIn, authorizedInHandler: true })
    const proxy = around(site, ({ auth }) => new Response(auth ? 'in' : 'out'))
    const { response } = await site.proxy(proxy, '/page')
    expect(await response.text()).toBe('out')
    expect((await site.proxy(site.auth, '/page')).response.status).toBe(307)
  })

  test('may fail, and lets nothing through', async () => {
    const proxy = around(rolling, () => Promise.reject(new Error('Not today.')))
    await expect(rolling.proxy(proxy, '/page')).rejects.toThrow('Not today.')
  })

  test('may sign out, and that is final', async () => {
    const proxy = around(rolling, () => {
      const response = NextResponse.next()
      response.cookies.delete({ name: SESSION, secure: true, path: '/' })
      return response
    })
    await rolling.proxy(proxy, '/page')
    expect(rolling.cookies.get(SESSION)).toBeUndefined()
    expect(rolling.set).toHaveLength(1)
  })
})

describe('a session that is extended in the proxy', () => {
  test('is what the page sees, and nobody else may keep the response', async () => {
    const before = sessionCookie()
    const headers = { cookie: `theme=dark; ${before}; lang=de`, 'x-own': 'kept' }
    const { response, page } = await rolling.proxy(rolling.auth, '/page', { headers })
    expect(sessionCookie()).not.toBe(before)
    expect(page?.get('cookie')).toBe(`theme=dark; lang=de; ${sessionCookie()}`)
    expect(page?.get('x-own')).toBe('kept')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-middleware-next')).toBe('1')
  })

  test('is what the page sees that a handler sends the request on to', async () => {
    const proxy = around(rolling, () => NextResponse.next({ headers: { 'x-answer': '42' } }))
    const { response, page } = await rolling.proxy(proxy, '/page')
    expect(page?.get('cookie')).toBe(sessionCookie())
    expect(page?.get('host')).toBe('app.test')
    expect(response.headers.get('x-answer')).toBe('42')
  })

  test('is what the page sees besides what a handler tells it', async () => {
    const proxy = around(rolling, ({ headers }) => {
      const own = new Headers(headers)
      own.set('x-tenant', 'acme')
      own.set('cookie', `${headers.get('cookie')}; flag=1`)
      own.delete('host')
      return NextResponse.next({ request: { headers: own } })
    })
    const { page } = await rolling.proxy(proxy, '/page')
    expect(page?.get('x-tenant')).toBe('acme')
    expect(page?.get('cookie')).toBe(`flag=1; ${sessionCookie()}`)
    expect(page?.has('host')).toBe(false)
  })

  test('does not end up with the page when it has ended', async () => {
    const site = nextSite({ callbacks: { jwt: ({ trigger, token }) => (trigger ? token : null) } })
    await site.signInGrace()
    expect(site.cookies.get(SESSION)).toBeDefined()
    const { page } = await site.proxy(site.auth, '/page')
    expect(page?.get('cookie') ?? '').not.toContain(SESSION)
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })
})

describe('where the application is', () => {
  const nextConfig = { basePath: '/app' }

  test.each([
    [{}, '/app/api/auth/signin'],
    [{ pages: { signIn: '/login' } }, '/app/login'],
    [{ pages: { signIn: '/app/login' } }, '/app/login'],
    [{ basePath: '/app/api/auth' }, '/app/api/auth/signin'],
  ])('below a path of Next, with %o, the sign-in page is %s', async (config, signIn) => {
    const site = nextSite({ callbacks: signedIn, ...config })
    const { response } = await site.proxy(site.auth, '/app/page', { nextConfig })
    const url = new URL(response.headers.get('location') ?? '', ORIGIN)
    expect(url.pathname).toBe(signIn)
    expect(url.searchParams.get('callbackUrl')).toBe(`${ORIGIN}/app/page`)
    expect((await site.proxy(site.auth, signIn, { nextConfig })).page).toBeDefined()
    const route = '/app/api/auth/callback/op'
    expect((await site.proxy(site.auth, route, { nextConfig })).page).toBeDefined()
  })

  test('below a path of Next, authorized sees paths without it', async () => {
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
    ])('%s with pages %o leads to %s and back, and stops there', async (path, pages, signIn) => {
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

    test.each(['/fr/login', '/de/page/login', '/de//login', '/de/Login'])(
      '%s is as closed as any page',
      async (path) => {
        const site = nextSite({ callbacks: signedIn, pages: { signIn: '/login' } })
        expect((await site.proxy(site.auth, path, { nextConfig: languages })).page).toBeUndefined()
      },
    )

    test('a sign-in page does not lead to itself in another language', async () => {
      const authorized = ({ request }: { request: NextRequest }) =>
        Response.redirect(new URL('/login', request.url))
      const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
      const { page } = await site.proxy(site.auth, '/de/login', { nextConfig: languages })
      expect(page).toBeDefined()
    })
  })

  /** What the proxy answers to a request as a server hands it over. */
  const answerTo = (site: NextSite, url: string, headers = {}) =>
    site.auth(new NextRequest(url, { headers }), {} as never)

  test.each([
    ['http://localhost:3000/page', { host: 'app.test', 'x-forwarded-proto': 'https' }],
    ['https://app.test/page', {}],
    ['https://app.test/page?_rsc=abc', {}],
  ])('for %s with %o people are sent where they came from', async (url, headers) => {
    const response = await answerTo(nextSite({ callbacks: signedIn }), url, headers)
    expect(response.headers.get('location')).toBe(
      `${ORIGIN}/api/auth/signin?callbackUrl=${encodeURIComponent(`${ORIGIN}/page`)}`,
    )
  })

  test('a sign-in page does not lead to itself under the name of the server', async () => {
    const authorized = ({ request }: { request: NextRequest }) =>
      Response.redirect(new URL('/login', request.url))
    const site = nextSite({ callbacks: { authorized }, pages: { signIn: '/login' } })
    const headers = { host: 'app.test', 'x-forwarded-proto': 'https' }
    expect((await answerTo(site, 'http://localhost:3000/login', headers)).status).toBe(200)
    expect((await answerTo(site, 'http://localhost:3000/page', headers)).status).toBe(302)
  })

  test('a host that is not trusted is refused', async () => {
    const site = nextSite({ trustHost: false, trustedHosts: ['other.test'] })
    const { response, page } = await site.proxy(site.auth, '/page')
    expect([response.status, page]).toEqual([400, undefined])
  })
})
