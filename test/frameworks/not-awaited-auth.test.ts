/** `auth` without `await`: its promise is never `null`, so that a page checks nothing. */
import { nextSite } from './next/next-site.ts'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { runInThisContext } from 'node:vm'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { RouterContextProvider } from 'react-router'
import AstroLib from '../../src/frameworks/astro/index.ts'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import NuxtLib from '../../src/frameworks/nuxt/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import SvelteKitLib from '../../src/frameworks/sveltekit/lib.ts'
import { siteConfig } from './conformance/site.ts'
import { listen } from './servers/listen.ts'

/** What a page of the application does with the functions that its request offers. */
type Page = (read: () => Promise<unknown>) => unknown

/** Runs a page for a visitor without a session. */
type Visit = (config: AuthConfig, page: Page) => Promise<unknown>

const url = 'http://localhost:3000/page'
const request = () => new Request(url, { headers: { host: 'localhost:3000', accept: 'text/html' } })

function nodeCall() {
  const req = Object.assign(new IncomingMessage(new Socket()), { url: '/page', method: 'GET' })
  req.headers.host = 'localhost:3000'
  return { req, res: new ServerResponse(req) }
}

/** Sends a request to a server of Node.js. */
async function visitServer(handler: Parameters<typeof listen>[0]): Promise<void> {
  const { origin, stop } = await listen(handler)
  await fetch(origin)
  await stop()
}

async function visitFastify(page: Page, config: AuthConfig, isDecorator: boolean): Promise<void> {
  const lib = FastifyLib(config)
  const app = Fastify()
  app.register(lib.plugin)
  app.get('/', async (each) => {
    await page(() => (isDecorator ? each.auth() : lib.auth(each)))
    return 'page'
  })
  await app.inject({ url: '/', headers: { host: 'localhost:3000' } })
  await app.close()
}

async function visitHono(page: Page, config: AuthConfig, isVariable: boolean): Promise<void> {
  const lib = HonoLib(config)
  const app = new Hono().use(lib.handler).get('/', lib.session, async (c) => {
    await page(() => (isVariable ? c.var.auth() : lib.auth(c)))
    return c.text('page')
  })
  await app.request(url.replace('page', ''), { headers: { host: 'localhost:3000' } })
}

const svelteEvent = () => ({
  request: request(),
  url: new URL(url),
  route: { id: '/page' },
  locals: {},
  isDataRequest: false,
  isRemoteRequest: false,
})

const astroContext = () => ({
  request: request(),
  locals: {},
  isPrerendered: false,
  routePattern: '/page',
  cookies: { headers: () => [], set: () => undefined },
})

const nuxtEvent = () => ({ node: nodeCall(), context: {} })

const AUTH: Readonly<Record<string, Visit>> = {
  'Next.js': (config, page) => nextSite(config).render(async () => page(nextSite(config).auth)),
  'Next.js, Pages Router': (config, page) =>
    nextSite(config).pages(
      async ({ req, res }) => page(() => nextSite(config).auth(req, res)),
      '/page',
    ),
  Express: (config, page) => {
    const lib = ExpressLib(config)
    const app = express()
    app.get('/', (req, res) => void res.json(page(() => lib.auth(req, res)) ?? null))
    return visitServer(app)
  },
  'Express, res.locals': (config, page) => {
    const lib = ExpressLib(config)
    const app = express().use(lib.session)
    app.get('/', (_req, res) => void res.json(page(res.locals.auth) ?? null))
    return visitServer(app)
  },
  'node:http': async (config, page) => {
    const { req, res } = nodeCall()
    return page(() => NodeLib(config).auth(req, res))
  },
  Fastify: (config, page) => visitFastify(page, config, false),
  'Fastify, request.auth': (config, page) => visitFastify(page, config, true),
  Hono: (config, page) => visitHono(page, config, false),
  'Hono, c.var': (config, page) => visitHono(page, config, true),
  SvelteKit: async (config, page) => page(() => SvelteKitLib(config).auth(svelteEvent() as never)),
  'SvelteKit, locals': async (config, page) => {
    const event = svelteEvent()
    const resolve = async () => {
      await page(() => Object(event.locals).auth())
      return new Response('page')
    }
    return SvelteKitLib(config).handle({ event, resolve } as never)
  },
  Astro: async (config, page) => page(() => AstroLib(config).auth(astroContext() as never)),
  'Astro, locals': async (config, page) => {
    const context = astroContext()
    return AstroLib(config).onRequest(context as never, async () => {
      await page(() => Object(context.locals).auth())
      return new Response('page')
    })
  },
  Nuxt: async (config, page) => page(() => NuxtLib(config).auth(nuxtEvent())),
  'React Router': async (config, page) => {
    const lib = ReactRouterLib(config)
    const context = new RouterContextProvider()
    const args = { request: request(), context, params: {}, url: new URL(url), pattern: '/page' }
    return lib.middleware(args, async () => {
      await page(() => lib.auth(context))
      return new Response('page')
    })
  },
}

