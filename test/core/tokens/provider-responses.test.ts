/** What a provider may answer to a refresh, and what is then stored. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken } from '../../../src/index.ts'
import type { AccessTokenOptions, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'

afterEach(() => vi.useRealTimers())

type Answer = (refreshed: Values) => Response | Promise<Response>

/** A user who is signed in; the provider rotates refresh tokens, and `answer` changes its responses. */
async function open(answer: Answer, config: Partial<Pick<AuthConfig, 'tokens'>> = {}) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept', accessTokenLifetime: 600 })
  const adapter = MemoryAdapter()
  let isRefresh = false
  let sent = 0
  const { config: complete, log } = configFor(op, {
    providers: [oidc(op)],
    adapter,
    session: { strategy: 'database' },
    tokens: {},
    async fetch(input, init) {
      const response = await op.fetch(input, init)
      const isSent = init?.body instanceof URLSearchParams && init.body.has('refresh_token')
      if (!isRefresh || !isSent) return response
      sent++
      return answer(await response.json())
    },
    ...config,
  })
  const tab = browser(complete, { issuer: op })
  await tab.signIn('op')
  isRefresh = true
  const url = new URL('https://app.test/')
  const read = async (given?: AccessTokenOptions) => {
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const request = new Request(url, { headers: { cookie, host: 'app.test' } })
    return (await getAccessToken(request, complete, 'op', given)).value
  }
  const row = () => adapter.getAccount?.('ada', 'op')
  const before = { ...(await row()) }
  return { op, log, read, row, before, sent: () => sent }
}

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

const refusal =
  (status: number, body: unknown, headers = {}) =>
  () =>
    typeof body === 'string'
      ? new Response(body, { status, headers })
      : Response.json(body, { status, headers })

describe('the provider does not refresh, and everything is kept', () => {
  test.each<[string, Answer, type: 'warn' | 'error', pause: number]>([
    ['500', refusal(500, 'Internal error'), 'warn', 30],
    ['503 with a web page', refusal(503, '<h1>Maintenance</h1>'), 'warn', 30],
    ['429', refusal(429, {}), 'warn', 30],
    ['429 with Retry-After', refusal(429, {}, { 'retry-after': '120' }), 'warn', 120],
    ['200 with a web page', refusal(200, '<h1>Sign in</h1>'), 'warn', 30],
    ['200 without an access token', refusal(200, { token_type: 'bearer' }), 'warn', 30],
    ['temporarily_unavailable', refusal(400, { error: 'temporarily_unavailable' }), 'warn', 30],
    ['invalid_client', refusal(401, { error: 'invalid_client' }), 'error', 30],
    ['unauthorized_client', refusal(400, { error: 'unauthorized_client' }), 'error', 30],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed')), 'warn', 30],
  ])('after %s', async (_name, answer, level, pause) => {
    const { log, read, row, before, sent } = await open(answer)
    pass(570)
    // Still valid.
    expect((await read()).accessToken).toMatch(/^[\da-f-]{36}$/)
    pass(40)
    const failure = { type: 'AccessTokenUnavailable', status: 503 }
    if (pause > 40) {
      await expect(read()).rejects.toMatchObject(failure)
      expect(sent()).toBe(1)
      pass(pause)
    }
    await expect(read()).rejects.toMatchObject(failure)
    await expect(read()).rejects.toMatchObject(failure)
    expect(sent()).toBe(2)
    expect(await row()).toEqual(before)
    const types = log.errors.map((error) => 'type' in error && error.type)
    expect(types.includes('OAuthCallbackError')).toBe(level === 'error')
  })
})

describe('the provider refreshes', () => {
  const refreshed = (change: (body: Values) => Values) => (body: Values) =>
    Response.json(change(body))

  test('and omits what has not changed', async () => {
    const { read, row, before } = await open(
      refreshed(({ access_token, token_type, expires_in }) => ({
        access_token,
        token_type,
        expires_in,
      })),
    )
    pass(600)
    await read()
    const after = await row()
    expect(after?.scope).toBe('openid profile email')
    expect(after?.access_token).not.toBe(before.access_token)
    pass(600)
    expect((await read()).expiresAt?.getTime()).toBeGreaterThan(Date.now())
  })

  test('without a lifetime: the token is valid until an API rejects it', async () => {
    const { read, sent } = await open(refreshed(({ expires_in: _omitted, ...body }) => body))
    pass(600)
    const token = await read()
    expect(token.expiresAt).toBeNull()
    pass(1_000_000)
    expect(await read()).toEqual(token)
    await read({ refresh: 'now' })
    expect(sent()).toBe(2)
  })

  test.each([-1, 1e15])('with a lifetime of %d seconds', async (expires_in) => {
    const { read } = await open(refreshed((body) => ({ ...body, expires_in })))
    pass(600)
    const result = await read().catch((error: unknown) => error)
    if (expires_in < 0) expect(result).toMatchObject({ type: 'AccessTokenUnavailable' })
    else expect(result).toMatchObject({ expiresAt: expect.any(Date) })
  })

  test('with fewer scopes', async () => {
    const { read } = await open(refreshed((body) => ({ ...body, scope: 'openid' })))
    pass(600)
    await expect(read({ scope: ['email'] })).rejects.toMatchObject({ missing: ['email'] })
  })

  test('with tokens of 10 kB', async () => {
    const long = 'a'.repeat(10_000)
    const { read } = await open(
      refreshed((body) => ({ ...body, access_token: long, id_token: undefined })),
    )
    pass(600)
    expect((await read()).accessToken).toBe(long)
    expect((await read()).accessToken).toBe(long)
  })

  test('with an ID token of another user: the response is rejected', async () => {
    const { op, read, row, before } = await open(async (body) => {
      const claims = { iss: op.url, aud: op.clientId, sub: 'mallory', iat: now(), exp: now() + 60 }
      return Response.json({ ...body, id_token: await op.sign(claims) })
    })
    pass(600)
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
    expect(await row()).toEqual(before)
  })

  test('with an ID token of another issuer: the response is rejected', async () => {
    const { op, read, row, before } = await open(async (body) => {
      const claims = {
        iss: 'https://other.test',
        aud: op.clientId,
        sub: 'ada',
        iat: now(),
        exp: now() + 60,
      }
      return Response.json({ ...body, id_token: await op.sign(claims) })
    })
    pass(600)
    await expect(read()).rejects.toMatchObject({ type: 'AccessTokenUnavailable' })
    expect(await row()).toEqual(before)
  })
})

const now = () => Math.floor(Date.now() / 1000)

describe('the grant is lost', () => {
  const revoked = refusal(400, { error: 'invalid_grant' })

  test('the tokens are deleted, the session stays, and the application is told', async () => {
    const { read, row, sent } = await open(revoked)
    pass(600)
    await expect(read()).rejects.toMatchObject({ code: 'reconnect', cause: { provider: 'op' } })
    expect(await row()).toMatchObject({ access_token: '', refresh_token: '', id_token: '' })
    await expect(read()).rejects.toMatchObject({ code: 'not_connected' })
    expect(sent()).toBe(1)
  })

  test('with onLostGrant: end, the session ends', async () => {
    const { read } = await open(revoked, { tokens: { onLostGrant: 'end' } })
    pass(600)
    await expect(read()).rejects.toMatchObject({ code: 'reconnect' })
    await expect(read()).rejects.toMatchObject({ code: 'not_signed_in' })
  })
})
