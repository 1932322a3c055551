import { afterEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { ADA, ADAPTERS, databaseSite, errorTypes } from '../database.ts'
import type { DatabaseSite, DatabaseSiteOptions } from '../database.ts'
import { transactionCookies } from '../oauth.ts'
import { pass, SESSION, stopClock, cookieValue } from '../sessions.ts'

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

/** Expects a rejected sign-in without a write. */
async function expectRefused(site: DatabaseSite, response: Response): Promise<void> {
  expect(response.headers.get('location')).toBe(
    `${site.tab.origin}/auth/signin?error=OAuthAccountNotLinked`,
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
