/** Path rules, where the router matches another path than the one that the client sent. */
import { createServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import express4 from 'express-4'
import Fastify from 'fastify'
import fastify50 from 'fastify-5.0'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import type { LibConfig as ExpressConfig } from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import type { LibConfig as FastifyConfig } from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import type { LibConfig as HonoConfig } from '../../src/frameworks/hono/index.ts'
import Lib from '../../src/frameworks/node/index.ts'
import type { LibConfig, NodeRequest, NodeResponse } from '../../src/frameworks/node/index.ts'
import { siteConfig } from './conformance/site.ts'
import type { RunningSite, SiteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})

/** Everything but /admin and what is below it is public. */
const authorized = ({ url }: { url: URL }) => !/^\/admin(?:\/|$)/.test(url.pathname)
const callbacks: SiteConfig['callbacks'] = { authorized }

/** What a visitor without a session receives for each path: the page (200), the sign-in page (302), or no page (404). */
async function seen({ origin }: Pick<RunningSite, 'origin'>, paths: readonly string[]) {
  const user = rawClient(origin)
  ends.push(() => user.close())
  const statuses: [string, number][] = []
  for (const path of paths) statuses.push([path, (await user.send(path)).status])
  return Object.fromEntries(statuses)
}

const PATHS = [
  '/admin',
  '/ADMIN',
  '/aDmin/',
  '/admin/',
  '//admin',
  '/admin//',
  '/%61dmin',
  '/%41DMIN',
  '/admin;x',
  '/admin%3Bx',
  '/v1/admin',
  '/v1/ADMIN',
  '/public',
  '/missing',
] as const

type Path = (typeof PATHS)[number]
type Statuses = Partial<Record<Path, number>>

/** Unless stated otherwise, the router has no such page. */
const expected = (statuses: Statuses) => ({
  ...Object.fromEntries(PATHS.map((path) => [path, 404])),
  '/admin': 302,
  '/public': 200,
  ...statuses,
})

