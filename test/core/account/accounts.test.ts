/** Users list, link and unlink their accounts at providers. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { linkAccount, listAccounts, manageAccounts, unlinkAccount } from '../../../src/account.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { getAccessToken } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { down, lost, once, without } from '../../database.ts'
import { mailProvider } from '../../email.ts'
import { addPasskey, withPasskeys } from '../../passkeys.ts'
import { pass, stopClock } from '../../sessions.ts'
import { accountSite, actions, op, requestOf, valueOf } from './account-site.ts'
import type { AccountSite } from './account-site.ts'

afterEach(() => vi.useRealTimers())

const STRATEGIES = ['jwt', 'database'] as const
const SECOND = { provider: 'other', providerAccountId: 'second' }

/** The key of the account with which Ada has signed up. */
async function firstOf({ stored, userId }: AccountSite) {
  const [account] = (await stored.listAccounts?.(userId)) ?? []
  if (!account) throw new Error('Ada has no account.')
  const { provider, providerAccountId } = account
  return { provider, providerAccountId }
}

const keysOf = async ({ stored, userId }: AccountSite) =>
  ((await stored.listAccounts?.(userId)) ?? [])
    .map(({ provider, providerAccountId: id }) => `${provider} ${id}`)
    .sort()

/** A row whose deletion is answered late: concurrent requests have deleted theirs. */
const slowly =
  <A extends unknown[], R>(call: (...args: A) => R) =>
  async (...args: A): Promise<Awaited<R>> => {
    const result = await call(...args)
    await new Promise((resolve) => setTimeout(resolve, 50))
    return result
  }

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  const config: Pick<AuthConfig, 'session'> = { session: { strategy } }
  const open = () => accountSite({ config })

  test('the list has the address and the scopes of each account, and no token', async () => {
    const site = await open()
    const [account] = (await actions(site).list()) ?? []
    expect(account).toEqual({
      ...(await firstOf(site)),
      type: 'oidc',
      email: 'ada@example.com',
      scope: ['openid', 'profile', 'email'],
      isLast: true,
    })
  })

  test('a second account is linked, listed and unlinked', async () => {
    const site = await open()
    const { link, list, unlink } = actions(site)
    expect(await link('other')).toBe('https://app.test/account')
    expect(((await list()) ?? []).map(({ isLast }) => isLast)).toEqual([false, false])
    expect(await unlink(SECOND)).toMatchObject({ ...SECOND, isLast: false })
    expect(await keysOf(site)).toEqual([Object.values(await firstOf(site)).join(' ')])
    expect(site.events).toEqual([
      [
        'unlinkAccount',
        {
          user: expect.objectContaining({ id: site.userId }),
          account: { ...SECOND, type: 'oidc', userId: site.userId },
        },
      ],
    ])
    expect(site.audited.at(-1)).toMatchObject({
      type: 'account.unlinked',
      actor: { kind: 'user', id: site.userId },
      target: { kind: 'account', id: 'second' },
      provider: 'other',
    })
    expect(site.revoked).toHaveLength(1)
    // The account is free again: it signs up as another user.
    await site.open().signIn('other', { sub: 'second', email: 'second@example.com' })
    expect((await site.stored.getUserByAccount?.(SECOND))?.id).not.toBe(site.userId)
  })

  test('the account of the session can be unlinked, and the session stays', async () => {
    const site = await open()
    const { link, unlink } = actions(site)
    await link('other')
    expect(await unlink(SECOND)).not.toBeNull()
    expect(await site.tab.session()).not.toBeNull()
  })

  test('the last account is not unlinked, unless the caller allows it', async () => {
    const site = await open()
    const { unlink } = actions(site)
    const key = await firstOf(site)
    const error = await unlink(key).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ type: 'LastSignInMethod' })
    expect([site.revoked, site.events]).toEqual([[], []])
    expect(await keysOf(site)).toHaveLength(1)
    expect(site.log.errors).toEqual([])
    expect(await unlink(key, { last: 'allow' })).toMatchObject({ isLast: true })
    expect(await keysOf(site)).toEqual([])
  })

  test('an account of another user, of a passkey, or an unknown one is not unlinked', async () => {
    const site = await open()
    await site.open().signIn('other', { sub: 'bob', email: 'bob@example.com' })
    const passkey = await addPasskey(site.stored, site.userId)
    const { unlink, list } = actions(site)
    for (const key of [
      { provider: 'other', providerAccountId: 'bob' },
      { provider: 'passkey', providerAccountId: passkey },
      { provider: 'op', providerAccountId: 'unknown' },
    ])
      expect(await unlink(key, { last: 'allow' })).toBeNull()
    expect(await list()).toHaveLength(1)
  })

  test('after 15 minutes the user confirms who they are; nothing is written before', async () => {
    stopClock()
    const site = await open()
    const { link, unlink, start, list } = actions(site)
    await link('other')
    await pass(15 * 60 + 61)
    for (const call of [() => unlink(SECOND), () => start('other')]) {
      const error: unknown = await call().catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        type: 'StepUpRequired',
        url: expect.stringContaining('/auth/step-up?stepUp='),
      })
    }
    expect(await keysOf(site)).toHaveLength(2)
    expect(await list()).toHaveLength(2)
  })

  test('an account that was not requested with linkAccount is not linked by an old session', async () => {
    stopClock()
    const site = await open()
    await pass(15 * 60 + 61)
    const response = await site.tab.signIn('other', { sub: 'second' })
    expect(response.headers.get('location')).toContain('/auth/step-up?stepUp=')
    expect(await keysOf(site)).toHaveLength(1)
    expect(await site.tab.session()).not.toBeNull()
  })

  test('with freshFor, the time is another one', async () => {
    stopClock()
    const site = await accountSite({ config: { ...config, account: { freshFor: 3600 } } })
    await pass(3500)
    expect(await actions(site).link('other')).toBe('https://app.test/account')
    await pass(3700)
    await expect(actions(site).unlink(SECOND)).rejects.toMatchObject({ type: 'StepUpRequired' })
  })

  test('an account of another user is not linked', async () => {
    const site = await open()
    await site.open().signIn('other', { sub: 'bob', email: 'bob@example.com' })
    expect(await actions(site).link('other', { sub: 'bob' })).toContain(
      'error=OAuthAccountNotLinked',
    )
    expect(await keysOf(site)).toHaveLength(1)
  })

  test('two accounts that are unlinked at the same time leave one of them', async () => {
    for (const adapter of [MemoryAdapter(), without(MemoryAdapter(), 'transaction')]) {
      const site = await accountSite({ config, adapter })
      const { link, unlink } = actions(site)
      await link('other')
      const first = await firstOf(site)
      const outcomes = await Promise.allSettled([unlink(first), unlink(SECOND)])
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ type: 'LastSignInMethod' })
      expect((await keysOf(site)).length).toBeGreaterThan(0)
    }
  })

  test.each([
    ['the user is first', false, true],
    ['staff are first', true, true],
    ['the user is first, without transactions', false, false],
    ['staff are first, without transactions', true, false],
  ])(
    'of the last two accounts, which the user and staff unlink at the same time, one stays: %s',
    async (_name, isStaffFirst, hasTransactions) => {
      const stored = MemoryAdapter()
      const slow = { ...stored, unlinkAccount: slowly(stored.unlinkAccount) }
      const adapter = hasTransactions ? slow : without(slow, 'transaction')
      const site = await accountSite({ config, adapter })
      const { link, unlink } = actions(site)
      await link('other')
      const first = await firstOf(site)
      const byStaff = () => manageAccounts(site.config).unlink(site.userId, SECOND)
      const both = [() => unlink(first), byStaff]
      if (isStaffFirst) both.reverse()
      const outcomes = await Promise.allSettled(both.map((each) => each()))
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ type: 'LastSignInMethod' })
      expect((await keysOf(site)).length).toBeGreaterThan(0)
    },
  )

  test('a visitor has no accounts, and cannot change any', async () => {
    const site = await open()
    const visitor = { config: site.config, tab: site.open() }
    const { list, unlink, start } = actions(visitor)
    expect(await list()).toBeNull()
    await expect(unlink(SECOND)).rejects.toMatchObject({ type: 'SessionRequired' })
    await expect(start('op')).rejects.toMatchObject({ type: 'SessionRequired' })
  })

  test('a page of another origin changes nothing', async () => {
    const site = await open()
    const { config: settings, tab } = site
    const foreign = () => requestOf(tab, { 'sec-fetch-site': 'cross-site' })
    const key = await firstOf(site)
    await expect(unlinkAccount(foreign(), settings, key, { last: 'allow' })).rejects.toMatchObject({
      type: 'MissingCSRF',
    })
    await expect(linkAccount(foreign(), settings, 'op')).rejects.toMatchObject({
      type: 'MissingCSRF',
    })
    expect(await keysOf(site)).toHaveLength(1)
  })

  test.each([
    ['the database is down', down, 2],
    ['the response is lost', once(lost), 1],
  ])('while %s, the account is unlinked or stays', async (_fault, fault, left) => {
    const site = await open()
    const { link, unlink } = actions(site)
    await link('other')
    site.faults.unlinkAccount = fault
    const result = await unlink(SECOND).catch((error: unknown) => error)
    expect(result).toMatchObject(left === 1 ? SECOND : { type: 'AdapterError' })
    expect(await keysOf(site)).toHaveLength(left)
    delete site.faults.unlinkAccount
    await unlink(SECOND)
    expect(await keysOf(site)).toHaveLength(1)
  })

  test('without an answer to the question whether a method is left, the account is linked again', async () => {
    const site = await open()
    const { link, unlink } = actions(site)
    await link('other')
    let reads = 0
    site.faults.listAccounts = (run) => (++reads === 3 ? down() : run())
    await expect(unlink(SECOND)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await keysOf(site)).toHaveLength(2)
  })
})

