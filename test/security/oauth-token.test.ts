import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Misbehaviour, Values } from '../../src/testing/index.ts'
import { expectRefused, expectSignedIn, never, oauth, site } from '../oauth.ts'
import { stopClock, until } from '../sessions.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => vi.useRealTimers())

type Token = NonNullable<Misbehaviour['token']>

const TYPES = ['oauth', 'oidc'] as const
const TEN_YEARS = 10 * 365 * 24 * 60 * 60

const answers =
  (body: string | null, init: ResponseInit = {}): Token =>
  () =>
    new Response(body, init)
const json = { headers: { 'content-type': 'application/json' } }
const withMembers =
  (members: Values): Token =>
  (body) => ({ ...body, ...members })
const without =
  (name: string): Token =>
  ({ [name]: _removed, ...body }) =>
    body

describe.each(TYPES)('a token response of an %s provider', (type) => {
  const bad: readonly [string, Token][] = [
    ['never arrives because the connection breaks', () => Promise.reject(new TypeError('failed'))],
    ['is an HTML page', answers('<html>secret page</html>', { status: 500 })],
    ['is an HTML page with status 200', answers('<html>secret page</html>')],
    ['is cut off', answers('{"access_token":"cut-off-token","token_ty', json)],
    ['is a list', answers('[]', json)],
    ['is null', answers('null', json)],
    ['is empty', answers(null)],
    ['is nested 100,000 deep', answers('['.repeat(100_000) + ']'.repeat(100_000), json)],
    [
      'has a member nested 50,000 deep',
      answers(
        `{"access_token":"a-token","token_type":"bearer","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
        json,
      ),
    ],
    ['is an error with status 200', withMembers({ error: 'invalid_grant' })],
    [
      'is an error with status 400',
      () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    ],
    [
      'is an error with status 401',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
    ],
    ['has status 201', ({ ...body }) => Response.json(body, { status: 201 })],
    ['has no access token', without('access_token')],
    ['has an empty access token', withMembers({ access_token: '' })],
    ['has a number as access token', withMembers({ access_token: 1 })],
    ['has no token type', without('token_type')],
    ['has another token type', withMembers({ token_type: 'mac' })],
    ['has an object as refresh token', withMembers({ refresh_token: {} })],
    ['has a list of scopes', withMembers({ scope: ['openid'] })],
    ['expires in the past', withMembers({ expires_in: -5 })],
    ['expires in words', withMembers({ expires_in: 'abc' })],
    ['expires in an object', withMembers({ expires_in: {} })],
  ]

  test.each(bad)('that %s is rejected, and the next sign-in succeeds', async (_what, token) => {
    const on = site(op, { provider: { type } })
    on.secrets.add('cut-off-token').add('secret page').add('a-token')
    op.misbehaviour.token = token
    await expectRefused(on, await on.tab.signIn('op'))
    expect(op.requests).toMatchObject({ token: 1, userinfo: 0 })
    delete op.misbehaviour.token
    on.log.errors.length = 0
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test.each([302, 307])('that redirects with %i is not followed', async (status) => {
    const on = site(op, { provider: { type } })
    const location = 'http://169.254.169.254/latest/meta-data'
    op.misbehaviour.token = () => new Response(null, { status, headers: { location } })
    await expectRefused(on, await on.tab.signIn('op'))
    expect(on.sent.filter(({ url }) => url.host !== 'issuer.test')).toEqual([])
    expect(on.sent.filter(({ redirect }) => redirect !== 'manual')).toEqual([])
    expect(op.requests.token).toBe(1)
  })

  test.each([
    ['is spelled in another case', { token_type: 'bEARER' }, { token_type: 'bearer' }],
    ['has a lifetime in digits', { expires_in: '3600' }, { expires_in: 3600 }],
    ['has null for missing members', { refresh_token: null, expires_in: null }, {}],
    ['has unknown members', { session_state: 'x' }, { session_state: 'x' }],
  ])('that %s is accepted', async (_what, members, expected) => {
    const on = site(op, { provider: { type } })
    op.misbehaviour.token = withMembers(members)
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.signedIn[0]?.account).toMatchObject(expected)
  })

  test.each([
    ['3600', withMembers({ expires_in: 3600 }), 3600],
    ['3600.5', withMembers({ expires_in: 3600.5 }), 3600],
    ['10^18', withMembers({ expires_in: 1e18 }), TEN_YEARS],
    ['missing', without('expires_in'), undefined],
    ['null', withMembers({ expires_in: null }), undefined],
    ['0', withMembers({ expires_in: 0 }), undefined],
  ])('sets expires_at by expires_in: %s', async (_what, token, lifetime) => {
    stopClock()
    const on = site(op, { provider: { type } })
    op.misbehaviour.token = token
    await expectSignedIn(on, await on.tab.signIn('op'))
    const expected = lifetime && Math.floor(Date.now() / 1000) + lifetime
    expect(on.signedIn[0]?.account?.expires_at).toBe(expected)
  })

  test('does not determine the user of the account', async () => {
    const on = site(op, { provider: { type } })
    const ours = { userId: 'victim', provider: 'github', type: 'credentials', id: 'row-1' }
    op.misbehaviour.token = withMembers({ ...ours, providerAccountId: 'victim' })
    await expectSignedIn(on, await on.tab.signIn('op'))
    const { account } = on.signedIn[0] ?? {}
    expect(account).toMatchObject({ provider: 'op', type, providerAccountId: 'ada' })
    expect(account).not.toHaveProperty('userId')
    expect(account).not.toHaveProperty('id')
  })

  test('times out after five seconds, and is requested once', async () => {
    stopClock()
    const on = site(op, { provider: { type } })
    let isAsked = false
    op.misbehaviour.token = () => {
      isAsked = true
      return never()
    }
    const pending = on.tab.signIn('op')
    await until(() => isAsked)
    await vi.advanceTimersByTimeAsync(4900)
    expect(on.log.errors).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    const response = await pending
    await vi.advanceTimersByTimeAsync(10_000)
    await expectRefused(on, response, { type: 'TemporarilyUnavailable', page: 'error' })
    expect(op.requests.token).toBe(1)
  })

  test('is read up to 256 KiB', async () => {
    const on = site(op, { provider: { type } })
    const stream = { chunks: 0, isCancelled: false }
    op.misbehaviour.token = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            stream.chunks++
            controller.enqueue(new Uint8Array(16 * 1024).fill(32))
          },
          cancel() {
            stream.isCancelled = true
          },
        }),
      )
    await expectRefused(on, await on.tab.signIn('op'))
    expect(stream.isCancelled).toBe(true)
    expect(stream.chunks).toBeLessThan(20)
    expect(op.requests.token).toBe(1)
  })
})

test('an ID token of an oauth provider is passed on without validation', async () => {
  const on = site(op, { provider: { type: 'oauth' } })
  op.misbehaviour.signed = () => 'not.a.token'
  await expectSignedIn(on, await on.tab.signIn('op'))
  expect(on.signedIn[0]?.account?.id_token).toBe('not.a.token')
  expect(op.requests).toMatchObject({ jwks: 0, userinfo: 1 })
})

describe('plain http', () => {
  const http = 'http://issuer.test'

  test.each([
    ['token', { token: `${http}/token` }],
    ['userinfo', { userinfo: `${http}/userinfo` }],
    ['authorization', { authorization: `${http}/authorize` }],
    ['issuer', { issuer: http }],
    ['wellKnown', { wellKnown: `${http}/metadata` }],
  ])('is rejected for the %s of a provider', async (name, overrides) => {
    const on = site(op, { config: { providers: [oauth(op, overrides)] } })
    const response = await on.tab.request('signin')
    expect(response.status).toBe(500)
    expect(on.log.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${name} is not https`),
    ])
    expect(on.sent).toEqual([])
  })

  afterEach(() => vi.unstubAllEnvs())

  test.each([
    ['on loopback in development', 'http://localhost:4000', 'development', true],
    ['on loopback in production', 'http://localhost:4000', 'production', false],
    ['on another host in development', 'http://op.internal', 'development', false],
  ])('%s', async (_what, url, mode, isAllowed) => {
    vi.stubEnv('NODE_ENV', mode)
    const local = await issuer({ url })
    const on = site(local)
    const response = await on.tab.request('signin')
    expect(response.status).toBe(isAllowed ? 200 : 500)
    if (isAllowed) await expectSignedIn(on, await on.tab.signIn('op'))
    expect(local.requests.token).toBe(isAllowed ? 1 : 0)
  })
})
