import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import type { AuthConfig, CallbacksOptions, User } from '../../../src/index.ts'
import { listPasskeys, removePasskey } from '../../../src/passkeys.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, oidc, passwordConfig } from '../../config.ts'
import { ADA, ADAPTERS, databaseSite, down, errorTypes, once } from '../../database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from '../../database.ts'
import { transactionCookies } from '../../oauth.ts'
import { addPasskey, headersOf } from '../../passkeys.ts'
import { claimsOf, cookieFor, pass, SESSION, stopClock, cookieValue } from '../../sessions.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'
import { register } from '../flows/webauthn/site.ts'

const op = await issuer({ algorithm: 'ES256' })
/** The claims of Ada. */
const CLAIMS = { sub: 'ada', name: ADA.name, email: ADA.email, picture: ADA.image }
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }
const WRITES = new Set([
  'createUser',
  'updateUser',
  'linkAccount',
  'updateAccount',
  'createSession',
])

afterEach(() => {
  vi.useRealTimers()
  op.reset()
})

type Strategy = 'database' | 'jwt'

function siteOf(strategy: Strategy, { config, ...options }: DatabaseSiteOptions = {}) {
  return databaseSite(op, { ...options, config: { session: { strategy }, ...config } })
}

/** The stored user with an address, and the providers of its accounts. */
async function storedUser({ stored }: DatabaseSite, email = ADA.email) {
  const user = (await stored.getUserByEmail?.(email)) ?? null
  const accounts = user ? ((await stored.listAccounts?.(user.id)) ?? []) : []
  return { user, providers: accounts.map(({ provider }) => provider).sort() }
}

async function nameOf(tab: Browser): Promise<unknown> {
  return (await tab.session())?.user?.name
}

const CANNOT_LINK = '&code=session_cannot_link'

/** Expects a rejected sign-in without a write. */
async function expectRefused(site: DatabaseSite, response: Response, code = ''): Promise<void> {
  expect(response.headers.get('location')).toBe(
    `${site.tab.origin}/auth/signin?error=OAuthAccountNotLinked${code}`,
  )
  expect(errorTypes(site.log)).toEqual(['OAuthAccountNotLinked'])
  expect(site.called().filter((method) => WRITES.has(method))).toEqual([])
  expect(transactionCookies(site.tab)).toEqual([])
}

