/** Tokens in cookies: only the browser has the newest ones, and a response may be unable to set them. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { callForToken } from '../../../src/core/tokens/get-access-token.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { setCookieHeader } from '../../../src/core/get-session.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { SESSION } from '../../sessions.ts'

const MEMORY = Symbol.for('lib-auth.process.1')
const scope = globalThis as { [MEMORY]?: object }

afterEach(() => vi.useRealTimers())

function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

interface ReadOptions {
  /** The memory of another process. */
  readonly memory?: object
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly canSetCookies?: boolean
}

async function open(overrides: Pick<AuthConfig, 'cookies' | 'tokens' | 'secret'> = {}) {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const { config } = configFor(op, { providers: [oidc(op)], tokens: {}, ...overrides })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  op.reset()
  const url = new URL('https://app.test/')
  const cookies = () => tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''

  /** Reads the token with these cookies; returns it with the names of the cookies that are set. */
  async function read(cookie: string, given: ReadOptions = {}) {
    const { memory, headers, method, canSetCookies = true } = given
    const own = scope[MEMORY]
    if (memory) scope[MEMORY] = memory
    const set: string[] = []
    try {
      const received = new Headers({ cookie, host: 'app.test', ...headers })
      const request = { headers: received, method, url }
      const answer = await callForToken(request, config, {
        provider: 'op',
        options: {},
        setCookies(changes) {
          if (!canSetCookies) throw new Error('Cookies cannot be set here.')
          set.push(...changes.map(setCookieHeader))
        },
      })
      const changes = answer.cookies.map(setCookieHeader)
      return { token: answer.value.accessToken, changes }
    } finally {
      if (own) scope[MEMORY] = own
    }
  }
  const accept = (changes: readonly string[]) =>
    changes.forEach((each) => tab.cookies.accept(each, url))
  return { op, tab, config, cookies, read, accept }
}

test('a second tab with the old cookie gets the new token without a request', async () => {
  const { op, cookies, read } = await open()
  const old = cookies()
  pass(600)
  const first = await read(old)
  const second = await read(old)
  expect(second.token).toBe(first.token)
  expect(op.requests.token).toBe(1)
  expect(second.changes.some((each) => each.includes('lib.tokens.'))).toBe(true)
})

test('a process that has lost the race keeps session and cookie, and sends no second request', async () => {
  const { op, tab, cookies, read, accept } = await open()
  const old = cookies()
  pass(600)
  const won = await read(old)
  const other = { memory: {} }
  const lost = { type: 'AccessTokenUnavailable' }
  await expect(read(old, other)).rejects.toMatchObject(lost)
  expect(op.requests.token).toBe(2)
  pass(50)
  await expect(read(old, other)).rejects.toMatchObject(lost)
  expect(op.requests.token).toBe(2)
  accept(won.changes)
  expect(await tab.session()).not.toBeNull()
  expect((await read(cookies(), other)).token).toBe(won.token)
})

test('a process that has lost the race does not set the old cookie, which would replace the new one', async () => {
  const { op, cookies, read, accept } = await open({ tokens: { refreshBefore: 120 } })
  const old = cookies()
  pass(500)
  const won = await read(old)
  const lost = await read(old, { memory: {} })
  expect(op.requests.token).toBe(2)
  expect(lost.token).not.toBe(won.token)
  accept(won.changes)
  accept(lost.changes)
  expect((await read(cookies(), { memory: {} })).token).toBe(won.token)
})

describe('where cookies cannot be set', () => {
  test.each<[string, ReadOptions]>([
    ['while a page is rendered', { canSetCookies: false }],
    ['for a prefetch of a browser', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['for a prefetch of Next.js', { headers: { 'next-router-prefetch': '1' } }],
    ['for the headers alone', { method: 'HEAD' }],
  ])('the refresh token is not spent (%s)', async (_what, options) => {
    const { op, cookies, read } = await open()
    const old = cookies()
    const before = await read(old, options)
    pass(570)
    expect((await read(old, options)).token).toBe(before.token)
    pass(40)
    await expect(read(old, options)).rejects.toMatchObject({
      type: 'AccessTokenError',
      code: 'read_only',
    })
    expect(op.requests.token).toBe(0)
    expect((await read(old)).token).not.toBe(before.token)
  })
})

describe('the cookie', () => {
  test('has the domain of the session', async () => {
    const { cookies, read } = await open({
      cookies: { sessionToken: { options: { domain: 'app.test' } } },
    })
    expect(cookies()).toMatch(/__Secure-lib\.tokens\.[\da-f]{8}=/)
    pass(600)
    const { changes } = await read(cookies())
    expect(changes.at(-1)).toMatch(/^__Secure-lib\.tokens\..*; Domain=app\.test/)
  })

  test('of another session is not opened, and is deleted', async () => {
    const { cookies, read, tab, op } = await open()
    const tokens = cookies()
      .split('; ')
      .filter((each) => each.includes('lib.tokens.'))
    await tab.post('signout')
    expect(cookies()).not.toContain('lib.tokens.')
    await tab.signIn('op', { sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    const session = cookies()
      .split('; ')
      .find((each) => each.startsWith(SESSION))
    await expect(read([session, ...tokens].join('; '))).rejects.toMatchObject({
      code: 'not_connected',
    })
    expect(op.requests.token).toBe(1)
  })

  test('survives the rotation of the secret', async () => {
    const { config, cookies } = await open()
    const secret = 'a newer secret for tests, of more than 32 bytes'
    const rotated = { ...config, secret: [secret, String(config.secret)] }
    const headers = new Headers({ cookie: cookies(), host: 'app.test' })
    const call = { provider: 'op', options: {}, setCookies: () => undefined }
    const request = { headers, url: new URL('https://app.test/') }
    expect((await callForToken(request, rotated, call)).value.tokenType).toBe('Bearer')
  })

  test('is not set for tokens that are too long, and the sign-in succeeds', async () => {
    const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept' })
    op.misbehaviour.token = (body) => ({ ...body, access_token: 'a'.repeat(20_000) })
    const { config, log } = configFor(op, { providers: [oidc(op, { userinfo: '' })], tokens: {} })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    expect(log.lines).toContainEqual(['warn', 'token-not-stored', expect.any(String)])
  })
})
