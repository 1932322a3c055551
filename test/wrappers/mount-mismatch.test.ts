/** Routes that are mounted below another path than the base path: the log names both paths. */
import { createServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import type { RequestHandler } from 'express'
import express4 from 'express-4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { afterAll, expect, test } from 'vitest'
import ExpressLib from '../../src/express.ts'
import FastifyLib from '../../src/fastify.ts'
import HonoLib from '../../src/hono/index.ts'
import { siteConfig } from './conformance/site.ts'
import type { RunningSite, SiteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

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
