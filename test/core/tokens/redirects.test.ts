/** An endpoint that redirects, over HTTP: no token and no client secret is sent to another origin. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken, insecureHttp } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { cookiesOf, pass, requestWith } from './site.ts'

afterEach(() => vi.useRealTimers())

type Answer = readonly [status: number, location: string] | undefined

/** Records what is sent to it. */
async function serve(answer: () => Answer) {
  const received: string[] = []
  const server = createServer((request, response) => {
    const respond = async () => {
      received.push(`${request.method} ${request.url} ${await text(request)}`)
      const [status, location] = answer() ?? [200, '']
      if (location) response.setHeader('location', location)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ access_token: 'new', token_type: 'bearer' }))
    }
    void respond()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { received, url: `http://127.0.0.1:${port}` }
}

const other = await serve(() => undefined)
let redirect: Answer
const endpoint = await serve(() => redirect)

async function signedIn() {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept', accessTokenLifetime: 600 })
  const provider = { refresh: `${endpoint.url}/token`, revocation: `${endpoint.url}/revoke` }
  const { config, log } = configFor(op, {
    providers: [{ ...oidc(op, provider), [insecureHttp]: true }],
    adapter: MemoryAdapter(),
    session: { strategy: 'database' },
    tokens: { where: 'store', revokeOnSignOut: 'session' },
    fetch: (input, init) => {
      const { hostname } = new URL(input instanceof Request ? input.url : input)
      return hostname === '127.0.0.1' ? fetch(input, init) : op.fetch(input, init)
    },
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  const read = async () => (await getAccessToken(requestWith(cookiesOf(tab)), config, 'op')).value
  return { tab, log, read }
}

test.each([300, 301, 302, 303, 307, 308])(
  'a redirect with %i to another origin is not followed',
  async (status) => {
    endpoint.received.length = 0
    redirect = [status, `${other.url}/stolen`]
    const { tab, log, read } = await signedIn()
    const before = await read()
    pass(570)
    expect(await read()).toEqual(before)
    pass(40)
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
    await tab.post('signout')
    expect(await tab.session()).toBeNull()
    expect(endpoint.received).toEqual([
      expect.stringMatching(/^POST \/token refresh_token=/),
      expect.stringMatching(/^POST \/token refresh_token=/),
      expect.stringMatching(/^POST \/revoke .*token=/),
    ])
    expect(log.lines).toContainEqual(['warn', 'token-not-revoked', expect.any(String)])
    expect(other.received).toEqual([])
  },
)

test('a redirect to the same origin is not followed either, and the next request succeeds', async () => {
  redirect = [307, '/elsewhere']
  const { read } = await signedIn()
  endpoint.received.length = 0
  pass(600)
  await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
  expect(endpoint.received).toHaveLength(1)
  redirect = undefined
  pass(31)
  expect((await read()).accessToken).toBe('new')
})
