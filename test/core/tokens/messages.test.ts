/** What the errors of `getAccessToken` say to who reads them first in a log. */
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import Lib from '../../../src/frameworks/hono/index.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { AccessTokenOptions, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { IssuerOptions } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { cookiesOf, pass, requestWith } from './site.ts'

afterEach(() => vi.useRealTimers())

type Settings = Pick<AuthConfig, 'adapter' | 'providers' | 'tokens'>

async function signedIn(settings: Settings, options: IssuerOptions = {}) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept', ...options })
  const { config, log } = configFor(op, { providers: [oidc(op)], ...settings })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  const read = (given?: AccessTokenOptions, changes: Settings = {}): Promise<unknown> =>
    getAccessToken(requestWith(cookiesOf(tab)), { ...config, ...changes }, 'op', given).catch(
      (error: unknown) => error,
    )
  return { op, config, log, read }
}

test('a session that began before the option says so', async () => {
  const { read } = await signedIn({})
  const error = await read({}, { tokens: {} })
  expect(error).toMatchObject({ code: 'not_connected' })
  expect(String(error)).toContain('stored for this session')
  expect(String(error)).toContain('before the option tokens was set')
})

test.each([false, true])(
  'a token without a refresh token is not said to have expired (expired: %s)',
  async (isExpired) => {
    const { read } = await signedIn(
      { adapter: MemoryAdapter(), tokens: {} },
      { refreshTokens: 'none' },
    )
    if (isExpired) pass(3600)
    const error = await read({ refresh: isExpired ? 'when-due' : 'now' })
    expect(error).toMatchObject({ code: 'reconnect' })
    expect(String(error)).toContain(
      'The access token of provider op cannot be refreshed, because the provider has issued no refresh token.',
    )
    expect(String(error)).toContain('docs/providers')
  },
)

test('a refusal that is not final yet has a cause', async () => {
  const { op, read, log } = await signedIn({ tokens: {} })
  op.misbehaviour.token = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  pass(3600)
  expect(await read()).toMatchObject({ type: 'AccessTokenUnavailable' })
  const message: unknown = expect.stringContaining('refused the refresh token')
  expect(log.errors.at(-1)).toMatchObject({ cause: { err: { message } } })
})

test('the code with which the provider rejects a refresh is in the log', async () => {
  const { op, read, log } = await signedIn({ adapter: MemoryAdapter(), tokens: {} })
  op.misbehaviour.token = () => Response.json({ error: 'invalid_request' }, { status: 400 })
  pass(3600)
  expect(await read()).toMatchObject({ type: 'AccessTokenUnavailable' })
  const message: unknown = expect.stringContaining('(invalid_request)')
  expect(log.errors.at(-1)).toMatchObject({ cause: { err: { message } } })
})

test('a call without a client id names what is missing', async () => {
  const { op, read } = await signedIn({ adapter: MemoryAdapter(), tokens: {} })
  const error = await read({}, { providers: [oidc(op, { clientId: '' })] })
  expect(error).toMatchObject({ type: 'InvalidConfiguration' })
  expect(String(error)).toContain(
    'Provider op has no clientId. Set it, or AUTH_OP_ID in the environment.',
  )
})

test('a list of scopes in place of the options is refused', async () => {
  const { read } = await signedIn({ tokens: {} })
  const scopes: object = ['calendar']
  const error = await read(scopes)
  expect(error).toMatchObject({ type: 'InvalidConfiguration' })
  expect(String(error)).toContain(
    "The options of getAccessToken are not an object (got an array). Write { scope: ['calendar'] }.",
  )
})

test('an option that is not valid is named with its function', async () => {
  const { config, read } = await signedIn({ adapter: MemoryAdapter(), tokens: {} })
  expect(String(await read({ minValidity: 3_600_000 }))).toContain(
    'The option minValidity of getAccessToken is not a number of seconds',
  )
  const options = { minValidity: 3_600_000 }
  await expect(getAccessTokenFor(config, { userId: '1', provider: 'op' }, options)).rejects.toThrow(
    'The option minValidity of getAccessTokenFor is not a number of seconds',
  )
})

test.each([undefined, null, '', 1])('a background job without the id of a user: %j', async (id) => {
  const { config } = await signedIn({ adapter: MemoryAdapter(), tokens: {} })
  const owner: object = { userId: id, provider: 'op' }
  await expect(
    getAccessTokenFor(config, Object.assign({ userId: '', provider: 'op' }, owner)),
  ).rejects.toMatchObject({
    type: 'InvalidConfiguration',
    message: expect.stringContaining('userId of getAccessTokenFor is not the id of a user'),
  })
})

test('a provider to refresh in the proxy that does not exist is refused', async () => {
  const { read } = await signedIn({ tokens: {} })
  const error = await read({}, { tokens: { refreshInProxy: ['op', 'googel'] } })
  expect(error).toMatchObject({ type: 'InvalidConfiguration' })
  expect(String(error)).toContain(
    'tokens.refreshInProxy contains "googel", which is not the id of a provider of type oauth or oidc.',
  )
})

test('one missing method of the adapter is in the singular', async () => {
  const { read } = await signedIn({ tokens: {} })
  const { listAccounts: _missing, ...adapter } = MemoryAdapter()
  expect(String(await read({}, { adapter, tokens: { where: 'account' } }))).toContain(
    'the adapter lacks listAccounts. Add what is missing, or leave tokens.where out.',
  )
})

test.each<[string, unknown[]]>([
  [
    "The scopes of requestScopes are not a list of strings (got \"calendar\"). Write requestScopes('op', ['calendar']).",
    ['op', 'calendar'],
  ],
  ['(got an object)', ['op', { scope: ['calendar'] }]],
  ['(got undefined)', ['op']],
  ['(got an array)', ['op', [1]]],
  ['The option account of requestScopes is not the id', ['op', ['calendar'], { account: 1 }]],
  ['"googel" is not the id of a provider of type oauth or oidc', ['googel', ['calendar']]],
  ['undefined is not the id of a provider of type oauth or oidc', [undefined, ['calendar']]],
])('requestScopes: %s', async (message, args) => {
  const op = await issuer({ algorithm: 'ES256' })
  const { config } = configFor(op, { providers: [oidc(op)], tokens: {} })
  const lib = Lib(config)
  const app = new Hono()
  app.onError((error, c) => c.text(error.message))
  app.post('/', (c) => Reflect.apply(lib.requestScopes, undefined, [c, ...args]))
  const headers = { host: 'app.test', 'sec-fetch-site': 'same-origin' }
  const response = await app.request(new Request('https://app.test/', { method: 'POST', headers }))
  expect(await response.text()).toContain(message)
})