test.each<[string, Partial<AuthConfig>, (site: AccountSite) => unknown]>([
  ['a passkey', {}, ({ stored, userId }) => addPasskey(stored, userId)],
  [
    'a verified address and a provider of type email',
    {},
    ({ stored, userId: id }) => stored.updateUser?.({ id, emailVerified: new Date() }),
  ],
])('the last account is unlinked if the user has %s', async (_name, _config, prepare) => {
  const site = await accountSite({ config: { session: { strategy: 'database' } } })
  const { providers = [] } = site.config
  const config = withPasskeys({ ...site.config, providers: [...providers, mailProvider([])] })
  await prepare(site)
  const [account] = (await actions({ config, tab: site.tab }).list()) ?? []
  expect(account).toMatchObject({ isLast: false })
  expect(await actions({ config, tab: site.tab }).unlink(await firstOf(site))).not.toBeNull()
})

test('an account of a provider that is no longer configured is listed, and can be unlinked', async () => {
  const site = await accountSite({ config: { session: { strategy: 'database' } } })
  const gone = { provider: 'gone', providerAccountId: '1' }
  await site.stored.linkAccount?.({ ...gone, type: 'oauth', userId: site.userId })
  const listed = (await actions(site).list()) ?? []
  expect(listed.map(({ provider, isLast }) => [provider, isLast])).toEqual([
    ['gone', false],
    ['op', true],
  ])
  expect(await actions(site).unlink(gone)).toMatchObject(gone)
})

