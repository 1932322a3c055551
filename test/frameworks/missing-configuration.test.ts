/** A configuration that is missing: the developer reads what to write when the application starts. */
import { describe, expect, test, vi } from 'vitest'
import AstroLib from '../../src/frameworks/astro/index.ts'
import ExpressLib, { ExpressAuth } from '../../src/frameworks/express/index.ts'
import FastifyLib from '../../src/frameworks/fastify/index.ts'
import HonoLib from '../../src/frameworks/hono/index.ts'
import { Auth } from '../../src/index.ts'
import NextLib from '../../src/frameworks/next/index.ts'
import NodeLib from '../../src/frameworks/node/index.ts'
import NuxtLib from '../../src/frameworks/nuxt/index.ts'
import ReactRouterLib from '../../src/frameworks/react-router/index.ts'
import SvelteKitLib from '../../src/frameworks/sveltekit/index.ts'
import TanStackLib from '../../src/frameworks/tanstack-start/index.ts'
import { startExpress } from './servers/express.ts'
import { startFastify } from './servers/fastify.ts'
import { startHono } from './servers/hono.ts'
import { startNode } from './servers/node.ts'
import { rawClient } from './raw-client.ts'

/** A wrapper as a JavaScript application sees it. */
type Untyped = (...args: unknown[]) => unknown

const LIBS: Readonly<Record<string, Untyped>> = {
  Astro: AstroLib as Untyped,
  Express: ExpressLib as Untyped,
  ExpressAuth: ExpressAuth as Untyped,
  Fastify: FastifyLib as Untyped,
  Hono: HonoLib as Untyped,
  Next: NextLib as Untyped,
  Node: NodeLib as Untyped,
  Nuxt: NuxtLib as Untyped,
  'React Router': ReactRouterLib as Untyped,
  SvelteKit: SvelteKitLib as Untyped,
  'TanStack Start': TanStackLib as Untyped,
}

describe.each(Object.entries(LIBS))('%s', (_, lib) => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['config', 'a string'],
    [[], 'an array'],
    [Promise.resolve({}), 'a promise'],
  ])('rejects %s as the configuration, and shows what to write', (value, kind) => {
    expect(() => lib(value)).toThrow(
      `The configuration of Lib is ${kind}. Write Lib({ providers: [GitHub] }) or`,
    )
  })
})

test('a call without any argument is rejected in the same way', () => {
  const lib = ExpressLib as Untyped
  expect(() => lib()).toThrow('The configuration of Lib is undefined.')
})

test.each([
  ['Express', startExpress],
  ['Fastify', startFastify],
  ['Hono', startHono],
  ['node:http', startNode],
])('%s: a configuration function without a result leads to 500', async (_, start) => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const { origin, stop } = await start({ config: (() => undefined) as never })
  const user = rawClient(origin)
  expect((await user.send('/auth/session')).status).toBe(500)
  user.close()
  await stop()
})

test('the error of a configuration function without a result shows what to write', async () => {
  const { auth } = HonoLib((() => undefined) as never)
  const raw = new Request('http://localhost/')
  const reading = auth({ req: { raw, url: raw.url } } as never)
  await expect(reading).rejects.toThrow('The configuration of Lib is undefined. Write')
})

test('Auth without a configuration shows what to write', async () => {
  const answer = (Auth as Untyped)(new Request('http://localhost/auth/session'))
  await expect(answer).rejects.toThrow('Pass it as the second argument: Auth(request, config).')
})
