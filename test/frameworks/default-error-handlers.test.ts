/** What the default error handler of each server sends for an error that the application does not handle. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import express4 from 'express-4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  AuthError,
  InvalidConfiguration,
  TooManyAttempts,
  UntrustedHost,
} from '../../src/errors.ts'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import type { NodeRequest, NodeResponse } from '../../src/frameworks/node/index.ts'
import { stopDate } from '../oauth.ts'
import { signIn, siteConfig } from './conformance/site.ts'
import type { RunningSite, SiteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { route } from './servers/express.ts'
import { listen } from './servers/listen.ts'

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))
// Express and Hono print errors there.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue(undefined))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A server with `/login`, which calls `signIn`, `/me`, which calls `auth`, `/assured`, which requires a sign-in in the last minute, and no error handler of the application. */
type Start = (config: SiteConfig) => Promise<RunningSite>

const inExpress =
  (create: typeof express): Start =>
  (config) => {
    const lib = ExpressLib(config)
    const app = create().set('env', 'production')
    const login = route((req, res) => lib.signIn(req, res, 'credentials', req.body))
    app.post('/login', express.urlencoded({ extended: false }), login)
    app.get(
      '/me',
      route((req, res) => lib.auth(req, res)),
    )
    app.get(
      '/assured',
      route((req, res) => lib.requireAuth(req, res, { maxAge: 60 })),
    )
    app.use(lib.handler)
    return listen(app)
  }

const SERVERS: Readonly<Record<string, Start>> = {
  'Express 5': inExpress(express),
  'Express 4': inExpress(express4),
  async Fastify(config) {
    const lib = FastifyLib(config)
    const app = Fastify({ forceCloseConnections: true })
    const form = 'application/x-www-form-urlencoded'
    app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    app.post('/login', (request, reply) =>
      lib.signIn(request, reply, 'credentials', Object(request.body)),
    )
    app.get('/me', (request) => lib.auth(request))
    app.get('/assured', (request, reply) => lib.requireAuth(request, reply, { maxAge: 60 }))
    app.register(lib.plugin)
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    return { origin, stop: async () => app.close() }
  },
  // Without a default handler: the one of the guide.
  'node:http'(config) {
    const lib = NodeLib(config)
    const site = async (req: NodeRequest, res: NodeResponse): Promise<void> => {
      if (req.url === '/assured') return void (await lib.requireAuth(req, res, { maxAge: 60 }))
      if (req.url === '/me') return void res.end(JSON.stringify(await lib.auth(req, res)))
      const fields = Object.fromEntries(new URLSearchParams(await text(req)))
      await lib.signIn(req, res, 'credentials', fields)
    }
    const respond = async (req: NodeRequest, res: NodeResponse) => {
      try {
        await site(req, res)
      } catch (error) {
        const { status, headers } =
          error instanceof AuthError ? error : { status: 500, headers: {} }
        if (status >= 500) console.error(error)
        if (res.headersSent) res.destroy()
        else res.writeHead(status, headers).end()
      }
    }
    return listen((req, res) => lib.handler(req, res, () => void respond(req, res)))
  },
  Hono(config) {
    const lib = HonoLib(config)
    const app = new Hono()
      .post('/login', async (c) => lib.signIn(c, 'credentials', await c.req.formData()))
      .get('/me', lib.session, async (c) => c.json(await c.var.auth()))
      .get('/assured', async (c) => c.json(await lib.requireAuth(c, { maxAge: 60 })))
      .use(lib.handler)
    return listen(createAdaptorServer({ fetch: app.fetch, createServer }) as never)
  },
}

describe.each(Object.entries(SERVERS))('%s', (name, start) => {
  async function open(overrides: Partial<SiteConfig> = {}) {
    const { config, log } = siteConfig(overrides)
    const { origin, stop } = await start(config)
    const user = rawClient(origin)
    ends.push(stop, () => user.close())
    return { user, log }
  }

  const login = (password: string) => ({ form: { username: 'ada', password } })

  test('responds to a wrong password with 401', async () => {
    const { user } = await open()
    expect((await user.send('/login', login('wrong'))).status).toBe(401)
  })

  test('responds to too many attempts with 429', async () => {
    stopDate()
    const { user } = await open()
    const responses = []
    for (let attempt = 0; attempt < 11; attempt++)
      responses.push(await user.send('/login', login('wrong')))
    expect([responses[0]?.status, responses.at(-1)?.status]).toEqual([401, 429])
    expect(responses.at(-1)?.headers['retry-after']).toBe('90')
    // The key of the limit is for the log.
    expect(responses.at(-1)?.body).not.toMatch(/[\da-f]{32}/)
  })

  test.each([
    ['shows another site', { 'sec-fetch-site': 'cross-site' }],
    ['does not show this site', { 'sec-fetch-site': '', origin: '' }],
  ])('responds with 403 to a request that %s, and logs the cause', async (_, headers) => {
    const { user, log } = await open()
    const { status } = await user.send('/login', { ...login('right'), headers })
    expect([status, log.errors.map(String)]).toEqual([
      403,
      [expect.stringMatching(/^MissingCSRF: /)],
    ])
  })

  test('responds to an old sign-in with 401 and the requirement, but without the page', async () => {
    stopDate()
    const { user } = await open()
    const visitor = await user.send('/assured')
    expect([visitor.status, visitor.headers['www-authenticate']]).toEqual([401, undefined])
    await signIn(user)
    vi.advanceTimersByTime(61_000)
    const { status, headers, body } = await user.send('/assured')
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_user_authentication".*max_age="60"$/,
    )
    expect(visitor.body + body).not.toMatch(/stepUp=|User ada|session-token/)
  })

  test('responds to an untrusted host with 400, and does not send more than before', async () => {
    const { user } = await open({ trustedHosts: ['other.test'] })
    const { status, body } = await user.send('/me')
    // Fastify sends the message of every error.
    expect([status, body.includes('trustedHosts')]).toEqual([400, name === 'Fastify'])
  })
})

test('node:http: a handler without next responds with the status of an error of a configuration function', async () => {
  const limited = new TooManyAttempts('Later.', { retryAfter: 30 })
  const { handler } = NodeLib(() => Promise.reject(limited))
  const { origin, stop } = await listen((req, res) => handler(req, res))
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  const { status, headers } = await user.send('/auth/session')
  expect([status, headers['retry-after']]).toEqual([429, '30'])
})

test('Hono prints an error of a configuration function, which no other log contains', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const error = new InvalidConfiguration('The vault contains no secret.')
  const lib = HonoLib(() => Promise.reject(error))
  const app = new Hono()
    .get('/me', lib.session, async (c) => c.json(await c.var.auth()))
    .post('/login', async (c) => lib.signIn(c, 'credentials', {}))
  for (const [path, method] of [
    ['/me', 'GET'],
    ['/login', 'POST'],
  ] as const) {
    print.mockClear()
    const { status } = await app.request(`https://app.test${path}`, { method })
    expect([status, print.mock.calls]).toEqual([500, [[error]]])
  }
})

test('an error has the status of its type, which servers can change', () => {
  const error = new UntrustedHost('No.')
  expect(error.status).toBe(400)
  // Koa and handlers of Express applications assign it.
  expect(Object.assign(error, { status: 421 }).status).toBe(421)
})

test('an error of a type that the application has defined has the status 500, or its own', () => {
  class Unpaid extends AuthError {
    static override type = 'Unpaid'
  }
  class Closed extends AuthError {
    static override type = 'Closed'
    override readonly status = 423
  }
  expect([new Unpaid().status, new Closed().status]).toEqual([500, 423])
})
