/** No token in a log, an error or an event, whatever the provider and the adapter quote. */
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Sent = { readonly token: string; readonly authorization: string }

const FAILURES: Readonly<Record<string, (sent: Sent) => Response | Promise<Response>>> = {
  'an error that repeats the refresh token': ({ token }) =>
    Response.json(
      { error: 'invalid_request', error_description: `Bad: ${token}` },
      { status: 400 },
    ),
  'a refusal that repeats the refresh token': ({ token }) =>
    Response.json({ error: 'invalid_grant', error_description: token }, { status: 400 }),
  'a rejected client, with its credentials': ({ authorization }) =>
    Response.json({ error: 'invalid_client', error_description: authorization }, { status: 401 }),
  'an error whose code is the refresh token': ({ token }) =>
    Response.json({ error: token }, { status: 400 }),
  'an error whose code contains the refresh token': ({ token }) =>
    Response.json({ error: `bad_${token}` }),
  'a rejected client whose code is its credentials': ({ authorization }) =>
    Response.json({ error: authorization.slice(-60) }, { status: 401 }),
  'a page that repeats the request': ({ token }) => new Response(`<p>${token}</p>`),
  'a lost connection, with the request': ({ token }) =>
    Promise.reject(new TypeError(`fetch failed: refresh_token=${token}`)),
  'tokens without their type': ({ token }) => Response.json({ access_token: token }),
}

test.each(Object.entries(FAILURES))('%s', async (_name, fail) => {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept', accessTokenLifetime: 600 })
  const printed: unknown[][] = []
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...line) => void printed.push(line))
  const events: unknown[] = []
  const secrets = new Set<string>([op.clientSecret])
  const { logger: _logger, ...rest } = configFor(op).config
  const config = {
    ...rest,
    debug: true,
    providers: [oidc(op)],
    adapter: MemoryAdapter(),
    session: { strategy: 'database' },
    tokens: {},
    events: { tokenRefreshFailed: (message: object) => void events.push(message) },
    async fetch(input: string | URL | Request, init?: RequestInit) {
      const request = new Request(input, init)
      const body = new URLSearchParams(await request.clone().text())
      const token = body.get('refresh_token')
      if (token === null) return op.fetch(request)
      const authorization = request.headers.get('authorization') ?? ''
      secrets.add(token).add(authorization.replace('Basic ', ''))
      return fail({ token, authorization })
    },
  } as const
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  const url = new URL('https://app.test/')
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
  const request = () => new Request(url, { headers: { cookie, host: 'app.test' } })
  secrets.add((await getAccessToken(request(), config, 'op')).value.accessToken)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  const errors = [
    await getAccessToken(request(), config, 'op').catch((error: unknown) => error),
    await getAccessToken(request(), config, 'op').catch((error: unknown) => error),
  ]
  expect(errors.every((error) => error instanceof Error)).toBe(true)
  const text = inspect([printed, errors, events], { depth: null, showHidden: true })
  expect(text).toContain('AccessToken')
  expect([...secrets].filter((secret) => text.includes(secret))).toEqual([])
})