const PROTECT: Readonly<Record<string, Visit>> = {
  SvelteKit: async (config, page) =>
    page(() => SvelteKitLib(config).protect(svelteEvent() as never)),
  Astro: async (config, page) => page(() => AstroLib(config).protect(astroContext() as never)),
  Nuxt: async (config, page) => page(() => NuxtLib(config).protect(nuxtEvent())),
}

/** `protect` rejects no visitor: a rejection without a handler would end this process. */
const OPEN = { trustHost: true, callbacks: { authorized: () => true } }

/** What the developer sees after this page was visited. */
async function warningsOf(visit: Visit, page: Page, least = 0): Promise<string[]> {
  const { config, log } = siteConfig(OPEN)
  await visit(config, page)
  await wait(20)
  await vi.waitUntil(() => log.lines.length >= least, { timeout: 20_000 }).catch(() => undefined)
  return log.lines.filter(([, code]) => code === 'not-awaited').map((line) => line.join(' '))
}

const forgotten: Page = (read) => {
  if (Object.is(read(), null)) throw new Error('signed out')
}

/** None of them may be reported. */
const AWAITED: Readonly<Record<string, Page>> = {
  'await auth()': async (read) => void (await read()),
  'Promise.all': async (read) => void (await Promise.all([read(), 1])),
  'await in the same turn': async (read) => {
    const promise = read()
    await Promise.resolve()
    await promise
  },
  'await in the next turn, as in a component that React renders later': async (read) => {
    const promise = read()
    await new Promise((resolve) => setImmediate(resolve))
    await promise
  },
  'then, as in use() of React': (read) => void read().then(() => undefined),
  finally: (read) => void read().finally(() => undefined),
  'catch at once, and await later': async (read) => {
    const promise = read()
    promise.catch(() => undefined)
    await wait(10)
    await promise
  },
  'the result of an async function': async (read) => {
    const call = async () => read()
    await call()
  },
}

beforeEach(() => void vi.stubEnv('NODE_ENV', 'development'))

describe.each(Object.entries(AUTH))('%s', (_, visit) => {
  test('reports a call without await, with its place', async () => {
    const warnings = await warningsOf(visit, forgotten, 1)
    expect(warnings).toEqual([
      expect.stringMatching(/if \(!auth\(\)\) admits every visitor.*Write: await auth\(…\)\./),
    ])
    expect(warnings[0]).toContain('not-awaited-auth.test.ts')
  })

  test.each(Object.entries(AWAITED))('reports nothing: %s', async (__, page) => {
    expect(await warningsOf(visit, page)).toEqual([])
  })
})

test.each(Object.entries(PROTECT))('%s: reports protect without await', async (_, visit) => {
  expect(await warningsOf(visit, (read) => void read(), 1)).toEqual([
    expect.stringContaining('the page does not wait for the decision'),
  ])
})

test('reports each place once, and each of several places', async () => {
  const twice: Page = async (read) => {
    for (let count = 0; count < 3; count++) void read()
    void read()
  }
  expect(await warningsOf(AUTH['Express, res.locals'] ?? expect.fail(), twice)).toHaveLength(2)
})

test.each([
  ['/app/.next/dev/server/chunks/ssr/page_1a2b.js', 'It was called in the function Page. Search'],
  ['file:///C:/app/.next/server/app/page.js', 'It was called in the function Page. Search'],
  ['C:\\app\\out\\server\\chunks\\1.js', 'It was called in the function Page. Search'],
  ['/app/src/next/page.js', 'It was called at Page (/app/src/next/page.js:1:'],
])(
  'names the function in code that Next.js has compiled, without its path: %s',
  async (filename, expected) => {
    const call: Page = runInThisContext('(read) => (function Page() { read() })()', { filename })
    const [warning, ...others] = await warningsOf(AUTH['Next.js'] ?? expect.fail(), call, 1)
    expect(others).toEqual([])
    expect(warning).toContain(expected)
    expect(warning?.includes(filename)).toBe(expected.includes(filename))
  },
)

test.each(['production', 'test'])('returns a plain promise if NODE_ENV is %s', async (mode) => {
  vi.stubEnv('NODE_ENV', mode)
  for (const visit of Object.values(AUTH)) {
    const page: Page = async (read) => {
      const promise = read()
      expect(Object.getPrototypeOf(promise)).toBe(Promise.prototype)
      await promise
    }
    await visit(siteConfig(OPEN).config, page)
    expect(await warningsOf(visit, forgotten)).toEqual([])
  }
})

test('reports without NODE_ENV, as a server of Node.js is started on a developer machine', async () => {
  vi.stubEnv('NODE_ENV', undefined)
  expect(await warningsOf(AUTH['Express'] ?? expect.fail(), forgotten)).toHaveLength(1)
})
