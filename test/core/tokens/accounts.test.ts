/** Several accounts, tenants, tabs and providers. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer } from '../../../src/testing/index.ts'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import { configFor, oidc } from '../../config.ts'
import { dump, forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'
import { cookiesOf, pass, requestWith, unluckySite } from './site.ts'

afterEach(() => vi.useRealTimers())

const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }

async function openTwoAccounts(adapter: Adapter = MemoryAdapter()) {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const { config } = configFor(op, {
    adapter,
    session: { strategy: 'database' },
    tokens: {},
    providers: [oidc(op)],
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  await tab.signIn('op', BOB)
  const user = await adapter.getUserByEmail?.('ada@example.com')
  expect(await adapter.listAccounts?.(user?.id ?? '')).toHaveLength(2)
  const read = async (account?: string) =>
    (await getAccessToken(requestWith(cookiesOf(tab)), config, 'op', account ? { account } : {}))
      .value
  return { op, config, read, userId: user?.id ?? '' }
}

describe('two accounts at one provider', () => {
  test('have their own tokens', async () => {
    const { op, config, read, userId } = await openTwoAccounts()
    const [first, ada, bob] = [await read(), await read('ada'), await read('bob')]
    expect(first).toEqual(ada)
    expect(bob.accessToken).not.toBe(ada.accessToken)
    await expect(read('eve')).rejects.toMatchObject({ code: 'not_connected' })
    const before = op.requests.token
    pass(600)
    const [newAda, newBob] = await Promise.all([read('ada'), read('bob')])
    expect(op.requests.token).toBe(before + 2)
    expect(newAda.accessToken).not.toBe(newBob.accessToken)
    expect(await read('ada')).toEqual(newAda)
    expect(await read('bob')).toEqual(newBob)
    const owner = { userId, provider: 'op' }
    expect(await getAccessTokenFor(config, owner, { account: 'bob' })).toEqual(newBob)
  })
})

test('the account without an id stays the same, although a database may return an updated row last', async () => {
  const memory = MemoryAdapter()
  let updates = 0
  const adapter: Adapter = {
    ...memory,
    async updateAccount(changes) {
      updates++
      return memory.updateAccount(changes)
    },
    async listAccounts(userId) {
      const rows = await memory.listAccounts(userId)
      return updates % 2 === 0 ? rows : [...rows].reverse()
    },
  }
  const { read } = await openTwoAccounts(adapter)
  for (let refreshes = 0; refreshes < 3; refreshes++) {
    pass(601)
    const first = await read()
    expect(await read()).toEqual(first)
    expect(await read('ada')).toEqual(first)
  }
})

describe('two tenants with the same client id and the same id of the provider', () => {
  test.each<[string, (op: Issuer) => Partial<OIDCConfig>]>([
    ['issuer', () => ({})],
    [
      'wellKnown only',
      (op) => ({ issuer: undefined, wellKnown: `${op.url}/.well-known/openid-configuration` }),
    ],
  ])('share no flight and no lease (%s)', async (_name, provider) => {
    const tenants = await Promise.all(
      ['https://one.test', 'https://two.test'].map(async (url) => {
        const op = await issuer({
          url,
          algorithm: 'ES256',
          refreshTokens: 'kept',
          accessTokenLifetime: 600,
        })
        // Two issuers may number their tokens in the same way.
        op.misbehaviour.token = (body) => ({ ...body, refresh_token: 'token-1' })
        const sent: string[] = []
        const { config } = configFor(op, {
          tokens: { where: 'store' },
          adapter: MemoryAdapter(),
          session: { strategy: 'database' },
          providers: [{ ...oidc(op), ...provider(op) }],
          async fetch(input, init) {
            const isRefresh =
              init?.body instanceof URLSearchParams && init.body.has('refresh_token')
            if (!isRefresh) return op.fetch(input, init)
            sent.push(url)
            const [access_token, refresh_token] = [`of ${url}`, 'token-1']
            return Response.json({
              access_token,
              refresh_token,
              token_type: 'bearer',
              expires_in: 600,
            })
          },
        })
        const tab = browser(config, { issuer: op })
        await tab.signIn('op')
        return { tab, config, url, sent }
      }),
    )
    pass(600)
    const tokens = await Promise.all(
      tenants.map(async ({ tab, config }) =>
        getAccessToken(requestWith(cookiesOf(tab)), config, 'op'),
      ),
    )
    expect(tokens.map(({ value }) => value.accessToken)).toEqual(
      tenants.map(({ url }) => `of ${url}`),
    )
    expect(tenants.map(({ sent }) => sent.length)).toEqual([1, 1])
  })
})

await forEachPlace((place) => {
  test('of a provider that was removed from the configuration: the error names it', async () => {
    const site = await unluckySite(place)
    const config: AuthConfig = { ...site.config, providers: [oidc(site.op, { id: 'other' })] }
    await expect(getAccessToken(requestWith(site.cookies()), config, 'op')).rejects.toMatchObject({
      type: 'InvalidConfiguration',
      message: expect.stringContaining('"op"'),
    })
    // The session is still valid, and the sign-out does not need the provider.
    const tab = browser(config, { issuer: site.op })
    expect(await tab.session()).toBeNull()
    await site.tab.post('signout')
    expect(await site.tab.session()).toBeNull()
  })

  test('of 10 kB are stored, or the sign-in succeeds without them', async () => {
    const site = await unluckySite(place)
    const long = 'a'.repeat(10_000)
    site.op.misbehaviour.token = (body) => ({ ...body, access_token: long })
    pass(600)
    expect((await site.read()).accessToken).toBe(long)
    await site.tab.signIn('op').catch(() => undefined)
    expect(await site.tab.session()).not.toBeNull()
    const size = site.cookies().length
    expect(size).toBeLessThan(14_000)
  })
})

async function openTwoProviders(place: Place) {
  const adapter = await place.openAdapter()
  const op = await issuer({ url: 'https://op.test', algorithm: 'ES256' })
  const other = await issuer({ url: 'https://other.test', algorithm: 'ES256' })
  const { config } = configFor(op, {
    ...settingsFor(place, adapter),
    providers: [oidc(op), { ...oidc(other), id: 'other' }],
    fetch: (input, init) => {
      const { host } = new URL(input instanceof Request ? input.url : input)
      return (host === 'other.test' ? other : op).fetch(input, init)
    },
  })
  return { adapter, op, other, config }
}

/** Copies the cookies of a browser to one that signs in at another provider. */
function copyCookies(from: Browser, to: Browser): void {
  for (const pair of cookiesOf(from).split('; '))
    to.cookies.accept(`${pair}; Path=/; Secure`, new URL('https://app.test/'))
}

