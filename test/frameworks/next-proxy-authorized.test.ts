import { describe, expect, test, vi } from 'vitest'
import { NextResponse, nextSite, ORIGIN, SESSION } from './next/next-site.ts'
import type { NextRequest } from './next/next-site.ts'

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
