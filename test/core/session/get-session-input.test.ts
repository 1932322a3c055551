/** The inputs of `getSession`: a request, its headers, or a plain object of headers. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { InvalidRequest } from '../../../src/errors.ts'
import { getSession } from '../../../src/index.ts'
import type { RequestLike } from '../../../src/index.ts'
import { getToken } from '../../../src/jwt.ts'
import { passwordConfig } from '../../config.ts'
import { cookieFor, SESSION } from '../../sessions.ts'

const ADA = { sub: '1', name: 'Ada Lovelace' }
const cookie = await cookieFor(ADA)
const plain = await cookieFor(ADA, { salt: 'lib.session-token' })
const { config } = passwordConfig()

async function nameIn(request: RequestLike, overrides = {}): Promise<string | null | undefined> {
  const { session } = await getSession(request, { ...config, ...overrides })
  return session?.user?.name
}

/** The request of Express: the one of `node:http`, with a method `get`. */
const EXPRESS = {
  url: '/page?next=1',
  headers: { cookie, host: 'app.test', 'set-cookie': ['a=1'] },
  get: (name: string) => `the header ${name}`,
  header: () => undefined,
}

const INPUTS: Record<string, () => RequestLike> = {
  'a Request': () => new Request('https://app.test/page', { headers: { cookie } }),
  'a Request with a Host header': () =>
    new Request('https://10.0.0.5/page', { headers: { cookie, host: 'app.test' } }),
  Headers: () => new Headers({ cookie, host: 'app.test' }),
  'a plain object': () => ({ cookie, host: 'app.test' }),
  'a plain object in any case': () => ({ Cookie: cookie, Host: 'app.test' }),
  'an object with several cookie headers': () => ({ host: 'app.test', cookie: ['a=1', cookie] }),
  'an object with headers that have the names of properties of a Request': () => ({
    cookie,
    host: 'app.test',
    url: 'https://evil.test/',
    headers: 'x',
    get: 'x',
  }),
  'a request of Express': () => EXPRESS,
  'a request with Headers and without a URL': () => ({
    headers: new Headers({ cookie, host: 'app.test' }),
  }),
  'an object with undefined and with symbols': () => ({
    cookie,
    host: 'app.test',
    accept: undefined,
    [Symbol('sensitive')]: [],
  }),
}

describe.each(Object.entries(INPUTS))('getSession with %s', (_what, input) => {
  test('reads the session', async () => {
    expect(await nameIn(input())).toBe('Ada Lovelace')
  })

  test('rejects an untrusted host', async () => {
    const reading = nameIn(input(), { trustHost: false, trustedHosts: ['other.test'] })
    await expect(reading).rejects.toThrow('The host "app.test"')
  })
})

test('getToken reads the token of a request of Express', async () => {
  const token = await getToken({ req: EXPRESS, config: { ...config, useSecureCookies: true } })
  expect(token?.sub).toBe('1')
})

test('reads the session of a request of node:http', async () => {
  const found: unknown[] = []
  const server = createServer((request, response) => {
    const headers: IncomingHttpHeaders = request.headers
    void Promise.all([nameIn(headers), nameIn(request)])
      .then((names) => found.push(...names))
      .finally(() => response.end())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie: plain } })
  server.close()
  expect(found).toEqual(['Ada Lovelace', 'Ada Lovelace'])
})

test('reads the session of a request of node:http2, which has no Host header', async () => {
  const found: unknown[] = []
  const server = createServer2((request, response) => {
    void nameIn(request.headers)
      .then(
        (name) => found.push(name, request.headers.host),
        (error: unknown) => found.push(error),
      )
      .finally(() => response.end())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client = connect(`http://127.0.0.1:${port}`)
  const stream = client.request({ ':path': '/', cookie: plain })
  await new Promise((resolve) => void stream.once('close', resolve).resume())
  client.close()
  server.close()
  expect(found).toEqual(['Ada Lovelace', undefined])
})

test.each([
  [undefined, /^The request is missing \(got undefined\)\. Pass the Request/],
  [null, /^The request is missing \(got null\)/],
  ['https://app.test/', /^The request is missing \(got string\)/],
  [Promise.resolve(new Headers()), /^The request is a Promise\. Await it first/],
])('rejects %s with a message that states what to pass', async (given, message) => {
  const reading: unknown = Reflect.apply(getSession, undefined, [given, config])
  expect(reading).toBeInstanceOf(Promise)
  await expect(reading).rejects.toThrow(message)
})

test('rejects a missing configuration and names the argument', async () => {
  const reading = Reflect.apply(getSession, undefined, [new Headers()])
  await expect(reading).rejects.toThrow(/^The configuration is missing\. Pass it as the second/)
})

test('uses the protocol of the URL of a Request', async () => {
  const visit = (url: string, sent: string) => new Request(url, { headers: { cookie: sent } })
  expect(await nameIn(visit('https://app.test/', plain))).toBeUndefined()
  expect(await nameIn(visit('http://app.test/', plain))).toBe('Ada Lovelace')
})

test.each<[string, RequestLike]>([
  ['Headers', new Headers({ cookie })],
  ['an empty object', {}],
  ['an object with the cookie alone', { cookie }],
])('rejects %s without a host, and states what to pass', async (_what, input) => {
  const reading = nameIn(input)
  await expect(reading).rejects.toThrow(InvalidRequest)
  await expect(reading).rejects.toThrow(/no Host.*Pass the Request itself.*AUTH_URL/)
  expect(await nameIn(input, { origin: 'https://app.test' })).toBe(
    'cookie' in input || input instanceof Headers ? 'Ada Lovelace' : undefined,
  )
})

test('extends the session under the name of the cookie that it read', async () => {
  const { headers } = await getSession(
    { cookie, host: 'app.test' },
    { ...config, session: { updateAge: 0 } },
  )
  expect(headers.getSetCookie().map((each) => each.split('=')[0])).toEqual([SESSION])
})