await forEachPlace((place) => {
  // Without a database, a sign-in at another provider is one of another user.
  if (place.strategy === 'database' || place.where === 'account')
    test('stay readable when the user signs in at another provider, too', async () => {
      const { adapter, op, other, config } = await openTwoProviders(place)
      const tab = browser(config, { issuer: op })
      await tab.signIn('op')
      const read = async (from: Browser, provider: string) =>
        (await getAccessToken(requestWith(cookiesOf(from)), config, provider)).value.accessToken
      const first = await read(tab, 'op')
      const both = browser(config, { issuer: other })
      copyCookies(tab, both)
      await both.signIn('other')
      expect(await read(both, 'op')).toBe(first)
      expect(await read(both, 'other')).not.toBe(first)
      // Of the session that was replaced, nothing is left.
      if (place.where === 'store') expect((await dump(adapter)).match(/"tokens:/g)).toHaveLength(2)
    })

  test('do not pass to another user who signs in with the same browser', async () => {
    const { op, other, config } = await openTwoProviders(place)
    const bob = browser(config, { issuer: other })
    await bob.signIn('other', BOB)
    await bob.post('signout')
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    const next = browser(config, { issuer: other })
    // Begun while signed out, in another tab.
    const begun = await next.begin('other')
    copyCookies(tab, next)
    await begun.complete(BOB)
    const read = (provider: string) =>
      getAccessToken(requestWith(cookiesOf(next)), config, provider)
    await expect(read('other')).resolves.toBeTruthy()
    await expect(read('op')).rejects.toMatchObject({ code: 'not_connected' })
  })
})

describe('tokens in cookies', () => {
  /** A token of this length takes a third more when it is encrypted. */
  async function open(length: number) {
    const op = await issuer({ url: 'https://op.test', algorithm: 'ES256', refreshTokens: 'kept' })
    const other = await issuer({ url: 'https://other.test', algorithm: 'ES256' })
    for (const each of [op, other])
      each.misbehaviour.token = (body) => ({ ...body, access_token: 'a'.repeat(length) })
    const { config, log } = configFor(op, {
      tokens: {},
      providers: [oidc(op, { userinfo: '' }), { ...oidc(other, { userinfo: '' }), id: 'other' }],
      fetch: (input, init) => {
        const { host } = new URL(input instanceof Request ? input.url : input)
        return (host === 'other.test' ? other : op).fetch(input, init)
      },
    })
    return { log, op: browser(config, { issuer: op }), config, other }
  }

  test('of an earlier session are deleted by the next sign-in, also at another provider', async () => {
    const { config, other, op: tab, log } = await open(6000)
    await tab.signIn('op')
    const first = cookiesOf(tab)
    expect(first.length).toBeGreaterThan(8000)
    const again = browser(config, { issuer: other })
    for (const pair of first.split('; '))
      again.cookies.accept(`${pair}; Path=/; Secure`, new URL('https://app.test/'))
    await again.signIn('other')
    const cookies = cookiesOf(again)
    expect(cookies.length).toBeLessThan(12_500)
    expect(log.lines.map(([, code]) => code)).not.toContain('token-not-stored')
    await expect(getAccessToken(requestWith(cookies), config, 'other')).resolves.toBeTruthy()
    await expect(getAccessToken(requestWith(cookies), config, 'op')).rejects.toMatchObject({
      code: 'not_connected',
    })
  })

  test('that are too long are not stored in part, and the sign-in succeeds', async () => {
    const { op: tab, log } = await open(9500)
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    expect(cookiesOf(tab)).not.toContain('lib.tokens.')
    expect(log.lines).toContainEqual(['warn', 'token-not-stored', expect.any(String)])
  })
})

test('an issuer that takes longer than five seconds: the old token stays', async () => {
  const place = {
    where: 'account',
    strategy: 'database',
    openAdapter: async () => MemoryAdapter(),
  } as const
  const site = await unluckySite(place)
  const before = await site.read()
  site.onRefresh = () => new Promise(() => undefined)
  pass(570)
  const begun = performance.now()
  expect(await Promise.all([site.read(), site.read()])).toEqual([before, before])
  expect(performance.now() - begun).toBeLessThan(9500)
  expect(site.sent).toHaveLength(1)
})
