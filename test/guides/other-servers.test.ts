/** docs/guides/other-servers.md: a user signs in and out on each server. */
import { once } from 'node:events'
import { createAdaptorServer } from '@hono/node-server'
import { createServer, request as sendRequest } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { cookieStore } from '../../src/testing/cookies.ts'
import { issuer } from '../../src/testing/index.ts'
import { configFor, SECRET } from '../config.ts'
import { openGuide } from './guide.ts'

const op = await issuer()
vi.stubEnv('AUTH_SECRET', SECRET)
vi.stubEnv('AUTH_GITHUB_ID', 'id')
vi.stubEnv('AUTH_GITHUB_SECRET', 'secret')
const guide = openGuide('other-servers')
const { config } = await guide.load<{ config: AuthConfig }>('config.ts')
// The user signs in at a test provider.
const { providers, fetch: providerFetch } = configFor(op).config
const logger = { error: vi.fn() }
// Hono prints the errors of routes.
vi.spyOn(console, 'error').mockImplementation(() => undefined)
let isDown = false
Object.assign(config, {
  providers,
  fetch: providerFetch,
  logger,
  trustHost: false,
  trustedHosts: ['127.0.0.1:*'],
  callbacks: {
    session({ session }: { session: object }) {
      if (isDown) throw new Error('The database does not answer.')
      return session
    },
  },
})
afterAll(() => void vi.restoreAllMocks().unstubAllEnvs().unstubAllGlobals())

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const SERVERS: Record<string, () => Promise<Server>> = {
  'node.ts': async () => listen((await guide.load<{ server: Server }>('node.ts')).server),
  'express.ts': async () => {
    const { app } = await guide.load<{ app: Parameters<typeof createServer>[1] }>('express.ts')
    return listen(createServer(app))
  },
  'fastify.ts': async () => {
    const { app } = await guide.load<{
      app: { listen(options: object): Promise<string>; server: Server }
    }>('fastify.ts')
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  'fetch.ts': async () => {
    const { fetch } = await guide.load<{ fetch: (request: Request) => Promise<Response> }>(
      'fetch.ts',
    )
    return listen(createAdaptorServer({ fetch }) as Server)
  },
  'hono-node.ts': async () => {
    vi.stubEnv('PORT', '0')
    const { server } = await guide.load<{ server: Server }>('hono-node.ts')
    if (!server.listening) await once(server, 'listening')
    return server
  },
}

describe.each(Object.keys(SERVERS))('%s', (file) => {
  const cookies = cookieStore()
  let server: Server
  let origin: string

  beforeAll(async () => {
    server = (await SERVERS[file]?.()) ?? createServer()
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  async function request(path: string, form?: Record<string, string>): Promise<Response> {
    const url = new URL(path, origin)
    const method = form ? 'POST' : 'GET'
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: cookies.header({ url, method, initiator: 'same-site' }),
        'sec-fetch-site': 'same-origin',
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) cookies.accept(cookie, url)
    return response
  }

  async function csrfToken(): Promise<string> {
    return (await (await request('/auth/csrf')).json()).csrfToken
  }

  test('signs a user in and out, also if the session cannot be read in between', async () => {
    expect(await (await request('/')).text()).toBe('Hello, stranger')
    const begun = await request('/auth/signin/op', { csrfToken: await csrfToken() })
    const { url } = await op.authorize(begun.headers.get('location') ?? '')
    expect((await request(url)).status).toBe(302)
    expect(await (await request('/')).text()).toBe('Hello, Ada Lovelace')
    isDown = true
    expect((await request('/')).status).toBe(503)
    isDown = false
    expect(await (await request('/')).text()).toBe('Hello, Ada Lovelace')
    await request('/auth/signout', { csrfToken: await csrfToken() })
    expect(await (await request('/')).text()).toBe('Hello, stranger')
  })

  test.each(['/', '/auth/session'])('answers %s for a host that is not trusted', async (path) => {
    const [response] = await once(
      sendRequest(new URL(path, origin), { headers: { host: 'evil.example' } }).end(),
      'response',
    )
    response.resume()
    expect(response.statusCode).toBe(400)
    expect(await (await request('/')).text()).toBe('Hello, stranger')
  })

  test.skipIf(file === 'fetch.ts')('protects a route', async () => {
    const response = await request('/account')
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      `${origin}/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/account`)}`,
    ])
  })

  test('shows the sign-in page with its headers', async () => {
    const response = await request('/auth/signin?callbackUrl=%2F')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain('Sign in')
  })

  test('answers 413 to a body that is too large', async () => {
    const response = await request('/auth/signin/op', { csrfToken: 'x'.repeat(100_000) })
    expect(response.status).toBe(413)
  })
})
