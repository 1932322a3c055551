/** `protect` of `lib-auth/node` in JavaScript that does not await it: the page is not sent. */
import { createServer as createServer2, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import Lib from '../../src/frameworks/node/index.ts'
import type { LibResult, NodeRequest, NodeResponse } from '../../src/frameworks/node/index.ts'
import { signIn, siteConfig } from './conformance/site.ts'
import { rawClient } from './raw-client.ts'
import { listen } from './servers/listen.ts'

const MESSAGE = /^The response began before protect had decided\. Write: if \(!\(await lib\.protect/

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

/** What a page does. */
type Page = (lib: LibResult, req: NodeRequest, res: NodeResponse) => unknown

async function serve(page: Page) {
  const errors: unknown[] = []
  const lib = Lib(siteConfig().config)
  const { origin, stop } = await listen((req, res) =>
    lib.handler(req, res, () => {
      Promise.resolve()
        .then(() => page(lib, req, res))
        .catch((error: unknown) => {
          errors.push(error)
          if (res.headersSent) res.destroy()
          else res.writeHead(500).end()
        })
    }),
  )
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  return { user, errors }
}

const NOT_AWAITED: readonly (readonly [string, Page])[] = [
  [
    'its promise is the condition',
    (lib, req, res) => {
      if (!Object(lib.protect(req, res))) return
      res.end('secret')
    },
  ],
  [
    'its result is ignored',
    (lib, req, res) => {
      void lib.protect(req, res)
      res.writeHead(200, { 'content-type': 'text/plain' })
      res.end('secret')
    },
  ],
  [
    'the page is written in parts',
    (lib, req, res) => {
      void lib.protect(req, res)
      Reflect.apply(res.write, res, ['secret'])
      res.end()
    },
  ],
]

test.each(NOT_AWAITED)(
  'responds with 500 if %s, and the error contains what to write',
  async (_, page) => {
    const { user, errors } = await serve(page)
    const answer = await user.send('/account')
    expect([answer.status, answer.body]).toEqual([500, ''])
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(MESSAGE) })])
    await signIn(user)
    expect((await user.send('/account')).status).toBe(500)
  },
)

test.each(['text/html', 'application/json'])(
  'a page that is ready at the moment of the decision is not sent: accept %s',
  async (accept) => {
    const bodies: string[] = []
    for (let turns = 0; turns < 40; turns++) {
      const { user } = await serve(async (lib, req, res) => {
        res.on('error', () => undefined)
        void lib.protect(req, res)
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        res.end('secret')
      })
      const { body } = await user.send('/account', { headers: { accept } })
      bodies.push(body)
    }
    expect(bodies.filter((body) => body.includes('secret'))).toEqual([])
  },
)

test('an error response can be sent before the decision', async () => {
  const { user } = await serve((lib, req, res) => {
    void lib.protect(req, res)
    res.writeHead(503).end('late')
  })
  expect((await user.send('/account')).body).toBe('late')
})

test('cookies that are set while protect runs are sent with the page', async () => {
  const lib = Lib(siteConfig({ session: { updateAge: 0 } }).config)
  const site = async (req: NodeRequest, res: NodeResponse) => {
    if (await lib.protect(req, res)) res.end('secret')
  }
  const { origin, stop } = await listen((req, res) =>
    lib.handler(req, res, () => void site(req, res)),
  )
  const user = rawClient(origin)
  ends.push(stop, () => user.close())
  await signIn(user)
  const { body, setCookies } = await user.send('/account')
  expect([body, setCookies.length]).toEqual(['secret', 1])
})

test('HTTP/2: the page is not sent before the decision', async () => {
  const lib = Lib(siteConfig().config)
  const errors: unknown[] = []
  const server = createServer2((req, res) => {
    void lib.protect(req, res)
    try {
      res.end('secret')
    } catch (error) {
      errors.push(error)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const stream = session.request({ ':path': '/account', accept: 'text/html' })
  const status = await new Promise((resolve) =>
    stream.on('response', (headers) => resolve(headers[':status'])),
  )
  let body = ''
  for await (const chunk of stream) body += String(chunk)
  expect([status, body]).toEqual([302, ''])
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(MESSAGE) })])
  session.close()
  await new Promise((resolve) => server.close(resolve))
})
