/** The Node.js bridge on HTTP/2 with TLS: pseudo-headers, `:authority` as the host, and https. */
import { once } from 'node:events'
import { connect, createSecureServer } from 'node:http2'
import type { ClientHttp2Session, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import Lib from '../../src/frameworks/node/index.ts'
import type { NodeRequest, NodeResponse } from '../../src/frameworks/node/index.ts'
import { cookieStore } from '../../src/testing/cookies.ts'
import { siteConfig } from './conformance/site.ts'

// With a shared key (RFC 4279), TLS needs no certificate.
const psk = Buffer.alloc(32, 'a shared key')
const TLS = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const

const { config } = siteConfig({ session: { updateAge: 0 } })
const lib = Lib(config)

async function site(req: NodeRequest, res: NodeResponse): Promise<void> {
  try {
    if (req.url === '/account' && !(await lib.protect(req, res))) return
    res.end(JSON.stringify(await lib.auth(req, res)))
  } catch {
    res.writeHead(500).end()
  }
}

const server = createSecureServer({ ...TLS, pskCallback: () => psk }, (req, res) => {
  lib.handler(req, res, (error) => {
    if (error) res.writeHead(500).end()
    else void site(req, res)
  })
})
let session: ClientHttp2Session
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  session = connect(origin, {
    ...TLS,
    pskCallback: () => ({ psk, identity: 'test' }),
    checkServerIdentity: () => undefined,
  })
})
afterAll(() => {
  session.close()
  server.close()
})

const cookies = cookieStore()

async function send(path: string, form?: Readonly<Record<string, string>>) {
  const url = new URL(path, origin)
  const method = form ? 'POST' : 'GET'
  const cookie = cookies.header({ url, method, initiator: 'same-site' })
  const stream = session.request({
    ':path': path,
    ':method': method,
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-dest': 'document',
    ...(cookie && { cookie }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  })
  stream.end(form && String(new URLSearchParams(form)))
  const [headers]: (IncomingHttpHeaders & IncomingHttpStatusHeader)[] = await once(
    stream,
    'response',
  )
  for (const each of [headers?.['set-cookie'] ?? []].flat()) cookies.accept(each, url)
  return { headers: headers ?? {}, body: await text(stream) }
}

test('signs in over HTTP/2, with secure cookies and the host of :authority', async () => {
  const { csrfToken } = JSON.parse((await send('/auth/csrf')).body)
  const form = { csrfToken, username: 'ada', password: 'right' }
  const { headers } = await send('/auth/callback/credentials', form)
  expect([headers[':status'], headers['location']]).toEqual([302, origin])
  expect(cookies.get('__Host-lib.session-token')).toMatchObject({ secure: true, httpOnly: true })
  const me = await send('/me')
  expect(JSON.parse(me.body).user.name).toBe('User ada')
  expect(String(me.headers['set-cookie'])).toContain('__Host-lib.session-token=')
})

test('protects a route over HTTP/2', async () => {
  cookies.delete('__Host-lib.session-token')
  const { headers } = await send('/account')
  const target = `${origin}/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/account`)}`
  expect([headers[':status'], headers['location']]).toEqual([302, target])
})

test('rejects a body of 300 kB over HTTP/2, and answers the next request', async () => {
  const { headers } = await send('/auth/signin/op', { csrfToken: 'x'.repeat(300_000) })
  expect(headers[':status']).toBe(413)
  expect((await send('/auth/session')).body).toBe('null')
})
