import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import Lib from '../../src/react-router.ts'
import type { LibConfig } from '../../src/react-router.ts'
import { siteConfig } from './conformance/site.ts'

function argsOf(request: Request) {
  const context = new RouterContextProvider()
  return { request, context, params: {}, url: new URL(request.url), pattern: '/page' }
}

function open(): { lib: ReturnType<typeof Lib>; request: Request } {
  const { config } = siteConfig()
  return {
    lib: Lib(config as LibConfig),
    request: new Request('http://localhost:3000/page', { headers: { host: 'localhost:3000' } }),
  }
}

test('names the flag if middleware is not enabled in React Router 7', async () => {
  const { lib } = open()
  await expect(lib.auth({} as never)).rejects.toThrow('future: { v8_middleware: true }')
})

test('names the line to write if the middleware of the root is missing', async () => {
  const { lib, request } = open()
  const context = new RouterContextProvider()
  const line = 'export const middleware = [lib.middleware]'
  await expect(lib.auth(context)).rejects.toThrow(line)
  await expect(lib.update({ request, context }, {})).rejects.toThrow(line)
})

test('adds nothing to a response without changes of the session', async () => {
  const { lib, request } = open()
  const response = new Response('page')
  const args = argsOf(request)
  expect(await lib.middleware(args, async () => response)).toBe(response)
  expect(await lib.auth(args.context)).toBeNull()
})

test.each(['/admin', '/ADMIN', '/Admin/', '/%41dmin', '/%61dmin', '/admin/'])(
  'a rule for /admin applies to %s, and no rule to other pages',
  async (path) => {
    const { config } = siteConfig({
      callbacks: { authorized: ({ url }) => url.pathname !== '/admin' },
    })
    const lib = Lib(config as LibConfig)
    const protect = lib.protect()
    const load = async (pathname: string) => {
      const headers = { host: 'localhost:3000', accept: 'application/json' }
      const request = new Request(`http://localhost:3000${pathname}`, { headers })
      const response = await protect(argsOf(request), async () => new Response('page'))
      return response?.status
    }
    expect([await load(path), await load('/other')]).toEqual([401, 200])
  },
)