test('other sessions that began at the provider end; those of another one stay', async () => {
  const site = await accountSite({ config: { session: { strategy: 'database' } } })
  const { link, unlink } = actions(site)
  await link('other')
  const [phone, tablet] = [site.open(), site.open()]
  await phone.signIn('other', { sub: 'second' })
  await tablet.signIn('op')
  await unlink(SECOND)
  expect(await phone.session()).toBeNull()
  expect(await tablet.session()).not.toBeNull()
  expect(await site.tab.session()).not.toBeNull()
})

test('the tokens of the session at an unlinked account are deleted', async () => {
  for (const where of ['store', 'cookie'] as const) {
    const site = await accountSite({
      config: { session: { strategy: 'database' }, tokens: { where } },
    })
    const { link, unlink } = actions(site)
    await link('other')
    const read = async () => (await getAccessToken(requestOf(site.tab), site.config, 'other')).value
    expect((await read()).accessToken).not.toBe('')
    await unlink(SECOND)
    await expect(read()).rejects.toMatchObject({ code: 'not_connected' })
    expect(site.revoked.length).toBeGreaterThan(0)
  }
})

test('staff unlink accounts of any user, which the audit log attributes to them', async () => {
  const site = await accountSite({ config: { session: { strategy: 'jwt' } } })
  await actions(site).link('other')
  const staff = manageAccounts(site.config, { actor: 'staff 7' })
  expect(await staff.list(site.userId)).toHaveLength(2)
  expect(await staff.unlink(site.userId, SECOND)).toMatchObject(SECOND)
  expect(site.audited.at(-1)).toMatchObject({
    type: 'account.unlinked',
    actor: { kind: 'user', id: 'staff 7' },
  })
  await expect(staff.unlink(site.userId, await firstOf(site))).rejects.toMatchObject({
    type: 'LastSignInMethod',
  })
  const unknown = [await staff.list('unknown'), await staff.unlink('unknown', SECOND)]
  expect(unknown).toEqual([null, null])
  await expect(staff.list('')).rejects.toMatchObject({ type: 'InvalidConfiguration' })
})

test('changes need the option account, the list does not', async () => {
  const site = await accountSite({ config: { account: undefined, session: { strategy: 'jwt' } } })
  expect(await actions(site).list()).toHaveLength(1)
  await expect(actions(site).unlink(SECOND)).rejects.toThrow('Set account: {}.')
})

test.each<[string, unknown]>([
  ['account.freshFor is not a number of seconds from 60 to 86400', { freshFor: 5 }],
  ['account.freshFor is not', { freshFor: '900' }],
  ['account.beforeRemove is not a function', { beforeRemove: true }],
  ['account is not an object', true],
])('%s is an error of the configuration', async (message, account) => {
  const site = await accountSite()
  const config = { ...site.config, account } as AuthConfig
  await expect(listAccounts(requestOf(site.tab), config)).rejects.toThrow(message)
})

test('an adapter without the methods is named', async () => {
  const adapter = without(MemoryAdapter(), 'listAccounts')
  const site = await accountSite({ adapter })
  await expect(valueOf(site.tab, listAccounts(requestOf(site.tab), site.config))).rejects.toThrow(
    'listAccounts',
  )
})

test('a provider without accounts cannot be linked', async () => {
  const site = await accountSite()
  await expect(actions(site).start('email')).rejects.toThrow('Configured ids: op, other.')
  expect(op.requests.token).toBeGreaterThan(0)
})