describe.each<Strategy>(['database', 'jwt'])('with session strategy %s', (strategy) => {
  describe.each(Object.entries(ADAPTERS))('and an adapter %s', (_name, adapter) => {
    test('creates a user with the account, and signs in as that user the next time', async () => {
      const site = siteOf(strategy, { adapter: adapter() })
      await site.tab.signIn('op')
      const first = await site.stored.getUserByEmail?.(ADA.email)
      const key = { provider: 'op', providerAccountId: 'ada' }
      expect(first).toMatchObject(ADA)
      expect(await site.stored.getUserByAccount?.(key)).toEqual(first)
      const elsewhere = site.open()
      await elsewhere.signIn('op')
      expect(await nameOf(elsewhere)).toBe(ADA.name)
      expect(site.calls.filter(({ method }) => method === 'createUser')).toHaveLength(1)
      expect(site.log.errors).toEqual([])
    })

    test('rejects an account of another provider with the same address', async () => {
      const site = siteOf(strategy, { adapter: adapter() })
      await site.tab.signIn('op')
      const elsewhere = site.open()
      site.called()
      await expectRefused({ ...site, tab: elsewhere }, await elsewhere.signIn('other'))
      expect(await elsewhere.session()).toBeNull()
    })

    test('links an account to the signed-in user, and creates a new session', async () => {
      const site = siteOf(strategy, { adapter: adapter() })
      await site.tab.signIn('op')
      const before = cookieValue(site.tab)
      await site.tab.signIn('other', BOB)
      expect(await nameOf(site.tab)).toBe(ADA.name)
      expect(cookieValue(site.tab)).not.toBe(before)
      const elsewhere = site.open()
      await elsewhere.signIn('other', BOB)
      expect(await nameOf(elsewhere)).toBe(ADA.name)
      expect(await site.stored.getUserByEmail?.(BOB.email)).toBeNull()
      expect(site.log.errors).toEqual([])
    })

    test('creates one user for concurrent sign-ups in two tabs', async () => {
      const site = siteOf(strategy, { adapter: adapter() })
      for (const method of ['createUser', 'linkAccount'] as const)
        site.faults[method] = async (run) => {
          const row = await run()
          await new Promise((resolve) => void setTimeout(resolve, 20))
          return row
        }
      const started = await Promise.all([site.tab, site.open()].map((tab) => tab.begin('op')))
      const answers = await Promise.all(started.map((transaction) => transaction.complete()))
      expect(answers.map(({ headers }) => headers.get('location'))).toEqual([
        site.tab.origin,
        site.tab.origin,
      ])
      const user = await site.stored.getUserByEmail?.(ADA.email)
      const key = { provider: 'op', providerAccountId: 'ada' }
      expect((await site.stored.getUserByAccount?.(key))?.id).toBe(user?.id)
      expect(site.log.errors).toEqual([])
    })
  })

  test('rejects the account of another user, and keeps the session', async () => {
    const site = siteOf(strategy)
    await site.open().signIn('other', BOB)
    await site.tab.signIn('op')
    site.called()
    await expectRefused(site, await site.tab.signIn('other', BOB))
    expect(await nameOf(site.tab)).toBe(ADA.name)
    expect((await storedUser(site)).providers).toEqual(['op'])
    expect((await storedUser(site, BOB.email)).providers).toEqual(['other'])
  })

  test('rejects a sign-in that another user began', async () => {
    const site = siteOf(strategy)
    const bob = site.open()
    await bob.signIn('op', BOB)
    await site.tab.signIn('op')
    const transaction = await site.tab.begin('other')
    site.tab.cookies.set(SESSION, cookieValue(bob))
    site.called()
    const response = await transaction.complete({ sub: 'cleo', email: 'cleo@example.com' })
    await expectRefused(site, response)
    expect(site.log.errors[0]?.message).toMatch(/^The sign-in was started by another user/)
    expect(await nameOf(site.tab)).toBe('Bob')
    expect((await storedUser(site)).providers).toEqual(['op'])
    expect((await storedUser(site, BOB.email)).providers).toEqual(['op'])
  })

  test('completes a sign-in whose user has signed out since it began', async () => {
    const site = siteOf(strategy)
    await site.tab.signIn('op')
    const transaction = await site.tab.begin('other')
    await site.tab.post('signout')
    await transaction.complete(BOB)
    expect(await nameOf(site.tab)).toBe('Bob')
    expect((await storedUser(site)).providers).toEqual(['op'])
  })

  test('links nothing to a session that was planted after the sign-in began', async () => {
    const site = siteOf(strategy)
    const eve = site.open()
    await eve.signIn('op', { sub: 'eve', name: 'Eve', email: 'eve@example.com' })
    const transaction = await site.tab.begin('other')
    site.tab.cookies.set(SESSION, cookieValue(eve))
    await transaction.complete(BOB)
    expect(await nameOf(site.tab)).toBe('Bob')
    expect((await storedUser(site, 'eve@example.com')).providers).toEqual(['op'])
    expect((await storedUser(site, BOB.email)).providers).toEqual(['other'])
  })

  test('links nothing to an expired session', async () => {
    stopClock()
    const site = siteOf(strategy, { config: { session: { strategy, maxAge: 300 } } })
    await site.tab.signIn('op')
    const transaction = await site.tab.begin('other')
    const old = cookieValue(site.tab)
    // A session token is accepted for some seconds after exp (clock skew).
    await pass(330)
    site.tab.cookies.set(SESSION, old)
    await transaction.complete(BOB)
    expect(await nameOf(site.tab)).toBe('Bob')
    expect((await storedUser(site)).providers).toEqual(['op'])
    expect((await site.stored.getSessionAndUser?.(old)) ?? null).toBeNull()
  })

  test('treats a signed-in user who was deleted as signed out', async () => {
    const site = siteOf(strategy)
    await site.tab.signIn('op')
    await site.stored.deleteUser?.((await storedUser(site)).user?.id ?? '')
    await site.tab.signIn('op')
    expect(site.log.errors).toEqual([])
    expect((await storedUser(site)).providers).toEqual(['op'])
    expect(await nameOf(site.tab)).toBe(ADA.name)
  })

  test('updates the tokens of the account when the same user signs in again', async () => {
    const site = siteOf(strategy)
    await site.tab.signIn('op')
    const { user } = await storedUser(site)
    const [before] = (await site.stored.listAccounts?.(user?.id ?? '')) ?? []
    await site.tab.signIn('op')
    const [after, ...others] = (await site.stored.listAccounts?.(user?.id ?? '')) ?? []
    expect(others).toEqual([])
    expect(after?.access_token).not.toBe(before?.access_token)
    expect(after?.userId).toBe(user?.id)
  })

  test.each<[string, unknown, boolean]>([
    ['true', true, true],
    ['false', false, false],
    ['missing', undefined, false],
    ['the string true', 'true', false],
    ['1', 1, false],
  ])(
    'links by the address at a trusted provider only if email_verified is true (%s)',
    async (_name, email_verified, isLinked) => {
      const site = siteOf(strategy, { provider: { allowDangerousEmailAccountLinking: true } })
      await site.tab.signIn('op')
      site.called()
      const elsewhere = site.open()
      const response = await elsewhere.signIn('other', { ...CLAIMS, email_verified })
      if (isLinked) expect(response.headers.get('location')).toBe(site.tab.origin)
      else await expectRefused({ ...site, tab: elsewhere }, response)
      expect((await storedUser(site)).providers).toEqual(isLinked ? ['op', 'other'] : ['op'])
      expect((await elsewhere.session())?.user).toEqual(isLinked ? ADA : undefined)
    },
  )
})

