import { beforeEach, describe, expect, test, vi } from 'vitest'
import { NextResponse, nextSite, ORIGIN, SESSION } from './next/next-site.ts'
import type { NextRequest } from 'next/server.js'
import type { NextSite } from './next/next-site.ts'

const signedIn = { authorized: ({ auth }: { auth: unknown }) => auth !== null }

/** A site on which sessions are extended each time they are read. */
let rolling: NextSite

beforeEach(async () => {
  rolling = nextSite({ session: { updateAge: 0 } })
  await rolling.signInGrace()
  rolling.cookies.delete('__Host-lib.callback-url')
  rolling.cookies.delete('__Host-lib.known')
})

/** The session cookie as the browser sends it now. */
const sessionCookie = () => `${SESSION}=${rolling.cookies.get(SESSION)?.value}`

/** A proxy around a handler, in the type of the test helpers. */
const around = (site: NextSite, handler: (request: NextRequest & { auth: unknown }) => unknown) =>
  site.auth(handler as never) as unknown as Parameters<NextSite['proxy']>[0]

describe('a handler in the proxy', () => {
  test('receives the session and responds', async () => {
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

  test('receives the event of Next', async () => {
    const handler = vi.fn<(request: unknown, event: unknown) => void>()
    await rolling.proxy(rolling.auth(handler), '/page')
    expect(handler.mock.calls[0]?.[1]).toHaveProperty('waitUntil')
  })

  test('is not called for rejected requests', async () => {
    const handler = vi.fn<() => undefined>()
    const site = nextSite({ callbacks: signedIn })
    const { response, page } = await site.proxy(around(site, handler), '/page')
    expect([response.status, page]).toEqual([307, undefined])
    expect(handler).not.toHaveBeenCalled()
  })

  test.each([[], [undefined], [{}]])(
    'is not called for rejected requests when a proxy passes %o as the second argument',
    async (...rest) => {
      const handler = vi.fn<() => undefined>()
      const site = nextSite({ callbacks: signedIn })
      const guarded = around(site, handler) as (...given: unknown[]) => Promise<Response>
      const { response, page } = await site.proxy((request) => guarded(request, ...rest), '/page')
      expect([response.status, page]).toEqual([307, undefined])
      expect(handler).not.toHaveBeenCalled()
    },
  )

  test('enforces authorized itself with authorizedInHandler', async () => {
    const site = nextSite({ callbacks: signedIn, authorizedInHandler: true })
    const proxy = around(site, ({ auth }) => new Response(auth ? 'in' : 'out'))
    const { response } = await site.proxy(proxy, '/page')
    expect(await response.text()).toBe('out')
    expect((await site.proxy(site.auth, '/page')).response.status).toBe(307)
  })

  test('fails closed when it throws', async () => {
    const proxy = around(rolling, () => Promise.reject(new Error('Not today.')))
    await expect(rolling.proxy(proxy, '/page')).rejects.toThrow('Not today.')
  })

  test('can end the session', async () => {
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
  test('is passed to the page, and the response is not cacheable', async () => {
    const before = sessionCookie()
    const headers = { cookie: `theme=dark; ${before}; lang=de`, 'x-own': 'kept' }
    const { response, page } = await rolling.proxy(rolling.auth, '/page', { headers })
    expect(sessionCookie()).not.toBe(before)
    expect(page?.get('cookie')).toBe(`theme=dark; lang=de; ${sessionCookie()}`)
    expect(page?.get('x-own')).toBe('kept')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-middleware-next')).toBe('1')
  })

  test('is passed to the page when a handler passes the request on', async () => {
    const proxy = around(rolling, () => NextResponse.next({ headers: { 'x-answer': '42' } }))
    const { response, page } = await rolling.proxy(proxy, '/page')
    expect(page?.get('cookie')).toBe(sessionCookie())
    expect(page?.get('host')).toBe('app.test')
    expect(response.headers.get('x-answer')).toBe('42')
  })

  test('is passed to the page next to headers that a handler overrides', async () => {
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

  test('is not passed to the page when it has ended', async () => {
    const site = nextSite({ callbacks: { jwt: ({ trigger, token }) => (trigger ? token : null) } })
    await site.signInGrace()
    expect(site.cookies.get(SESSION)).toBeDefined()
    const { page } = await site.proxy(site.auth, '/page')
    expect(page?.get('cookie') ?? '').not.toContain(SESSION)
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })
})
