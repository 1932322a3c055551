/** Handlers that were registered wrongly: the developer gets the reason, and the protected page is not sent. */
import express from 'express'
import express4 from 'express-4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import ExpressLib from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import { siteConfig } from './conformance/site.ts'
import type { RunningSite } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const MESSAGE = 'protect was used as a handler, but returns one. Call it: protect()'

/** A wrapper as a JavaScript application sees it. */
interface Untyped {
  protect(...args: unknown[]): unknown
}

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

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
    const lib: Untyped = ExpressLib(siteConfig().config)
    const app = create()
    app.get(
      '/account',
      (...args) => void lib.protect(...args),
      (_req, res) => void res.send('page'),
    )
    const { status, body } = await answerOf(listen(app), '/account')
    expect([status, body]).toEqual([500, expect.stringContaining(MESSAGE)])
  },
)

test('Fastify: protect that was not called is an error, and the request does not hang', async () => {
  const lib: Untyped = FastifyLib(siteConfig().config)
  const app = Fastify()
  ends.push(() => app.close())
  app.get('/account', { preHandler: (...args) => void lib.protect(...args) }, async () => 'page')
  const { statusCode, body } = await app.inject('/account')
  expect([statusCode, body]).toEqual([500, expect.stringContaining(MESSAGE)])
})

test('Hono: protect that was not called is an error', async () => {
  const lib: Untyped = HonoLib(siteConfig().config)
  const app = new Hono()
    .get(
      '/account',
      (...args) => lib.protect(...args),
      (c) => c.text('page'),
    )
    .onError((error, c) => c.text(error.message, 500))
  const answer = await app.request('/account')
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(MESSAGE)])
})

test('React Router: protect that was not called is an error', () => {
  const lib: Untyped = ReactRouterLib(siteConfig().config)
  expect(() => lib.protect({}, () => undefined)).toThrow(MESSAGE)
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
