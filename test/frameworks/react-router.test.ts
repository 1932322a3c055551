import { RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import Lib from '../../src/frameworks/react-router/index.ts'
import type { LibConfig } from '../../src/frameworks/react-router/index.ts'
import { cookieFor } from '../sessions.ts'
import { siteConfig } from './conformance/site.ts'

function argsOf(request: Request, context = new RouterContextProvider()) {
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

describe('one RouterContextProvider for all requests', () => {
  const context = new RouterContextProvider()

  /** A signed-in user and one who is not, in an application whose sessions are extended with each read. */
  async function shared() {
    const { config, log } = siteConfig({ session: { updateAge: 0 } })
    const lib = Lib(config as LibConfig)
    const visit = (cookie: string, load: () => Promise<unknown>) => {
      const headers = { host: 'localhost:3000', ...(cookie && { cookie }) }
      const args = argsOf(new Request('http://localhost:3000/page', { headers }), context)
      return lib.middleware(args, async () => Response.json(await load()))
    }
    const salt = 'lib.session-token'
    const ada = await cookieFor({ name: 'User ada', sub: 'ada' }, { salt })
    return { lib, log, visit, ada }
  }

  test('reads the session of each request, and warns once', async () => {
    const { lib, log, visit, ada } = await shared()
    const load = () => lib.auth(context)
    const names = []
    for (const cookie of [ada, '', ada, '']) {
      const response = await visit(cookie, load)
      const session = Object(await response?.json())
      names.push([session?.user?.name, response?.headers.getSetCookie().length])
    }
    expect(names).toEqual([
      ['User ada', 1],
      [undefined, 0],
      ['User ada', 1],
      [undefined, 0],
    ])
    expect(log.lines.filter((line) => line.includes('shared-context'))).toHaveLength(1)
  })

  test('reads no session while several requests are handled, and never sets the cookies of another', async () => {
    const { lib, visit, ada } = await shared()
    let arrive: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const message = 'Several requests have the same context'
    const first = visit(ada, async () => {
      await arrived
      await expect(lib.auth(context)).rejects.toThrow(message)
      return 'ada'
    })
    const second = await visit('', async () => {
      arrive()
      await first
      return 'guest'
    })
    expect(second?.headers.getSetCookie()).toEqual([])
  })
})
