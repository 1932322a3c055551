import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  Lib,
  NextRequest,
  nextSite,
  ORIGIN,
  thrownRedirect,
  SESSION,
  openSite,
} from './next/next-site.ts'
import { op, login, siteConfig } from './site.ts'
import type { LibConfig } from '../../src/frameworks/next/index.ts'
import { SECRET, silentLog } from '../config.ts'

/** A configuration without the values that the environment can set. */
function bare(overrides: Partial<LibConfig> = {}): Partial<LibConfig> {
  return { secret: undefined, trustHost: undefined, ...overrides }
}

beforeEach(() => {
  for (const name of ['AUTH_URL', 'AUTH_SECRET', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES'])
    vi.stubEnv(name, '')
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('AUTH_SECRET', SECRET)
})

afterEach(() => vi.unstubAllEnvs())

/** URLs of the routes as returned by each function. */
async function placesOf(overrides: Partial<LibConfig>, path: string): Promise<string[]> {
  const site = nextSite({ ...bare(), callbacks: { authorized: () => false }, ...overrides })
  const answer = await site.route(site.handlers.GET, `${path}/providers`)
  const providers = answer.ok ? await answer.json() : {}
  const refusal = await site.proxy(site.auth, '/page')
  const location = refusal.response.headers.get('location') ?? ''
  const page: unknown = await site.action(() => site.signIn(undefined, { redirect: false }))
  return [
    providers.credentials?.signinUrl,
    new URL(location, ORIGIN).href.split('?')[0] ?? '',
    String(page).split('?')[0] ?? '',
  ]
}

describe('the environment', () => {
  test.each<[string, Partial<LibConfig>, Record<string, string>, string]>([
    ['only AUTH_TRUST_HOST', {}, { AUTH_TRUST_HOST: 'true' }, `${ORIGIN}/api/auth`],
    ['an origin', {}, { AUTH_URL: 'https://public.test' }, 'https://public.test/api/auth'],
    ['a path', {}, { AUTH_URL: 'https://public.test/login/' }, 'https://public.test/login'],
    [
      'a path that the configuration overrides',
      { basePath: '/own' },
      { AUTH_URL: 'https://public.test/login' },
      'https://public.test/own',
    ],
    ['a base path that is not normalized', { basePath: 'own/' }, { VERCEL: '1' }, `${ORIGIN}/own`],
    ['an empty base path', { basePath: '' }, { CF_PAGES: '1' }, `${ORIGIN}/api/auth`],
  ])('with %s, all functions use the base path of the routes', async (_what, config, env, url) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const signIn = `${url}/signin`
    const { pathname } = new URL(url)
    expect(await placesOf(config, pathname)).toEqual([`${signIn}/credentials`, signIn, signIn])
  })

  test('sets the client of a provider', async () => {
    vi.stubEnv('AUTH_OP_ID', 'from-env')
    vi.stubEnv('AUTH_TRUST_HOST', 'yes')
    const [provider] = siteConfig().config.providers ?? []
    if (typeof provider !== 'object') throw new Error('The provider is an object.')
    const site = nextSite(bare({ providers: [{ ...provider, clientId: undefined } as never] }))
    const url = await thrownRedirect(site.action(() => site.signIn('op')))
    expect(new URL(url).searchParams.get('client_id')).toBe('from-env')
  })

  test('does not change the object of the application', () => {
    const config = Object.freeze({ ...siteConfig().config, secret: undefined, basePath: undefined })
    Lib(config)
    expect(config).toMatchObject({ secret: undefined, basePath: undefined })
  })
})

describe('an application with a basePath', () => {
  const app = `${ORIGIN}/app`

  beforeEach(() => {
    vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/app')
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
  })

  test.each<[Partial<LibConfig>, Record<string, string>, string]>([
    [{}, {}, `${app}/api/auth`],
    [{ basePath: '/login' }, {}, `${app}/login`],
    [{ basePath: '/app/login' }, {}, `${app}/login`],
    [{}, { AUTH_URL: 'https://public.test' }, 'https://public.test/app/api/auth'],
    [{}, { AUTH_URL: 'https://public.test/app' }, 'https://public.test/app/api/auth'],
    [{}, { AUTH_URL: 'https://public.test/app/login' }, 'https://public.test/app/login'],
  ])('with %o and %o has its routes below the basePath', async (config, env, url) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    // Next cuts the path off the URLs of route handlers.
    const { pathname } = new URL(url)
    const places = await placesOf(config, pathname.replace('/app', ''))
    expect(places).toEqual([`${url}/signin/credentials`, `${url}/signin`, `${url}/signin`])
  })

  test('accepts forms and redirects to its own pages', async () => {
    const site = nextSite(bare({ pages: { signIn: '/login', error: '/app/sorry' } }))
    const { csrfToken } = await (await site.route(site.handlers.GET, '/api/auth/csrf')).json()
    const locationOf = async (method: string, path: string, fields?: Record<string, string>) => {
      const body = fields && new URLSearchParams({ csrfToken, ...fields })
      const response = await site.route(site.handlers.POST, path, { method, ...(body && { body }) })
      return response.headers.get('location')?.split('?')[0]
    }
    const route = '/api/auth/callback/credentials'
    expect(await locationOf('POST', route, { password: 'wrong' })).toBe(`${app}/login`)
    expect(await locationOf('GET', '/api/auth/error')).toBe(`${app}/sorry`)
    const target = { ...login, callbackUrl: `${app}/home` }
    expect(await locationOf('POST', route, target)).toBe(`${app}/home`)
    expect(await thrownRedirect(site.action(() => site.signOut()))).toBe(`${app}/`)
  })

  /** Submits a form to a route after a visit to the page `before`; returns the redirect target. */
  async function targetOf(path: string, fields: object = {}, before?: string, config = {}) {
    const site = nextSite(bare(config))
    const { GET, POST } = site.handlers
    if (before) await site.route(GET, before)
    const { csrfToken } = await (await site.route(GET, '/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken, ...fields })
    const response = await site.route(POST, path, { method: 'POST', body })
    return response.headers.get('location')
  }

  const signIn = '/api/auth/callback/credentials'
  const page = '/api/auth/signin?callbackUrl=/app/requested'
  const named = { cookies: { callbackUrl: { name: 'mine' } } }

  test.each<[string, string, Parameters<typeof targetOf>]>([
    ['no callbackUrl', app, [signIn, login]],
    ['a trailing slash', app, [`${signIn}/`, login]],
    ['a sign-out', app, ['/api/auth/signout']],
    ['from the built-in page', app, [signIn, login, '/api/auth/signin']],
    ['callbackUrl in the form', `${app}/form`, [signIn, { ...login, callbackUrl: '/app/form' }]],
    ['callbackUrl in the query', `${app}/query`, [`${signIn}?callbackUrl=/app/query`, login]],
    ['callbackUrl in the cookie of a page', `${app}/requested`, [signIn, login, page]],
    ['callbackUrl in a renamed cookie', `${app}/requested`, [signIn, login, page, named]],
  ])('redirects to the basePath, or to callbackUrl, after a form: %s', async (_who, url, call) => {
    expect(await targetOf(...call)).toBe(url)
  })

  test('is the default return URL of a sign-in with a provider', async () => {
    const site = nextSite(bare())
    const { GET, POST } = site.handlers
    const { csrfToken } = await (await site.route(GET, '/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken })
    const begun = await site.route(POST, '/api/auth/signin/op', { method: 'POST', body })
    const url = new URL(begun.headers.get('location') ?? '')
    expect(url.searchParams.has('callbackUrl')).toBe(false)
    const back = new URL((await op.authorize(url)).url)
    expect(`${back.origin}${back.pathname}`).toBe(`${app}/api/auth/callback/op`)
    const path = `${back.pathname.replace('/app', '')}${back.search}`
    expect((await site.route(GET, path)).headers.get('location')).toBe(app)
  })

  test('is recognized when Next does not remove the basePath from URLs', async () => {
    const site = nextSite(bare())
    const request = new NextRequest(`${app}/api/auth/providers`, {
      nextConfig: { basePath: '/app' },
    })
    expect((await site.handlers.GET(request)).status).toBe(200)
  })
})

describe('an invalid configuration', () => {
  test.each<[string, Partial<LibConfig>, number, string]>([
    ['without a secret', { trustHost: true }, 500, 'MissingSecretError'],
    ['on an untrusted host', { secret: SECRET }, 400, 'UntrustedHost'],
  ])('%s rejects every request', async (_what, config, status, type) => {
    vi.stubEnv('AUTH_SECRET', '')
    const { log, logger } = silentLog()
    const site = nextSite(bare({ ...config, logger }))
    site.cookies.set(SESSION, 'anything')
    const refusal = expect.objectContaining({ type }) as Error
    await expect(site.render(() => site.auth())).rejects.toEqual(refusal)
    await expect(site.action(() => site.signIn())).rejects.toEqual(refusal)
    await expect(site.action(() => site.signIn('credentials', login))).rejects.toEqual(refusal)
    await expect(site.action(() => site.signOut())).rejects.toEqual(refusal)
    await expect(site.action(() => site.update({}))).rejects.toEqual(refusal)
    const { response, page } = await site.proxy(site.auth, '/page')
    expect([response.status, page]).toEqual([status, undefined])
    const handler = vi.fn<() => Response>(() => new Response('ok'))
    expect((await site.route(site.auth(handler), '/api/me')).status).toBe(status)
    expect((await site.route(site.handlers.GET, '/api/auth/session')).status).toBe(status)
    expect(handler).not.toHaveBeenCalled()
    expect(log.errors.map((error) => Reflect.get(error, 'type') as unknown)).toContain(type)
  })
})

describe('a configuration function', () => {
  const { config } = siteConfig()
  const made: LibConfig = {
    ...config,
    basePath: undefined,
    callbacks: { authorized: ({ auth }) => auth !== null },
  }

  test.each(['sync', 'async'])('is called by every function if it is %s', async (kind) => {
    const seen: (NextRequest | undefined)[] = []
    const source = (request: NextRequest | undefined) => {
      seen.push(request)
      return kind === 'async' ? Promise.resolve(made) : made
    }
    const site = openSite(Lib(source))
    const paths = () => seen.splice(0).map((request) => request?.nextUrl.pathname)

    await site.signInGrace()
    expect(paths()).toEqual(['/'])
    expect(await site.render(() => site.auth())).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(paths()).toEqual(['/'])
    await site.pages(({ req, res }) => site.auth(req, res), '/api/me?x=1')
    expect(paths()).toEqual(['/api/me'])
    await site.route(site.handlers.GET, '/api/auth/session')
    expect(paths()).toEqual(['/api/auth/session'])
    const handler = site.auth((request) => Response.json(request.auth))
    await site.route(handler, '/api/me')
    expect(paths()).toEqual(['/api/me'])
    const guarded = site.auth(() => undefined) as never
    for (const proxy of [site.auth, guarded])
      expect((await site.proxy(proxy, '/page')).page).toBeDefined()
    expect(paths()).toEqual(['/page', '/page'])
    await site.action(() => site.update({}))
    await site.action(() => site.signOut({ redirect: false }))
    expect(paths()).toEqual(['/', '/'])
    expect((await site.proxy(guarded, '/page')).response.status).toBe(307)
  })

  test('receives the request', async () => {
    const site = openSite(
      Lib((request) => {
        const isPreview = request?.nextUrl.searchParams.has('preview') ?? false
        return isPreview ? { ...made, providers: [] } : made
      }),
    )
    const idsAt = async (query: string) => {
      const response = await site.route(site.handlers.GET, `/api/auth/providers${query}`)
      return Object.keys((await response.json()) as object)
    }
    expect(await idsAt('')).toEqual(['op', 'credentials'])
    expect(await idsAt('?preview')).toEqual([])
  })

  test('rejects every request when it throws', async () => {
    const site = openSite(Lib(() => Promise.reject(new Error('No tenant.'))))
    await expect(site.render(() => site.auth())).rejects.toThrow('No tenant.')
    await expect(site.proxy(site.auth, '/page')).rejects.toThrow('No tenant.')
    const handler = site.auth(() => new Response('ok'))
    await expect(site.route(handler, '/api/me')).rejects.toThrow('No tenant.')
  })
})
