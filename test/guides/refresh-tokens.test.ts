/** docs/guides/refresh-tokens.md */
import { afterEach, expect, test, vi } from 'vitest'
import type { Adapter, AdapterAccount } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { openGuide } from './guide.ts'

const { accessTokenOf, SignInAgain } = await openGuide('refresh-tokens').load<{
  accessTokenOf: (store: Adapter, userId: string) => Promise<string>
  SignInAgain: new () => Error
}>('access-token.ts')

const HOUR = 3600

afterEach(() => void vi.unstubAllGlobals())

async function storeWith(
  tokens: Partial<AdapterAccount>,
): Promise<ReturnType<typeof MemoryAdapter>> {
  const store = MemoryAdapter()
  await store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
  const key = { provider: 'google', providerAccountId: '1', type: 'oidc' } as const
  await store.linkAccount({ ...key, userId: 'ada', ...tokens })
  return store
}

const now = () => Math.floor(Date.now() / 1000)
const expired = () => ({ access_token: 'old', refresh_token: 'first', expires_at: now() - 1 })

function tokenEndpoint(...responses: Response[]) {
  const fetch = vi.fn(async (_url: string, _init: { body: URLSearchParams }) => responses.shift())
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('returns an access token that is still valid without a request', async () => {
  const fetch = tokenEndpoint()
  const store = await storeWith({ access_token: 'valid', expires_at: now() + HOUR })
  expect(await accessTokenOf(store, 'ada')).toBe('valid')
  expect(fetch).not.toHaveBeenCalled()
})

test('refreshes once for parallel calls, and stores the rotated refresh token', async () => {
  const body = { access_token: 'new', expires_in: HOUR, refresh_token: 'second' }
  const fetch = tokenEndpoint(Response.json(body))
  const store = await storeWith(expired())
  const calls = Array.from({ length: 5 }, () => accessTokenOf(store, 'ada'))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['new']))
  expect(fetch).toHaveBeenCalledOnce()
  expect(fetch.mock.calls[0]?.[1].body.get('refresh_token')).toBe('first')
  const [account] = await store.listAccounts('ada')
  expect(account).toMatchObject({ access_token: 'new', refresh_token: 'second' })
  expect(await accessTokenOf(store, 'ada')).toBe('new')
})

test('asks for a new sign-in when the refresh token was revoked', async () => {
  tokenEndpoint(Response.json({ error: 'invalid_grant' }, { status: 400 }))
  await expect(accessTokenOf(await storeWith(expired()), 'ada')).rejects.toThrow(SignInAgain)
})

test('keeps the tokens when the provider is down', async () => {
  tokenEndpoint(new Response('', { status: 503 }))
  const store = await storeWith(expired())
  await expect(accessTokenOf(store, 'ada')).rejects.toThrow('The token endpoint answered 503.')
  expect((await store.listAccounts('ada'))[0]).toMatchObject({ refresh_token: 'first' })
})
