/** Where tokens are stored by default, and which values of the options are refused. */
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { without } from '../../database.ts'

const url = new URL('https://app.test/')

/** Where the tokens of a sign-in are found: the columns always have them, but only `account` reads these. */
async function findPlace(adapter: Adapter | undefined) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'kept' })
  const { config } = configFor(op, {
    providers: [oidc(op)],
    tokens: {},
    ...(adapter && { adapter, session: { strategy: 'database' } }),
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
  const request = new Request(url, { headers: { cookie, host: 'app.test' } })
  await getAccessToken(request, config, 'op')
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  const records = user && (await adapter?.listRecords?.(`user:${user.id}`))
  if (cookie.includes('lib.tokens.')) return 'cookie'
  return records?.some(({ key }) => key.startsWith('tokens:')) ? 'store' : 'account'
}

describe('tokens are stored by default', () => {
  test('with the account', async () => {
    expect(await findPlace(MemoryAdapter())).toBe('account')
    expect(await findPlace(without(MemoryAdapter(), 'writeRecord'))).toBe('account')
  })

  test.each(['listAccounts', 'updateAccount'] as const)(
    'in the store, without %s',
    async (method) => {
      expect(await findPlace(without(MemoryAdapter(), method))).toBe('store')
    },
  )

  test.each(['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'] as const)(
    'in cookies, without updateAccount and %s',
    async (method) => {
      expect(await findPlace(without(MemoryAdapter(), 'updateAccount', method))).toBe('cookie')
    },
  )

  test('in cookies, without an adapter', async () => {
    expect(await findPlace(undefined)).toBe('cookie')
  })
})

type Settings = Pick<AuthConfig, 'adapter' | 'tokens'>

async function tokenError(overrides: Settings, options?: object): Promise<unknown> {
  const op = await issuer({ algorithm: 'ES256' })
  const config = { ...configFor(op).config, ...overrides }
  return getAccessToken(new Request(url), config, 'op', options).catch((error: unknown) => error)
}

describe('the configuration refuses', () => {
  const numbers = [-1, NaN, Infinity, 1e9, '60', null, {}, [60]]
  test.each(
    ['refreshBefore', 'grace'].flatMap((name) => numbers.map((value) => [name, value] as const)),
  )('tokens.%s: %j', async (name, value) => {
    const error = await tokenError({ tokens: { [name]: value } })
    expect(error).toMatchObject({ type: 'InvalidConfiguration' })
    expect(String(error)).toContain(`tokens.${name}`)
  })

  test.each(['where', 'stored', 'onLostGrant', 'revokeOnSignOut'])('tokens.%s', async (name) => {
    for (const value of ['', 'Account', 1, null, ['account'], 'toString']) {
      const error = await tokenError({ tokens: { [name]: value } })
      expect(error).toMatchObject({ type: 'InvalidConfiguration' })
      expect(String(error)).toContain(`tokens.${name}`)
    }
  })

  test('a place that does not exist', async () => {
    const store = without(MemoryAdapter(), 'readRecords')
    for (const [tokens, adapter] of [
      [{ where: 'account' }, undefined],
      [{ where: 'account' }, without(MemoryAdapter(), 'listAccounts')],
      [{ where: 'account' }, without(MemoryAdapter(), 'updateAccount')],
      [{ where: 'store' }, undefined],
      [{ where: 'store' }, store],
    ] as const) {
      const error = await tokenError({ tokens, adapter })
      expect(error).toMatchObject({ type: 'InvalidConfiguration' })
      expect(String(error)).toContain('tokens.where')
    }
  })
})

describe('a call refuses', () => {
  test.each<[string, object]>([
    ...[-1, NaN, Infinity, 1e9, '60', null, [60]].map((minValidity): [string, object] => [
      'minValidity',
      { minValidity },
    ]),
    ...['calendar', [1], {}, null].map((scope): [string, object] => ['scope', { scope }]),
    ['account', { account: 1 }],
    ['account', { account: null }],
    ['refresh', { refresh: true }],
    ['refresh', { refresh: 'NOW' }],
  ])('%s: %j', async (name, options) => {
    const error = await tokenError({ tokens: {} }, options)
    expect(error).toMatchObject({ type: 'InvalidConfiguration' })
    expect(String(error)).toContain(name)
    const op = await issuer({ algorithm: 'ES256' })
    const { config } = configFor(op, { tokens: {}, adapter: MemoryAdapter() })
    await expect(
      getAccessTokenFor(config, { userId: '1', provider: 'op' }, options),
    ).rejects.toMatchObject({ type: 'InvalidConfiguration' })
  })
})
