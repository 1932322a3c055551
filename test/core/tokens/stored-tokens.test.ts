/** What is stored of tokens, and who can open it. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc, SECRET } from '../../config.ts'
import { dump, forEachPlace } from './places.ts'
import type { Place } from './places.ts'
import { changeProcess, cookiesOf, pass, requestWith, unluckySite } from './site.ts'
import type { UnluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

const NEW_SECRET = 'a newer secret for tests, of more than 32 bytes'

const MEMORY: Place = {
  where: 'account',
  strategy: 'database',
  openAdapter: async () => MemoryAdapter(),
}

type Overrides = Pick<AuthConfig, 'tokens' | 'secret'>

async function openIn(place: Place, overrides: Overrides = { tokens: {} }) {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const adapter = await place.openAdapter()
  const seen: unknown[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op)],
    adapter,
    session: { strategy: place.strategy },
    callbacks: { signIn: ({ account }) => seen.push(account) > 0 },
    ...overrides,
  })
  const tab = browser(config, { issuer: op })
  const read = async (given: AuthConfig = config) => {
    return (await getAccessToken(requestWith(cookiesOf(tab)), given, 'op')).value
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

await forEachPlace((place) => {
  /** Everything that the database and the browser have. */
  const stored = async ({ adapter, cookies }: UnluckySite) => `${await dump(adapter)} ${cookies()}`

  test('are not in the database or the cookies in plain text', async () => {
    const site = await unluckySite(place)
    const tokens = [await site.read()]
    const all = [await stored(site)]
    const renewed: unknown[] = []
    site.onRefresh = async (response) => {
      renewed.push((await response.clone().json()).refresh_token)
      return response
    }
    pass(600)
    tokens.push(await site.read())
    all.push(await stored(site))
    const secrets = tokens.flatMap(({ accessToken, idToken }) => [accessToken, String(idToken)])
    secrets.push(...site.sent, ...renewed.map(String))
    expect(new Set(secrets).size).toBeGreaterThanOrEqual(5)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(30)
      for (const each of all) expect(each).not.toContain(secret)
    }
  })

  test('survive the rotation of the secret, and are encrypted with the new one', async () => {
    const site = await unluckySite(place)
    const read = async (secret: AuthConfig['secret']) => {
      const config = { ...site.config, secret }
      const answer = await getAccessToken(requestWith(site.cookies()), config, 'op')
      return { token: answer.value.accessToken, cookies: answer.headers.getSetCookie() }
    }
    const before = (await site.read()).accessToken
    expect((await read([NEW_SECRET, SECRET])).token).toBe(before)
    pass(600)
    const { token, cookies } = await read([NEW_SECRET, SECRET])
    expect(token).not.toBe(before)
    for (const each of cookies) site.tab.cookies.accept(each, new URL('https://app.test/'))
    changeProcess()
    expect((await read([NEW_SECRET, SECRET])).token).toBe(token)
    // A session in a cookie is still encrypted with the old one.
    if (place.strategy === 'database') expect((await read(NEW_SECRET)).token).toBe(token)
    const code = place.where === 'account' ? 'reconnect' : 'not_connected'
    await expect(read(SECRET)).rejects.toMatchObject({ code })
  })
})

await forEachPlace(
  (place) => {
    const open = (overrides?: Overrides) => openIn(place, overrides)

    test('are encrypted, and callbacks receive them in plain text', async () => {
      const { row, seen, read } = await open()
      const { access_token, refresh_token, id_token, scope, expires_at } = (await row()) ?? {}
      for (const value of [access_token, refresh_token, id_token]) expect(value).toMatch(SEALED)
      expect(scope).toBe('openid profile email')
      expect(expires_at).toBeTypeOf('number')
      expect(seen).toEqual([
        expect.objectContaining({ access_token: expect.stringMatching(PLAIN) }),
      ])
      expect((await read()).accessToken).toMatch(PLAIN)
    })

    test('are encrypted by a refresh, too', async () => {
      const { row, read } = await open()
      const before = await row()
      pass(600)
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
      pass(600)
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
        pass(600)
        await read(changed)
        for (const column of ['access_token', 'refresh_token', 'id_token'] as const)
          expect((await row())?.[column]).not.toMatch(SEALED)
        expect((await read(config)).accessToken).toMatch(PLAIN)
        vi.useRealTimers()
      }
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
      pass(600)
      expect(await getAccessTokenFor(config, owner)).toEqual(await read())
      await expect(getAccessTokenFor(config, { ...owner, userId: '0' })).rejects.toMatchObject({
        code: 'not_connected',
      })
    })
  },
  ['account'],
)

describe('a session that does not show a stored user', () => {
  test('of authorize with the id of another user has no tokens', async () => {
    const { adapter, config, op } = await openIn(MEMORY)
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
    await expect(getAccessToken(requestWith(cookiesOf(tab)), staff, 'op')).rejects.toMatchObject({
      code: 'not_connected',
    })
  })
})
