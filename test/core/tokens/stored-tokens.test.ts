/** What is stored of tokens, and who can open it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc, SECRET } from '../../config.ts'

afterEach(() => vi.useRealTimers())

const NEW_SECRET = 'a newer secret for tests, of more than 32 bytes'

async function open(overrides: Pick<AuthConfig, 'tokens' | 'secret'> = { tokens: {} }) {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const adapter = MemoryAdapter()
  const seen: unknown[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op)],
    adapter,
    session: { strategy: 'database' },
    callbacks: { signIn: ({ account }) => seen.push(account) > 0 },
    ...overrides,
  })
  const tab = browser(config, { issuer: op })
  const url = new URL('https://app.test/')
  const read = async (given: AuthConfig = config) => {
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const request = new Request(url, { headers: { cookie, host: 'app.test' } })
    return (await getAccessToken(request, given, 'op')).value
  }
  await tab.signIn('op')
  const row = async () => (await accountsOf(adapter))[0]
  return { op, adapter, config, log, seen, tab, read, row }
}

async function accountsOf(adapter: Adapter) {
  const user = await adapter.getUserByEmail?.('ada@example.com')
  return (await adapter.listAccounts?.(user?.id ?? '')) ?? []
}

const PLAIN = /^[\da-f-]{36}$/
const SEALED = /^lib1\.[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/

describe('tokens in the columns of an account', () => {
  test('are encrypted, and callbacks receive them in plain text', async () => {
    const { row, seen, read } = await open()
    const { access_token, refresh_token, id_token, scope, expires_at } = (await row()) ?? {}
    for (const value of [access_token, refresh_token, id_token]) expect(value).toMatch(SEALED)
    expect(scope).toBe('openid profile email')
    expect(expires_at).toBeTypeOf('number')
    expect(seen).toEqual([expect.objectContaining({ access_token: expect.stringMatching(PLAIN) })])
    expect((await read()).accessToken).toMatch(PLAIN)
  })

  test('are encrypted by a refresh, too', async () => {
    const { row, read } = await open()
    const before = await row()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    await read()
    const after = await row()
    expect(after?.refresh_token).toMatch(SEALED)
    expect(after?.refresh_token).not.toBe(before?.refresh_token)
  })

  test('are stored as they are without the option, and with stored: plain', async () => {
    for (const tokens of [undefined, { stored: 'plain' } as const]) {
      const { row, read } = await open(tokens ? { tokens } : {})
      expect((await row())?.access_token).toMatch(PLAIN)
      expect((await read()).accessToken).toMatch(PLAIN)
    }
  })

  test('of an earlier release are read, and encrypted when they are next written', async () => {
    const { row, read, config, tab } = await open({})
    const sealing = { ...config, tokens: {} }
    expect((await read(sealing)).accessToken).toMatch(PLAIN)
    expect((await row())?.access_token).toMatch(PLAIN)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    await read(sealing)
    expect((await row())?.access_token).toMatch(SEALED)
    expect(await tab.session()).not.toBeNull()
  })

  test('are read, and stored as they are, after the option was changed', async () => {
    for (const tokens of [undefined, { stored: 'plain' } as const]) {
      const { row, read, config } = await open()
      const changed = { ...config, tokens }
      const { accessToken } = await read(config)
      expect(await read(changed)).toMatchObject({
        accessToken,
        idToken: expect.not.stringMatching(SEALED),
      })
      expect((await row())?.access_token).toMatch(SEALED)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
      await read(changed)
      for (const column of ['access_token', 'refresh_token', 'id_token'] as const)
        expect((await row())?.[column]).not.toMatch(SEALED)
      expect((await read(config)).accessToken).toMatch(PLAIN)
      vi.useRealTimers()
    }
  })

  test('survive the rotation of the secret, and are encrypted with the new one', async () => {
    const { read, row, config } = await open()
    const rotated = { ...config, secret: [NEW_SECRET, SECRET] }
    expect((await read(rotated)).accessToken).toMatch(PLAIN)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    const { accessToken } = await read(rotated)
    expect((await row())?.access_token).toMatch(SEALED)
    expect((await read({ ...config, secret: NEW_SECRET })).accessToken).toBe(accessToken)
    await expect(read(config)).rejects.toMatchObject({ type: 'AccessTokenError' })
  })

  test.each(['access_token', 'refresh_token'] as const)(
    'that were moved to the %s of another row do not open',
    async (column) => {
      const { adapter, tab, read, row, log, op } = await open()
      const victim = await row()
      await tab.post('signout')
      await tab.signIn('op', { sub: 'mallory', name: 'Mallory', email: 'mallory@example.com' })
      const own = await adapter.getAccount?.('mallory', 'op')
      if (!victim || !own) throw new Error('No account.')
      await adapter.updateAccount?.({
        provider: 'op',
        providerAccountId: 'mallory',
        access_token: '',
        refresh_token: '',
        [column]: victim[column] ?? '',
      })
      await expect(read()).rejects.toMatchObject({ type: 'AccessTokenError' })
      expect(log.lines).toContainEqual(['warn', 'token-not-opened', expect.any(String)])
      expect(op.requests.token).toBe(2)
    },
  )

  test('are found by the id of the user, without a request', async () => {
    const { adapter, config, read } = await open()
    const user = await adapter.getUserByEmail?.('ada@example.com')
    const owner = { userId: user?.id ?? '', provider: 'op' }
    expect(await getAccessTokenFor(config, owner)).toEqual(await read())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    expect(await getAccessTokenFor(config, owner)).toEqual(await read())
    await expect(getAccessTokenFor(config, { ...owner, userId: '0' })).rejects.toMatchObject({
      code: 'not_connected',
    })
  })
})

describe('a session that does not show a stored user', () => {
  test('of authorize with the id of another user has no tokens', async () => {
    const { adapter, config, op } = await open()
    const user = await adapter.getUserByEmail?.('ada@example.com')
    const staff: AuthConfig = {
      ...config,
      session: { strategy: 'jwt' },
      providers: [
        oidc(op),
        {
          id: 'staff',
          name: 'Staff',
          type: 'credentials',
          authorize: () => ({ id: user?.id ?? '' }),
        },
      ],
    }
    const tab = browser(staff, { issuer: op })
    await tab.post('callback/staff')
    expect(await tab.session()).not.toBeNull()
    const url = new URL('https://app.test/')
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const request = new Request(url, { headers: { cookie, host: 'app.test' } })
    await expect(getAccessToken(request, staff, 'op')).rejects.toMatchObject({
      code: 'not_connected',
    })
  })
})
