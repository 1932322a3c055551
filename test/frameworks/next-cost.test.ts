import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, NextRequest, nextSite, ORIGIN, SESSION, openSite } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { PLACES, visitPlace } from './next/next-contexts.ts'
import { siteConfig } from './site.ts'
import { silentLog } from '../config.ts'

const session = vi.fn<() => void>()
const grace = { user: { name: 'Grace Hopper' } }

let site: NextSite

beforeEach(async () => {
  site = nextSite({ events: { session } })
  await site.signInGrace()
  session.mockClear()
})

describe('auth()', () => {
  /** Number of calls. */
  const counts = { fetch: 0, Request: 0, Response: 0 }

  beforeEach(() => {
    for (const name of ['Request', 'Response'] as const) {
      counts[name] = 0
      const construct = (target: object, given: unknown[], made: object): object => {
        counts[name] += 1
        return Reflect.construct(target as never, given, made as never) as object
      }
      vi.stubGlobal(name, new Proxy(globalThis[name], { construct }))
    }
    counts.fetch = 0
    vi.stubGlobal('fetch', () => {
      counts.fetch += 1
      return Promise.reject(new TypeError('There is no network.'))
    })
  })

  afterEach(() => vi.unstubAllGlobals())

  test('creates no Request and no Response in a server component, an action, an API route or a page', async () => {
    expect(await site.render(() => site.auth())).toMatchObject(grace)
    expect(await site.action(() => site.auth())).toMatchObject(grace)
    const { result } = await site.pages(({ req, res }) => site.auth(req, res), '/api/me')
    expect(result).toMatchObject(grace)
    expect(counts).toEqual({ fetch: 0, Request: 0, Response: 0 })
    // Other calls create them.
    await site.route(site.handlers.GET, '/api/auth/session')
    await site.action(() => site.signOut({ redirect: false }))
    expect(counts).toEqual({ fetch: 0, Request: 1, Response: 1 })
  })

  test('creates one Response and no Request in a proxy that passes the request on', async () => {
    const request = new NextRequest(`${ORIGIN}/page`)
    const response: unknown = await Reflect.apply(site.auth, undefined, [request, {}])
    expect(response).toHaveProperty('status', 200)
    expect(counts).toEqual({ fetch: 0, Request: 0, Response: 1 })
  })
})

test.each(PLACES)('%s reads the session once', async (place) => {
  expect(await visitPlace(site, place)).toMatchObject({ isAuthenticated: true })
  expect(session).toHaveBeenCalledTimes(1)
})

test('a route handler that calls auth() again reads the session once', async () => {
  const handler = site.auth(async (request) => {
    expect(await site.auth()).toEqual(request.auth)
    return Response.json(await site.auth())
  })
  expect(await (await site.route(handler, '/api/me')).json()).toMatchObject(grace)
  expect(session).toHaveBeenCalledTimes(1)
})

describe('a configuration function', () => {
  /** A site with a configuration function, and the requests that it received. */
  function watchedSite() {
    const { config } = siteConfig()
    const seen: (NextRequest | undefined)[] = []
    const own = openSite(
      Lib((request) => {
        seen.push(request)
        return { ...config, basePath: undefined }
      }),
    )
    return { own, seen }
  }

  test('is called once per action, with a request made of the headers', async () => {
    const { own, seen } = watchedSite()
    await own.signInGrace()
    seen.length = 0
    await own.action(
      async () => {
        await Promise.all([own.auth(), own.auth()])
        await own.update({})
        await own.signOut({ redirect: false })
        expect(await own.auth()).toBeNull()
      },
      { headers: { 'x-forwarded-host': 'evil.test', 'x-tenant': 'navy' } },
    )
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBeInstanceOf(NextRequest)
    expect(seen[0]?.nextUrl.pathname).toBe('/')
    expect(seen[0]?.headers.get('x-tenant')).toBe('navy')
    expect(seen[0]?.cookies.has(SESSION)).toBe(true)
  })

  test('is called once per route handler, with the request of the handler', async () => {
    const { own, seen } = watchedSite()
    const handler = own.auth(async (request) => {
      await own.signOut({ redirect: false })
      return Response.json(request === seen[0])
    })
    expect(await (await own.route(handler, '/api/me?tab=2')).json()).toBe(true)
    expect(seen.map((request) => request?.nextUrl.search)).toEqual(['?tab=2'])
  })

  test('can set the origin of a request without a host', async () => {
    const { config } = siteConfig(silentLog())
    const own = openSite(
      Lib((request) => ({
        ...config,
        basePath: undefined,
        origin: `https://${request?.headers.get('x-site')}`,
      })),
    )
    own.cookies.set(SESSION, site.cookies.get(SESSION)?.value ?? '')
    const headers = { host: 'app@evil.test', 'x-site': 'app.test' }
    expect(await own.render(() => own.auth(), { headers })).toMatchObject(grace)
  })
})

describe('a prerendered page', () => {
  test('is unauthenticated and needs no complete configuration', async () => {
    vi.stubEnv('AUTH_SECRET', '')
    const bare = nextSite({ secret: undefined, trustHost: undefined })
    expect(await bare.render(() => bare.auth(), { dynamic: 'force-static' })).toBeNull()
    expect(await site.render(() => site.auth(), { dynamic: 'force-static' })).toBeNull()
    expect(session).not.toHaveBeenCalled()
    vi.unstubAllEnvs()
  })
})

describe('a response with a session cookie', () => {
  test('is never cacheable, whatever Cache-Control the route handler sets', async () => {
    const always = nextSite({ session: { updateAge: 0 } })
    await always.signInGrace()
    const headers = { 'cache-control': 'public, s-maxage=60', 'x-mine': 'yes' }
    const handler = always.auth(() => new Response('ok', { status: 201, headers }))
    const response = await always.route(handler, '/api/me')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect([response.status, response.headers.get('x-mine')]).toEqual([201, 'yes'])
    always.cookies.delete(SESSION)
    const open = await always.route(handler, '/api/me')
    expect(open.headers.get('cache-control')).toBe('public, s-maxage=60')
  })
})
