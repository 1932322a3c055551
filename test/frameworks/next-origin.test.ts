/** A handler receives the public origin, not the address behind the proxy. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, NextRequest, NextResponse, nextSite, ORIGIN, openSite } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { siteConfig } from './site.ts'
import type { LibRequest } from '../../src/frameworks/next/index.ts'

const PUBLIC = 'https://public.test'

beforeEach(() => {
  for (const name of ['AUTH_URL', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']) vi.stubEnv(name, '')
})

afterEach(() => vi.unstubAllEnvs())

const RUNS: Record<
  string,
  (site: NextSite, handler: (request: LibRequest) => Response) => Promise<Response>
> = {
  'a route handler': (site, handler) => site.route(site.auth(handler), '/api/me?x=1'),
  'an API route on the edge': (site, handler) =>
    site.edge(site.auth(handler) as never, '/api/me?x=1'),
}

/** Responds with every URL of the request. */
const respondWithUrls = ({ url, nextUrl }: LibRequest) =>
  Response.json([url, nextUrl.href, nextUrl.origin, nextUrl.host, nextUrl.clone().href])

describe.each(Object.entries(RUNS))('the request in %s', (_what, run) => {
  test.each([
    ['AUTH_URL', 'https://public.test'],
    ['an AUTH_URL with a path', 'https://public.test/api/auth'],
    ['an AUTH_URL with a port', 'http://public.test:8080'],
  ])('has the origin of %s', async (_named, url) => {
    vi.stubEnv('AUTH_URL', url)
    const { origin, host } = new URL(url)
    const address = `${origin}/api/me?x=1`
    const response = await run(nextSite({ trustHost: undefined }), respondWithUrls)
    expect(await response.json()).toEqual([address, address, origin, host, address])
  })

  test('has the origin that the browser requested by default', async () => {
    const address = `${ORIGIN}/api/me?x=1`
    const response = await run(nextSite(), respondWithUrls)
    expect(await response.json()).toEqual([address, address, ORIGIN, 'app.test', address])
  })

  test('resolves the redirect to a page of the site', async () => {
    vi.stubEnv('AUTH_URL', PUBLIC)
    const response = await run(nextSite({ trustHost: undefined }), ({ nextUrl }) =>
      Response.redirect(new URL('/login', nextUrl.origin)),
    )
    expect(response.headers.get('location')).toBe(`${PUBLIC}/login`)
  })
})

test('a route handler receives the body, the cookies and the abort signal of the request', async () => {
  vi.stubEnv('AUTH_URL', PUBLIC)
  const site = nextSite({ trustHost: undefined })
  await site.signInGrace()
  const aborting = new AbortController()
  const seen = vi.fn<(request: LibRequest) => unknown>()
  const handler = site.auth(async (request) => {
    seen(request)
    aborting.abort()
    return Response.json([
      request instanceof NextRequest,
      request.method,
      await request.text(),
      request.cookies.has('seen'),
      request.auth?.user?.name,
    ])
  })
  const given = new NextRequest(`${ORIGIN}/api/me`, {
    method: 'POST',
    body: 'all of it',
    headers: { cookie: 'seen=1' },
    signal: aborting.signal,
  })
  const response = await site.route((request, context) => {
    for (const [name, value] of request.headers)
      given.headers.set(name, name === 'cookie' ? `${value}; seen=1` : value)
    return handler(given, context)
  }, '/api/me')
  expect(await response.json()).toEqual([true, 'POST', 'all of it', true, 'Grace Hopper'])
  expect(seen.mock.calls).toEqual([[given]])
  expect(given.signal.aborted).toBe(true)
})

test('a configuration function is called once, with a request on the public origin', async () => {
  vi.stubEnv('AUTH_URL', PUBLIC)
  const urls: (string | undefined)[] = []
  const { config } = siteConfig()
  const site = openSite(
    Lib((request) => {
      urls.push(request?.url)
      return { ...config, basePath: undefined, trustHost: undefined }
    }),
  )
  const response = await site.route(site.auth(respondWithUrls), '/api/me')
  expect(await response.json()).toContain(`${PUBLIC}/api/me`)
  expect(urls).toEqual([`${PUBLIC}/api/me`])
})

test('a proxy receives the address of Next, so that Next serves its rewrites', async () => {
  vi.stubEnv('AUTH_URL', PUBLIC)
  const site = nextSite({ trustHost: undefined })
  const proxy = site.auth((request, _event) => NextResponse.rewrite(new URL('/other', request.url)))
  const { response } = await site.proxy(proxy as never, '/page')
  expect(response.headers.get('x-middleware-rewrite')).toBe(`${ORIGIN}/other`)
})