describe('a rule for /admin applies to every path that the router takes for it:', () => {
  const NON_STRICT = { '/ADMIN': 302, '/aDmin/': 302, '/admin/': 302 } as const
  const strip = (url = '') => url.replace(/^\/v1(?=\/)/, '')

  describe.each([
    ['Express 5', express],
    ['Express 4', express4],
  ])('%s', (_name, create) => {
    const start = async (build: (app: express.Express, lib: typeof library) => void) => {
      const app = create()
      build(app, library)
      const site = await listen(app)
      ends.push(() => site.stop())
      return site
    }
    const library = ExpressLib(siteConfig({ callbacks }).config as ExpressConfig)
    const page: express.RequestHandler = (_req, res) => void res.send('secret')

    test('by default', async () => {
      const site = await start((app, lib) => {
        app.get(['/admin', '/public'], lib.protect(), page)
      })
      expect(await seen(site, PATHS)).toEqual(expected(NON_STRICT))
    })

    test('with strict and case-sensitive routing', async () => {
      const site = await start((app, lib) => {
        app.enable('strict routing').enable('case sensitive routing')
        app.get(['/admin', '/public'], lib.protect(), page)
      })
      expect(await seen(site, PATHS)).toEqual(expected({}))
    })

    test('after a middleware that changes req.url', async () => {
      const site = await start((app, lib) => {
        app.use((req, _res, next) => {
          req.url = strip(req.url)
          next()
        })
        app.get(['/admin', '/public'], lib.protect(), page)
      })
      const rewritten = { ...NON_STRICT, '/v1/admin': 302, '/v1/ADMIN': 302 }
      expect(await seen(site, PATHS)).toEqual(expected(rewritten))
    })

    test('below mounted routers, one of which changes req.url', async () => {
      const site = await start((app, lib) => {
        const inner = create.Router()
        inner.get('/', lib.protect(), page)
        const outer = create.Router()
        outer.use((req, _res, next) => {
          req.url = req.url.replace('/alias', '/admin')
          next()
        })
        outer.use('/admin', inner)
        outer.get('/public', lib.protect(), page)
        app.use(outer)
        app.use('/public', outer)
        app.use('/admin/area', outer)
      })
      expect(
        await seen(site, ['/admin', '/admin/', '/ADMIN', '/alias', '/public', '/public/public']),
      ).toEqual({
        '/admin': 302,
        '/admin/': 302,
        '/ADMIN': 302,
        '/alias': 302,
        '/public': 200,
        '/public/public': 200,
      })
      // Below the mounted path, a page of the same name is another page.
      expect(await seen(site, ['/public/alias', '/public/admin', '/admin/area/public'])).toEqual({
        '/public/alias': 200,
        '/public/admin': 200,
        '/admin/area/public': 302,
      })
    })
  })

  const BELOW = [
    '/admin',
    '/admin/',
    '/admin/area',
    '/ADMIN/Area/',
    '/admin//area',
    '//admin/area',
    '/%61dmin/%61rea',
    '/admin%2farea',
    '/admin%252farea',
    '/x/..%2fadmin/area',
    '/x/%2e%2e/admin/area',
    '/admin/area;x',
    '/admin;x/area',
    '/public',
  ] as const

  /** The paths at which a visitor without a session receives a page. */
  const opened = async (site: Pick<RunningSite, 'origin'>, paths: readonly string[] = BELOW) =>
    Object.entries(await seen(site, paths)).flatMap(([path, status]) =>
      status === 200 ? [path] : [],
    )

  test.each([
    ['Express 5', express],
    ['Express 4', express4],
  ])('%s, in applications that are mounted, also for one host', async (_name, create) => {
    const lib = ExpressLib(siteConfig({ callbacks }).config as ExpressConfig)
    const page: express.RequestHandler = (_req, res) => void res.send('secret')
    const inner = create()
    inner.use(lib.protect())
    inner.get(['/', '/area', '/admin', '/admin/area', '/public'], page)
    const app = create()
    app.use('/admin', inner)
    app.use('/t/:tenant', inner)
    app.use((req, res, next) => void (req.hostname === '127.0.0.1' ? inner(req, res) : next()))
    const site = await listen(app)
    ends.push(() => site.stop())
    expect(await opened(site)).toEqual(['/public'])
    expect(await seen(site, ['/admin', '/admin/area', '/ADMIN/Area/'])).toEqual({
      '/admin': 302,
      '/admin/area': 302,
      '/ADMIN/Area/': 302,
    })
    // The public pages of a tenant are below its name.
    expect(await opened(site, ['/t/admin/area', '/t/a/area'])).toEqual([
      '/t/admin/area',
      '/t/a/area',
    ])
  })

  test.each([
    ['Fastify 5', Fastify],
    ['Fastify 5.0', fastify50],
  ])('%s, in plugins with a prefix', async (_name, create) => {
    const lib = FastifyLib(siteConfig({ callbacks }).config as FastifyConfig)
    const app = create({ caseSensitive: false, ignoreDuplicateSlashes: true })
    ends.push(() => app.close())
    void app.register(
      (child, _options, done) => {
        child.addHook('preHandler', lib.protect())
        child.get('/', () => 'secret')
        void child.register(
          (area, _given, ready) => {
            area.get('/area', () => 'secret')
            area.get('/*', () => 'secret')
            ready()
          },
          { prefix: '/' },
        )
        done()
      },
      { prefix: '/admin' },
    )
    app.get('/public', { preHandler: lib.protect() }, () => 'page')
    const site = { origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
    expect(await opened(site)).toEqual(['/public'])
    expect(await seen(site, ['/admin', '/admin/area', '/ADMIN/Area'])).toEqual({
      '/admin': 302,
      '/admin/area': 302,
      '/ADMIN/Area': 302,
    })
  })

  test('Hono, in applications that are mounted in others, with a path of their own', async () => {
    const lib = HonoLib(siteConfig({ callbacks }).config as HonoConfig)
    const area = new Hono().use(lib.protect()).get('/area', (c) => c.text('secret'))
    const inner = new Hono().basePath('/admin').route('/', area)
    const app = new Hono({ getPath: ({ url }) => decodeURI(new URL(url).pathname.toLowerCase()) })
    app.route('/', inner).route('/deep/', new Hono().mount('/admin', area.fetch))
    app.mount('/whole', inner.fetch, { replaceRequest: false })
    app.mount('/v1', inner.fetch)
    app.get('/public', lib.protect(), (c) => c.text('page'))
    const { fetch } = app
    const site = await listen(createAdaptorServer({ fetch, createServer }) as never)
    ends.push(() => site.stop())
    expect(await opened(site)).toEqual(['/public'])
    expect(await seen(site, ['/admin/area', '/ADMIN/Area', '/v1/admin/area'])).toEqual({
      '/admin/area': 302,
      '/ADMIN/Area': 302,
      '/v1/admin/area': 302,
    })
  })

  const SEMICOLON = { '/admin;x': 302 } as const
  const SLASH = { '/admin/': 302 } as const
  const DOUBLED = { '//admin': 400 } as const
  const FASTIFY = { '/%61dmin': 302 } as const
  const ROUTER_OPTIONS: readonly (readonly [object, Statuses])[] = [
    [{}, {}],
    [{ caseSensitive: false }, { '/ADMIN': 302, '/%41DMIN': 302 }],
    [{ ignoreTrailingSlash: true }, SLASH],
    [{ ignoreDuplicateSlashes: true }, DOUBLED],
    [{ useSemicolonDelimiter: true }, SEMICOLON],
    [
      {
        caseSensitive: false,
        ignoreTrailingSlash: true,
        ignoreDuplicateSlashes: true,
        useSemicolonDelimiter: true,
      },
      { ...NON_STRICT, ...SEMICOLON, ...DOUBLED, '/admin//': 302, '/%41DMIN': 302 },
    ],
  ]
  const LAYOUTS = [
    ['Fastify 5', Fastify, 'routerOptions'],
    ['Fastify 5', Fastify, 'options'],
    ['Fastify 5.0', fastify50, 'options'],
  ] as const

  describe.each(LAYOUTS)('%s (%o, %s)', (_name, create, layout) => {
    const start = async (routerOptions: object, options: object = {}) => {
      const lib = FastifyLib(siteConfig({ callbacks }).config as FastifyConfig)
      const chosen = layout === 'options' ? routerOptions : { routerOptions }
      const app = create({ ...chosen, ...options })
      ends.push(() => app.close())
      for (const path of ['/admin', '/public'])
        app.get(path, { preHandler: lib.protect() }, () => 'secret')
      return { origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
    }

    test.each(ROUTER_OPTIONS)('with %o', async (options, statuses) => {
      const site = await start(options)
      expect(await seen(site, PATHS)).toEqual(expected({ ...FASTIFY, ...statuses }))
    })

    test.each(ROUTER_OPTIONS)('with %o and rewriteUrl', async (options, statuses) => {
      const rewriteUrl = ({ url }: { url?: string }) => strip(url)
      const site = await start(options, { rewriteUrl })
      const rewritten: Statuses = { '/v1/admin': 302, '/v1/ADMIN': statuses['/ADMIN'] ?? 404 }
      const all = { ...FASTIFY, ...statuses, ...rewritten }
      expect(await seen(site, PATHS)).toEqual(expected(all))
    })
  })

  describe('Hono', () => {
    const HONO = { '/%61dmin': 302 } as const
    const start = async (
      app: Hono,
      build: (app: Hono, lib: typeof library) => Hono | undefined,
    ) => {
      const { fetch } = build(app, library) ?? app
      const site = await listen(createAdaptorServer({ fetch, createServer }) as never)
      ends.push(() => site.stop())
      return site
    }
    const library = HonoLib(siteConfig({ callbacks }).config as HonoConfig)
    const pages = (app: Hono, lib: typeof library) => {
      for (const path of ['/admin', '/public'])
        app.get(path, lib.protect(), (c) => c.text('secret'))
      return app
    }
    const lowerPath = ({ url }: Request) => strip(new URL(url).pathname.toLowerCase())

    test.each([
      ['by default', {}, {}],
      ['without strict', { strict: false }, { '/admin/': 302 }],
      [
        'with getPath',
        { getPath: lowerPath },
        { '/ADMIN': 302, '/%61dmin': 404, '/v1/admin': 302, '/v1/ADMIN': 302 },
      ],
    ] as const)('%s', async (_title, options, statuses) => {
      const site = await start(new Hono(options), pages)
      expect(await seen(site, PATHS)).toEqual(expected({ ...HONO, ...statuses }))
    })

    test.each(['route', 'mount'] as const)('below %s', async (kind) => {
      const site = await start(new Hono(), (app, lib) => {
        const inner = pages(new Hono(), lib)
        if (kind === 'route') app.route('/v1', inner).route('/admin', inner)
        else {
          app.mount('/v1', inner.fetch)
          app.mount('/admin', inner.fetch)
        }
        return app
      })
      // A mounted application sees the path without the part at which it is mounted.
      const isMounted = kind === 'mount'
      expect(await seen(site, ['/v1/admin', '/v1/public', '/admin/public'])).toEqual({
        '/v1/admin': isMounted ? 302 : 200,
        '/v1/public': 200,
        '/admin/public': isMounted ? 200 : 302,
      })
    })

    test('below basePath', async () => {
      const site = await start(new Hono().basePath('/admin'), pages)
      expect(await seen(site, ['/admin/public', '/admin/admin', '/public'])).toEqual({
        '/admin/public': 302,
        '/admin/admin': 302,
        '/public': 404,
      })
    })
  })

  describe('a server with middleware that sets originalUrl', () => {
    const start = async (change: (url: string) => string) => {
      const lib = Lib(siteConfig({ callbacks }).config as LibConfig)
      const respond = async (req: NodeRequest, res: NodeResponse) => {
        Object.assign(req, { originalUrl: req.url, url: change(req.url ?? '') })
        if (await lib.protect(req, res)) res.end('secret')
      }
      const site = await listen((req, res) => void respond(req, res))
      ends.push(() => site.stop())
      return site
    }

    test('and rewrites the path', async () => {
      const site = await start((url) => url.replace('/alias', '/admin'))
      expect(await seen(site, ['/alias', '/alias?x', '/public'])).toEqual({
        '/alias': 302,
        '/alias?x': 302,
        '/public': 200,
      })
    })

    test('and removes the mounted path', async () => {
      const site = await start((url) => url.replace(/^\/public/, '') || '/')
      expect(await seen(site, ['/public', '/public/admin', '/admin'])).toEqual({
        '/public': 200,
        '/public/admin': 200,
        '/admin': 302,
      })
    })
  })
})

test('a rewritten path is rejected if it is ambiguous', async () => {
  const lib = FastifyLib(siteConfig({ callbacks }).config as FastifyConfig)
  const app = Fastify({ rewriteUrl: ({ url }) => (url === '/alias' ? '/x/../admin' : (url ?? '')) })
  ends.push(() => app.close())
  app.get('/*', { preHandler: lib.protect() }, () => 'secret')
  const site = { origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
  expect(await seen(site, ['/alias', '/public'])).toEqual({ '/alias': 400, '/public': 200 })
})
