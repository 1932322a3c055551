import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import Lib from '../../src/react-router.ts'
import type { LibConfig } from '../../src/react-router.ts'
import { siteConfig } from './conformance/site.ts'

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
  const context = new RouterContextProvider()
  const response = new Response('page')
  const args = { request, context, params: {}, url: new URL(request.url), pattern: '/page' }
  expect(await lib.middleware(args, async () => response)).toBe(response)
  expect(await lib.auth(context)).toBeNull()
})
