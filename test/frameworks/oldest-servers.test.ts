/** The oldest supported releases of Express, Fastify and Hono, and version 1 of the adapter of Hono for Node.js. */
import { createServer } from 'node:http'
import express421 from 'express-4.21'
import express50 from 'express-5.0'
import fastify50 from 'fastify-5.0'
import { Hono } from 'hono'
import { Hono as Hono46 } from 'hono-4.6'
import { createAdaptorServer as adapter113 } from 'node-server-1.13'
import { createAdaptorServer as adapter119 } from 'node-server-1.19'
import { expect, onTestFinished, test } from 'vitest'
import { Auth } from '../../src/index.ts'
import { passwordConfig } from '../config.ts'
import { conformance } from './conformance/index.ts'
import { restorePlatformClasses } from '../setup/platform-classes.ts'
import { startWith as startHono } from './servers/hono.ts'
import { startWith as startExpress } from './servers/express.ts'
import { startWith as startFastify } from './servers/fastify.ts'
import { listen } from './servers/listen.ts'

conformance('lib-auth/express with Express 4.21.0', startExpress(express421))
conformance('lib-auth/express with Express 5.0.0', startExpress(express50))
conformance('lib-auth/fastify with Fastify 5.0.0', startFastify(fastify50))
conformance(
  'lib-auth/hono with Hono 4.6.0 and @hono/node-server 1.13.0',
  startHono({ hono: Hono46, adapter: adapter113 }),
  { labelsEmptyBodies: true },
)
conformance(
  'lib-auth/hono with @hono/node-server 1.19',
  startHono({ hono: Hono, adapter: adapter119 }),
  { labelsEmptyBodies: true },
)

test.each([
  ['1.13', adapter113],
  ['1.19', adapter119],
])('Auth on @hono/node-server %s sends each response whole', async (_version, adapter) => {
  const { config } = passwordConfig()
  const fetch = (request: Request) => Auth(request, config)
  const { origin, stop } = await listen(adapter({ fetch, createServer }) as never)
  onTestFinished(async () => {
    await stop()
    restorePlatformClasses()
  })
  const read = async (action: string) => (await globalThis.fetch(`${origin}/auth/${action}`)).json()
  expect(await read('session')).toBeNull()
  expect(await read('providers')).toHaveProperty(['password', 'name'])
  expect(await read('csrf')).toHaveProperty('csrfToken')
})
