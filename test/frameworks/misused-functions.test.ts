/** Calls that the types forbid and JavaScript allows: the developer gets the reason, and the protected page is not sent. */
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import SvelteKitLib from '../../src/frameworks/sveltekit/lib.ts'
import { siteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'
import express4 from 'express-4'
import type { RunningSite } from './conformance/site.ts'

type Untyped = (...args: readonly unknown[]) => unknown

/** A wrapper as a JavaScript application sees it. */
interface UntypedLib {
  protect(...args: readonly unknown[]): Untyped
  auth(...args: readonly unknown[]): unknown
}

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

const text = { 'content-type': 'text/plain' }
const asError = (error: Error) => new Response(error.message, { status: 500, headers: text })

/** Status and body of a page of Express that calls a function of the wrapper itself. */
async function expressPage(page: (lib: UntypedLib, ...args: unknown[]) => unknown) {
  const lib: UntypedLib = Object(ExpressLib(siteConfig().config))
  const app = express().get('/page', (req, res, next) => {
    Promise.resolve(page(lib, req, res)).then(() => res.send('page'), next)
  })
  const { origin, stop } = await listen(app)
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  const { status, body } = await user.send('/page')
  return [status, body]
}

async function honoPage(page: (lib: UntypedLib, c: unknown) => unknown) {
  const lib: UntypedLib = Object(HonoLib(siteConfig().config))
  const app = new Hono().get('/page', async (c) => {
    await page(lib, c)
    return c.text('page')
  })
  const answer = await app.onError(asError).request('/page')
  return [answer.status, await answer.text()]
}

describe('protect() that a page calls itself', () => {
  const expected = [
    500,
    expect.stringContaining('The handler of protect() was called without next.'),
  ]

  test('Express: is an error, and the page is not sent', async () => {
    expect(await expressPage((lib, ...args) => lib.protect()(...args))).toEqual(expected)
  })

  test('Hono: is an error, and the page is not sent', async () => {
    expect(await honoPage((lib, c) => lib.protect()(c))).toEqual(expected)
  })

  test('React Router: is an error', async () => {
    const lib: UntypedLib = Object(ReactRouterLib(siteConfig().config))
    await expect(lib.protect()({})).rejects.toThrow('called without next')
  })
})

describe('options that protect would ignore', () => {
  const wrong = [
    [{ alow: () => false }, 'alow is not an option of protect.'],
    [() => false, 'The options of protect are a function.'],
    [{ allow: 'admin' }, 'allow of protect is not a function (got a string).'],
    [{ allow: undefined }, 'allow of protect is not a function (got undefined).'],
    [{ allow: null }, 'allow of protect is not a function (got null).'],
    [{ requires: undefined }, 'requires of protect requires nothing (got undefined).'],
    [{ requires: {} }, 'requires of protect requires nothing (got an object).'],
    [{ requires: { maxAge: undefined } }, 'maxAge of protect({ requires }) is undefined.'],
    [{ requires: { redirectTo: '/' } }, 'redirectTo is not an option of protect({ requires }).'],
    [{ requires: 2 }, 'The requirement of protect({ requires }) is not an object (got 2).'],
    [Promise.resolve({ allow: () => false }), 'The options of protect are a promise.'],
    [new Map([['allow', () => false]]), 'The options of protect are an object.'],
  ] as const

  test.each(wrong)(
    'Fastify: %o is an error, and the page is not sent',
    async (options, message) => {
      const lib = FastifyLib(siteConfig().config)
      const untyped: UntypedLib = Object(lib)
      const app = Fastify()
      ends.push(() => app.close())
      app.register(lib.plugin)
      const preHandler = async (...args: unknown[]) => untyped.protect(options)(...args)
      app.get('/page', { preHandler }, async () => 'page')
      const { statusCode, body } = await app.inject('/page')
      expect([statusCode, body]).toEqual([500, expect.stringContaining(message)])
    },
  )

  test.each(wrong)('SvelteKit: %o is an error', async (options, message) => {
    const lib: UntypedLib = Object(SvelteKitLib(siteConfig().config))
    const request = new Request('http://localhost/page')
    await expect(lib.protect({ request }, options)).rejects.toThrow(message)
  })
})

describe('functions that are called without a request', () => {
  const MESSAGE = 'was called without a request (got undefined).'

  test('Express: auth() is an error with the arguments to pass', async () => {
    expect(await expressPage((lib) => lib.auth())).toEqual([500, expect.stringContaining(MESSAGE)])
  })

  test('Hono: auth() is an error with the arguments to pass', async () => {
    expect(await honoPage((lib) => lib.auth())).toEqual([500, expect.stringContaining(MESSAGE)])
  })

  test('Express: handler() is an error with the arguments to pass', () => {
    const handler: Untyped = Object(ExpressLib(siteConfig().config).handler)
    expect(() => handler()).toThrow(MESSAGE)
  })
})

const UNCALLED = 'protect was used as a handler, but returns one. Call it: protect()'

async function answerOf(starting: Promise<RunningSite>, path: string) {
  const { origin, stop } = await starting
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  return user.send(path)
}

test.each([
  ['Express 5', express],
  ['Express 4', express4],
])(
  '%s: protect that was not called is an error, and the request does not hang',
  async (_, create) => {
    const lib: UntypedLib = Object(ExpressLib(siteConfig().config))
    const app = create()
    app.get(
      '/account',
      (...args) => void lib.protect(...args),
      (_req, res) => void res.send('page'),
    )
    const { status, body } = await answerOf(listen(app), '/account')
    expect([status, body]).toEqual([500, expect.stringContaining(UNCALLED)])
  },
)

test('Fastify: protect that was not called is an error, and the request does not hang', async () => {
  const lib: UntypedLib = Object(FastifyLib(siteConfig().config))
  const app = Fastify()
  ends.push(() => app.close())
  app.get('/account', { preHandler: (...args) => void lib.protect(...args) }, async () => 'page')
  const { statusCode, body } = await app.inject('/account')
  expect([statusCode, body]).toEqual([500, expect.stringContaining(UNCALLED)])
})

test('Hono: protect that was not called is an error', async () => {
  const lib: UntypedLib = Object(HonoLib(siteConfig().config))
  const app = new Hono()
    .get(
      '/account',
      (...args) => lib.protect(...args),
      (c) => c.text('page'),
    )
    .onError((error, c) => c.text(error.message, 500))
  const answer = await app.request('/account')
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(UNCALLED)])
})

test('React Router: protect that was not called is an error', () => {
  const lib: UntypedLib = Object(ReactRouterLib(siteConfig().config))
  expect(() => lib.protect({}, () => undefined)).toThrow(UNCALLED)
})

test('Hono: the error of a handler that returns no response names the cause', async () => {
  const lib = HonoLib(siteConfig().config)
  const app = new Hono()
    .use(lib.handler)
    .use('/login', async () => undefined)
    .onError((error, c) => c.text(error.message, 500))
  const answer = await app.request('/login')
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining('Context is not finalized'),
  ])
})