describe('a jwt session from authorize', () => {
  const CUSTOMER = 'customer@example.com'

  /** A site with customer 7 in the database, and a password for the user that `authorize` returns. */
  async function siteOfStaff(
    user: User,
    callbacks: CallbacksOptions = {},
    email: string = CUSTOMER,
    authorize: () => User = () => user,
    issuerOptions: Partial<OIDCConfig> = {},
  ) {
    const adapter = MemoryAdapter()
    await adapter.createUser({ id: '7', email, emailVerified: null })
    const passkey = await addPasskey(adapter, '7')
    const password = passwordConfig({}, { authorize }).config.providers ?? []
    const site = databaseSite(op, {
      adapter,
      config: {
        session: { strategy: 'jwt' },
        providers: [oidc(op, issuerOptions), Passkey(), ...password],
        experimental: { enableWebAuthn: true },
        callbacks,
      },
    })
    const isLinked = async () =>
      (await adapter.listAccounts('7')).some(({ provider }) => provider === 'op')
    const list = async () => (await listPasskeys(headersOf(site.tab), site.config)).value
    const remove = async () =>
      (await removePasskey(headersOf(site.tab), site.config, passkey, { last: 'allow' })).value
    return { ...site, isLinked, list, remove }
  }

  test.each<[string, User]>([
    ['id and address', { id: '7', email: CUSTOMER }],
    ['id and address in capitals', { id: '7', email: 'Customer@Example.com' }],
  ])('acts for the stored user with the same %s', async (_case, user) => {
    const site = await siteOfStaff(user)
    await enter(site.tab)
    expect(site.called().filter((method) => method === 'getUser')).toHaveLength(1)
    expect(await site.list()).toHaveLength(1)
    await register(site.tab, createAuthenticator())
    expect(await site.list()).toHaveLength(2)
    expect(await site.remove()).not.toBeNull()
    await site.tab.signIn('op', BOB)
    expect(await site.isLinked()).toBe(true)
    expect((await claimsOf(site.tab))?.sub).toBe('7')
    expect(site.log.errors).toEqual([])
  })

  const forged: CallbacksOptions = { jwt: ({ token }) => ({ ...token, verified_at_sign_in: true }) }
  const stripping: CallbacksOptions = { jwt: () => ({ name: 'Customer' }) }
  const renaming: CallbacksOptions = { jwt: () => ({ sub: 'guest:own' }) }
  const assigning: CallbacksOptions = { jwt: ({ token }) => ({ ...token, sub: '7' }) }

  test.each<[string, User, CallbacksOptions?, string?]>([
    ['has another address', { id: '7', email: 'staff@example.com' }],
    ['has an address that differs in a letter', { id: '7', email: 'cuſtomer@example.com' }],
    ['has no address', { id: '7' }],
    ['has no address, like the row', { id: '7', email: '' }, {}, ''],
    ['has another id', { id: '8', email: CUSTOMER }],
    ['has no id', { email: CUSTOMER }],
    ['is marked by the jwt callback', { id: '7', email: 'staff@example.com' }, forged],
    ['has another id, and claims removed by the callback', { id: '8', email: CUSTOMER }, stripping],
    ['has another id, and a sub changed by the callback', { id: '8', email: CUSTOMER }, renaming],
    ['has claims removed by the callback', { id: '7', email: CUSTOMER }, stripping],
    ['has a sub changed by the callback', { id: '7', email: CUSTOMER }, renaming],
    ['is a guest whose sub the callback changed', { id: 'guest:1', name: 'Guest' }, renaming],
  ])(
    'does not act for a stored user if the returned one %s',
    async (_case, user, callbacks, email) => {
      const site = await siteOfStaff(user, callbacks, email)
      await enter(site.tab)
      expect(await site.tab.session()).not.toBeNull()
      expect(await site.list()).toBeNull()
      expect(await site.remove()).toBeNull()
      await expect(register(site.tab, createAuthenticator())).rejects.toThrow(/InvalidRequest|403/)
      const session = await site.tab.session()
      site.called()
      site.log.errors.length = 0
      await expectRefused(site, await site.tab.signIn('op', BOB), CANNOT_LINK)
      expect(site.log.errors[0]?.message).toContain(
        'Return the id and the email of the stored user from authorize',
      )
      expect(await site.tab.session()).toEqual(session)
      expect(site.log.lines.join()).toContain('session-not-stored')
    },
  )

  const STAFF: User = { id: '7', email: 'staff@example.com' }
  const GUEST: User = { id: 'guest:1', name: 'Guest' }

  test.each([STAFF, GUEST])(
    'signs in as the owner of an account that is linked: %j',
    async (user) => {
      const site = await siteOfStaff(user)
      await site.open().signIn('op', BOB)
      await enter(site.tab)
      await site.tab.signIn('op', BOB)
      expect(await nameOf(site.tab)).toBe('Bob')
      expect(site.log.errors).toEqual([])
    },
  )

  test.each<[string, User, (site: Awaited<ReturnType<typeof siteOfStaff>>) => unknown]>([
    ['is that of a guest', GUEST, () => undefined],
    ['has ended since', STAFF, ({ tab }) => tab.post('signout')],
  ])('does not prevent a sign-up if it %s', async (_case, user, change) => {
    const site = await siteOfStaff(user)
    await enter(site.tab)
    const transaction = await site.tab.begin('op')
    await change(site)
    await transaction.complete(BOB)
    expect(await nameOf(site.tab)).toBe('Bob')
    expect((await site.stored.getUserByEmail?.(BOB.email))?.name).toBe('Bob')
    expect(site.log.errors).toEqual([])
  })

  test('does not prevent a sign-up that began without it', async () => {
    const site = await siteOfStaff(STAFF)
    const transaction = await site.tab.begin('op')
    await enter(site.tab)
    await transaction.complete(BOB)
    expect(await nameOf(site.tab)).toBe('Bob')
  })

  test.each<[string, User, User]>([
    ['a stored one', { id: '7', email: CUSTOMER }, STAFF],
    ['one that is not stored', STAFF, { id: '7', email: CUSTOMER }],
    ['a guest', GUEST, { id: '7', email: CUSTOMER }],
  ])('creates no user if the session was replaced by another one, after %s', async (...row) => {
    const [, first, second] = row
    let user = first
    const site = await siteOfStaff(first, {}, CUSTOMER, () => user)
    await enter(site.tab)
    const transaction = await site.tab.begin('op')
    user = second
    await enter(site.tab)
    site.called()
    await expectRefused(site, await transaction.complete(BOB), CANNOT_LINK)
    expect(await site.isLinked()).toBe(false)
  })

  test('links an account to the user with its address, if the provider is trusted', async () => {
    const site = await siteOfStaff(STAFF, {}, CUSTOMER, () => STAFF, {
      allowDangerousEmailAccountLinking: true,
    })
    await enter(site.tab)
    await site.tab.signIn('op', { ...BOB, email: CUSTOMER, email_verified: true })
    expect(await site.isLinked()).toBe(true)
    expect((await claimsOf(site.tab))?.sub).toBe('7')
  })

  test('does not act for a stored user whom the jwt callback assigns to it', async () => {
    const site = await siteOfStaff({ id: '8', email: 'staff@example.com' }, assigning)
    await site.stored.createUser?.({ id: '8', email: 'staff@example.com', emailVerified: null })
    await enter(site.tab)
    expect((await claimsOf(site.tab))?.sub).toBe('7')
    expect(await site.list()).toBeNull()
    const response = await site.tab.signIn('op', BOB)
    expect(response.headers.get('location')).toContain('error=OAuthAccountNotLinked')
    expect(await site.isLinked()).toBe(false)
  })

  test('begins during an outage of the database, for a user who is not stored', async () => {
    const site = await siteOfStaff({ id: '7', email: CUSTOMER })
    site.faults.getUser = once(down)
    await enter(site.tab)
    expect(await site.tab.session()).not.toBeNull()
    expect(await site.list()).toBeNull()
  })

  test('of an earlier release acts for a stored user only if it is not from authorize', async () => {
    const linkWith = async (claims: object) => {
      const site = await siteOfStaff({ id: '7' })
      const cookie = await cookieFor({ sub: '7', email: CUSTOMER, ...claims })
      site.tab.cookies.set(SESSION, cookie.slice(SESSION.length + 1))
      const passkeys = await site.list()
      const response = await site.tab.signIn('op', BOB)
      const isRejected = response.headers.get('location')?.includes('OAuthAccountNotLinked')
      return [passkeys?.length ?? null, await site.isLinked(), isRejected]
    }
    expect(await linkWith({ verified_at_sign_in: false })).toEqual([1, true, false])
    expect(await linkWith({})).toEqual([null, false, true])
  })
})

test.each<[string, Partial<AuthConfig>]>([
  ['a session from authorize', {}],
  [
    'a session whose sub the jwt callback changed',
    { callbacks: { jwt: ({ token }) => ({ ...token, sub: 'other' }) } },
  ],
])('without an adapter, there is no warning that %s cannot link', async (_name, overrides) => {
  const { config, log } = passwordConfig({ protection: 'off', fetch: op.fetch, ...overrides })
  const tab = browser(
    { ...config, providers: [...(config.providers ?? []), oidc(op)] },
    { issuer: op },
  )
  await enter(tab)
  await tab.signIn('op', CLAIMS)
  expect(await tab.session()).not.toBeNull()
  expect(log.errors).toEqual([])
  expect(log.lines).toEqual([])
})
