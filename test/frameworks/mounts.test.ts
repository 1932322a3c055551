/** Base paths, mount paths and several configurations in one application, by framework. */
import { createServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import type { RequestHandler } from 'express'
import express4 from 'express-4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { csrf } from 'hono/csrf'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import { nameOf, siteConfig } from './conformance/site.ts'
import type { RunningSite, SiteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import type { RawClient } from './raw-client.ts'
import { route } from './servers/express.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []

type Start = (config: SiteConfig) => Promise<RunningSite>

const inExpress =
  (create: typeof express, mount: (app: express.Express, handler: RequestHandler) => unknown) =>
  (config: SiteConfig) => {
    const app = create()
    mount(app, ExpressLib(config).handler)
    return listen(app)
  }

const inHono =
  (mount: (app: Hono, handler: MiddlewareHandler) => unknown) => (config: SiteConfig) => {
    const app = new Hono()
    mount(app, HonoLib(config).handler)
    return listen(createAdaptorServer({ fetch: app.fetch, createServer }) as never)
  }

const ELSEWHERE: Readonly<Record<string, Start>> = {
  'Express 5, use': inExpress(express, (app, handler) => app.use('/app/auth', handler)),
  'Express 5, use with a wildcard': inExpress(express, (app, handler) =>
    app.use('/app/auth/{*rest}', handler),
  ),
  'Express 5, all': inExpress(express, (app, handler) => app.all('/app/auth/{*rest}', handler)),
  'Express 5, router': inExpress(express, (app, handler) =>
    app.use('/app', express.Router().all('/auth/*rest', handler)),
  ),
  'Express 4, use': inExpress(express4, (app, handler) => app.use('/app', handler)),
  'Express 4, all': inExpress(express4, (app, handler) => app.all('/app/auth/*', handler)),
  'Hono, use': inHono((app, handler) => app.use('/app/auth/*', handler)),
  'Hono, all': inHono((app, handler) => app.all('/app/auth/:rest{.+}', handler)),
  'Hono, route': inHono((app, handler) => app.route('/app', new Hono().use(handler))),
  'Hono, basePath': inHono((app, handler) => app.basePath('/app').use(handler)),
}

afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

test.each(Object.entries(ELSEWHERE))(
  '%s: warns once of a mount path that is not the base path',
  async (_, start) => {
    const { config, log } = siteConfig()
    const { origin, stop } = await start(config)
    const user = rawClient(origin)
    ends.push(stop, () => user.close())
    for (const path of ['/app/auth/session', '/app/auth/csrf', '/app/auth/session'])
      expect((await user.send(path)).status).toBe(404)
    const warnings = log.lines.filter((line) => line.includes('mount-mismatch'))
    expect(warnings).toHaveLength(1)
    expect(String(warnings[0])).toContain("set basePath: '/app/auth'")
  },
)

const FOR_ANY_TENANT: Readonly<Record<string, Start>> = {
  'Express 5': inExpress(express, (app, handler) => app.use('/:tenant/auth', handler)),
  'Express 4': inExpress(express4, (app, handler) => app.use('/:tenant/auth', handler)),
  Hono: inHono((app, handler) => app.use('/tenants/*', handler)),
}

test.each(Object.entries(FOR_ANY_TENANT))(
  '%s: warns once, although each request names another path',
  async (_, start) => {
    const { config, log } = siteConfig()
    const { origin, stop } = await start(config)
    const user = rawClient(origin)
    ends.push(stop, () => user.close())
    for (let tenant = 0; tenant < 20; tenant++)
      for (const path of [`/t${tenant}/auth/session`, `/tenants/t${tenant}/session`])
        expect((await user.send(path)).status).toBe(404)
    expect(log.lines.map((line) => line[1])).toEqual(['mount-mismatch'])
  },
)

const EVERYWHERE: Readonly<Record<string, Start>> = {
  'Express 5': inExpress(express, (app, handler) => app.use(handler)),
  'Express 4': inExpress(express4, (app, handler) => app.use(handler)),
  Hono: inHono((app, handler) => app.use(handler)),
  'Hono, all paths': inHono((app, handler) => app.use('/*', handler)),
}

test.each(Object.entries(EVERYWHERE))(
  '%s: does not warn of routes of the application if the handler receives all requests',
  async (_, start) => {
    const { config, log } = siteConfig()
    const { origin, stop } = await start(config)
    const user = rawClient(origin)
    ends.push(stop, () => user.close())
    expect((await user.send('/app/auth/session')).status).toBe(404)
    expect((await user.send('/auth/session')).status).toBe(200)
    expect(log.lines.filter((line) => line.includes('mount-mismatch'))).toEqual([])
  },
)

test('Fastify: rejects a prefix of the plugin and of its scope', async () => {
  const { plugin } = FastifyLib(siteConfig().config)
  const own = Fastify()
  own.register(plugin, { prefix: '/app' })
  const scoped = Fastify()
  scoped.register(async (scope) => void scope.register(plugin), { prefix: '/app' })
  const messageOf = (app: typeof own) => app.ready().then(() => 'ready', String)
  expect(await messageOf(own)).toContain('with the prefix /app, which does not apply to it')
  expect(await messageOf(scoped)).toContain('in a scope with the prefix /app')
  await Promise.all([own.close(), scoped.close()])
})

describe('base paths, mount paths and several configurations in one application, by framework', () => {
  afterEach(() => void vi.unstubAllEnvs())

  async function running(starting: Promise<RunningSite>): Promise<string> {
    const { origin, stop } = await starting
    ends.push(stop)
    return origin
  }

  function client(...args: Parameters<typeof rawClient>): RawClient {
    const user = rawClient(...args)
    ends.push(() => user.close())
    return user
  }

  async function enter(user: RawClient, basePath: string, username = 'ada'): Promise<void> {
    const form = { csrfToken: await user.csrfToken(), username, password: 'right' }
    await user.send(`${basePath}/callback/credentials`, { form })
  }

  /** An application of each framework with the routes of these configurations, and `/me/<index>`. */
  type Mount = (configs: readonly SiteConfig[]) => Promise<RunningSite>

  const expressMount =
    (create: typeof express): Mount =>
    (configs) => {
      const app = create()
      configs.forEach((config, index) => {
        const lib = ExpressLib(config)
        const me = route(async (req, res) => res.json(await lib.auth(req, res)))
        app.use(lib.handler).get(`/me/${index}`, me)
      })
      return listen(app)
    }

  const MOUNTS: Readonly<Record<string, Mount>> = {
    'Express 5': expressMount(express),
    'Express 4': expressMount(express4),
    async Fastify(configs) {
      const app = Fastify({ forceCloseConnections: true })
      for (const [index, config] of configs.entries()) {
        const lib = FastifyLib(config)
        await app.register(lib.plugin)
        app.get(`/me/${index}`, async (request, reply) =>
          reply.type('application/json').send(JSON.stringify(await lib.auth(request))),
        )
      }
      const origin = await app.listen({ port: 0, host: '127.0.0.1' })
      return { origin, stop: async () => app.close() }
    },
    Hono(configs) {
      const app = new Hono()
      configs.forEach((config, index) => {
        const lib = HonoLib(config)
        app.use(lib.handler).get(`/me/${index}`, async (c) => c.json(await lib.auth(c)))
      })
      return listen(createAdaptorServer({ fetch: app.fetch, createServer }) as never)
    },
    'node:http'(configs) {
      const libs = configs.map((config) => NodeLib(config))
      return listen((req, res) => {
        const [, index] = /^\/me\/(\d)/.exec(req.url ?? '') ?? []
        const own = libs[Number(index)]
        if (own) return void own.auth(req, res).then((session) => res.end(JSON.stringify(session)))
        const answer = (at: number) => {
          const lib = libs[at]
          if (lib) lib.handler(req, res, () => answer(at + 1))
          else res.writeHead(404).end()
        }
        return answer(0)
      })
    },
  }

  describe.each(Object.entries(MOUNTS))('%s', (_name, mount) => {
    test('answers the routes below the configured base path', async () => {
      const { config } = siteConfig({ basePath: '/api/auth' })
      const origin = await running(mount([config]))
      const user = client(origin, '/api/auth')
      await enter(user, '/api/auth')
      expect(nameOf(await user.send('/me/0'))).toBe('User ada')
      expect((await user.send('/auth/session')).status).toBe(404)
      expect((await user.send('/api/authentic')).status).toBe(404)
    })

    test('answers the routes below the path of AUTH_URL', async () => {
      vi.stubEnv('AUTH_URL', 'https://app.test/api/auth')
      const { config } = siteConfig({ trustHost: undefined, trustedHosts: undefined })
      const origin = await running(mount([config]))
      const user = client(origin, '/api/auth', 'https://app.test')
      await enter(user, '/api/auth')
      expect(nameOf(await user.send('/me/0'))).toBe('User ada')
      expect(user.cookies.all().map(({ name }) => name)).toContain('__Host-lib.session-token')
    })

    test('keeps two configurations in one application apart', async () => {
      const cookies = { sessionToken: { name: 'staff' }, csrfToken: { name: 'staff-csrf' } }
      const { config: members } = siteConfig()
      const { config: staff } = siteConfig({ basePath: '/staff/auth', cookies })
      const origin = await running(mount([members, staff]))
      const user = client(origin)
      await enter(user, '/auth')
      expect(nameOf(await user.send('/me/0'))).toBe('User ada')
      expect((await user.send('/me/1')).body).toBe('null')
      const { csrfToken } = JSON.parse((await user.send('/staff/auth/csrf')).body)
      const form = { csrfToken, username: 'grace', password: 'right' }
      await user.send('/staff/auth/callback/credentials', { form })
      expect(nameOf(await user.send('/me/0'))).toBe('User ada')
      expect(nameOf(await user.send('/me/1'))).toBe('User grace')
      await user.send('/auth/signout', { form: { csrfToken: await user.csrfToken() } })
      expect((await user.send('/me/0')).body).toBe('null')
      expect(nameOf(await user.send('/me/1'))).toBe('User grace')
    })
  })

  describe.each([
    ['Express 5', express],
    ['Express 4', express4],
  ])('%s', (_name, create) => {
    test('answers the routes in an application and a router below another path', async () => {
      for (const nested of [create(), create.Router()]) {
        const lib = ExpressLib(siteConfig({ basePath: '/app/auth' }).config)
        const outer = create()
        nested.use(lib.handler)
        nested.get(
          '/me',
          route(async (req, res) => res.json(await lib.auth(req, res))),
        )
        outer.use('/app', nested)
        const user = client(await running(listen(outer)), '/app/auth')
        await enter(user, '/app/auth')
        expect(nameOf(await user.send('/app/me'))).toBe('User ada')
      }
    })
  })

  test('Express: a session that is read after the response has begun is returned without cookies', async () => {
    const lib = ExpressLib(siteConfig({ session: { updateAge: 0 } }).config)
    const app = express()
    app.use(lib.handler)
    const late = route(async (req, res) => {
      res.write('begun ')
      res.end((await lib.auth(req, res))?.user?.name)
    })
    const early = route(async (req, res) => {
      const name = (await lib.auth(req, res))?.user?.name
      res.write('begun ')
      res.end(name)
    })
    app.get('/late', late).get('/early', early)
    const user = client(await running(listen(app)))
    await enter(user, '/auth')
    const begun = await user.send('/late')
    expect([begun.status, begun.body, begun.setCookies]).toEqual([200, 'begun User ada', []])
    const answer = await user.send('/early')
    expect([answer.body, answer.setCookies.length]).toEqual(['begun User ada', 1])
    expect(answer.headers['cache-control']).toBe('private, no-store')
  })

  test('Hono: nested applications, and its own CSRF middleware in front', async () => {
    const lib = HonoLib(siteConfig({ basePath: '/app/auth' }).config)
    const nested = new Hono()
      .use(csrf())
      .use(lib.handler)
      .get('/me', async (c) => c.json(await lib.auth(c)))
    const app = new Hono().route('/app', nested)
    const server = createAdaptorServer({ fetch: app.fetch, createServer })
    const user = client(await running(listen(server as never)), '/app/auth')
    await enter(user, '/app/auth')
    expect(nameOf(await user.send('/app/me'))).toBe('User ada')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const form = { username: 'eve', password: 'right' }
    const foreign = await user.send('/app/auth/callback/credentials', { form, headers })
    expect(foreign.setCookies).toEqual([])
    expect(nameOf(await user.send('/app/me'))).toBe('User ada')
  })
})
