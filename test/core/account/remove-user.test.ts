/** Users delete themselves, and staff delete users. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { manageAccounts, removeUser } from '../../../src/account.ts'
import type { Adapter, StoredRecord } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { AccessDenied } from '../../../src/errors.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { down, errorTypes, lost, once, without } from '../../database.ts'
import { addPasskey } from '../../passkeys.ts'
import { pass, stopClock } from '../../sessions.ts'
import { accountSite, actions, requestOf } from './account-site.ts'
import type { AccountSite } from './account-site.ts'

afterEach(() => vi.useRealTimers())

/** Each session strategy with what ends sessions. */
const SESSIONS: Record<string, Pick<AuthConfig, 'session'>> = {
  'in cookies': { session: { strategy: 'jwt', revocation: {}, devices: 'listed' } },
  'in the database': { session: { strategy: 'database' } },
  'in the database, hashed': { session: { strategy: 'database', hashTokens: true } },
}

/** What is stored about Ada. */
async function leftOf({ stored, userId }: AccountSite): Promise<unknown> {
  const rows = await Promise.all([
    stored.getUser?.(userId),
    stored.getUserByEmail?.('ada@example.com'),
    stored.listAccounts?.(userId),
    stored.listSessions?.(userId),
    stored.listAuthenticatorsByUserId?.(userId),
    stored.listRecords?.(`user:${userId}`),
  ])
  return rows.filter((row) => row !== null && row !== undefined).flat()
}

describe.each(Object.entries(SESSIONS))('with sessions %s', (_kind, config) => {
  test('the user, the accounts, the passkeys and all sessions are gone', async () => {
    const site = await accountSite({ config: { ...config, tokens: {} } })
    const phone = site.open()
    await phone.signIn('op')
    await addPasskey(site.stored, site.userId)
    await actions(site).link('other')
    await actions(site).remove()
    expect(await leftOf(site)).toEqual([])
    expect([await site.tab.session(), await phone.session()]).toEqual([null, null])
    expect(site.tab.cookies.all().filter(({ name }) => name.includes('session-token'))).toEqual([])
    expect(site.events.map(([name]) => name)).toEqual(['deleteUser'])
    expect(site.audited.at(-1)).toMatchObject({
      type: 'user.deleted',
      outcome: 'success',
      actor: { kind: 'user', id: site.userId },
      target: { kind: 'user', id: site.userId },
    })
    expect(new Set(site.revoked).size).toBe(site.revoked.length)
    expect(site.revoked).toHaveLength(2)
    // The address is free again.
    await phone.signIn('op')
    expect(await phone.session()).not.toBeNull()
    expect((await site.stored.getUserByEmail?.('ada@example.com'))?.id).not.toBe(site.userId)
  })

  test('an old session confirms who they are; the user stays until then', async () => {
    stopClock()
    const beforeRemove = vi.fn(async () => undefined)
    const site = await accountSite({ config: { ...config, account: { beforeRemove } } })
    await pass(15 * 60 + 61)
    await expect(actions(site).remove()).rejects.toMatchObject({ type: 'StepUpRequired' })
    expect(beforeRemove).not.toHaveBeenCalled()
    expect(await site.stored.getUser?.(site.userId)).not.toBeNull()
  })

  test('the application deletes its data before the user', async () => {
    const order: string[] = []
    const beforeRemove = async ({ user }: { user: { id: string } }) => {
      order.push((await site.stored.getUser?.(user.id)) ? 'stored' : 'deleted')
    }
    const site: AccountSite = await accountSite({
      config: { ...config, account: { beforeRemove } },
    })
    await actions(site).remove()
    expect(order).toEqual(['stored'])
    expect(await leftOf(site)).toEqual([])
  })

  test.each<[string, Error, string]>([
    ['an error', new Error('Orders are open.'), 'AccountRemovalError'],
    ['an error of the library', new AccessDenied('Orders are open.'), 'AccessDenied'],
  ])('%s of the application keeps the user and the session', async (_name, error, type) => {
    const beforeRemove = () => Promise.reject(error)
    const site = await accountSite({ config: { ...config, account: { beforeRemove } } })
    await expect(actions(site).remove()).rejects.toMatchObject({ type })
    expect(await site.tab.session()).not.toBeNull()
    expect(await leftOf(site)).not.toEqual([])
    expect([site.events, site.revoked]).toEqual([[], []])
  })

  const METHODS = [
    'getUser',
    'listAccounts',
    'deleteUserSessions',
    'deleteSession',
    'deleteUser',
    'readRecords',
    'writeRecord',
    'deleteRecords',
  ] as const satisfies readonly (keyof Adapter)[]

  test.each(METHODS.flatMap((method) => [[method, down] as const, [method, once(lost)] as const]))(
    'after a failure of %s, the deletion can be repeated, and nothing is left',
    async (method, fault) => {
      const site = await accountSite({ config })
      const phone = site.open()
      await phone.signIn('op')
      site.faults[method] = fault
      const first: unknown = await actions(site)
        .remove()
        .catch((error: unknown) => error)
      delete site.faults[method]
      if (await site.stored.getUser?.(site.userId)) {
        expect(first).toBeInstanceOf(Error)
        expect(site.events).toEqual([])
        // The sessions may have ended.
        if ((await site.tab.session()) === null) await site.tab.signIn('op')
        await actions(site).remove()
      } else expect(first).toBeUndefined()
      expect(await site.stored.getUser?.(site.userId)).toBeNull()
      expect([await site.tab.session(), await phone.session()]).toEqual([null, null])
      expect(site.events.map(([name]) => name)).toEqual(['deleteUser'])
      expect(site.revoked).toHaveLength(1)
    },
  )
})

interface Deletion {
  readonly keys?: readonly string[]
  readonly owner?: string
}

/** The kinds of the records that are stored. */
function recordsOf({ calls }: AccountSite): readonly string[] {
  const stored = new Map<string, string | null>()
  for (const { method, args } of calls) {
    if (method === 'writeRecord') {
      const { key, owner } = args[0] as StoredRecord
      stored.set(key, owner)
    }
    if (method !== 'deleteRecords') continue
    const { keys = [], owner } = args[0] as Deletion
    for (const [key, each] of stored)
      if (keys.includes(key) || (owner !== undefined && each === owner)) stored.delete(key)
  }
  return [...new Set([...stored.keys()].map((key) => key.replace(/:.*/, '')))].sort()
}

test.each(['jwt', 'database'] as const)(
  'of all records, only those stay that reject old cookies, with the strategy %s',
  async (strategy) => {
    const session = {
      strategy,
      devices: 'described',
      maxPerUser: 5,
      ...(strategy === 'jwt' && { revocation: {} }),
    } as const
    const options = { tokens: { where: 'store' }, logout: { backChannel: ['op'] } } as const
    const site = await accountSite({ config: { session, ...options } })
    await site.open().signIn('op')
    expect(recordsOf(site)).toContain('op-sub')
    await actions(site).remove()
    // `state`: the authorization response that was used.
    const kept = strategy === 'jwt' ? ['before', 'forgotten', 'state'] : ['forgotten', 'state']
    expect(recordsOf(site)).toEqual(kept)
  },
)

test('without revocation, the other sessions in cookies last, and a warning says so', async () => {
  const site = await accountSite({ config: { session: { strategy: 'jwt' } } })
  await actions(site).remove()
  expect(site.log.lines.map(([, code]) => code)).toContain('sessions-not-ended')
  expect(await site.tab.session()).toBeNull()
})

test('a provider that does not respond does not prevent the deletion', async () => {
  const site = await accountSite({ config: { session: { strategy: 'jwt' } } })
  const { fetch } = site.config
  const slow: AuthConfig = {
    ...site.config,
    fetch: async (input, init) =>
      String(input instanceof Request ? input.url : input).endsWith('/revoke')
        ? new Promise<never>(() => undefined)
        : (fetch ?? globalThis.fetch)(input, init),
  }
  await removeUser(requestOf(site.tab), slow)
  expect(await leftOf(site)).toEqual([])
})

test('an adapter without deleteUser is named, and nothing has happened', async () => {
  const beforeRemove = vi.fn(async () => undefined)
  const adapter = without(MemoryAdapter(), 'deleteUser')
  const site = await accountSite({ adapter, config: { account: { beforeRemove } } })
  await expect(actions(site).remove()).rejects.toThrow('deleteUser')
  expect(beforeRemove).not.toHaveBeenCalled()
  expect(await site.tab.session()).not.toBeNull()
})

test('a visitor deletes no one, nor does a page of another origin', async () => {
  const site = await accountSite()
  await expect(actions({ config: site.config, tab: site.open() }).remove()).rejects.toMatchObject({
    type: 'SessionRequired',
  })
  await expect(
    removeUser(requestOf(site.tab, { 'sec-fetch-site': 'cross-site' }), site.config),
  ).rejects.toMatchObject({ type: 'MissingCSRF' })
  expect(await site.stored.getUser?.(site.userId)).not.toBeNull()
})

test('staff delete a user, whose sessions end; a repeated call returns false', async () => {
  const site = await accountSite({ config: { session: { strategy: 'database' } } })
  const staff = manageAccounts(site.config, { actor: 'staff 7' })
  expect(await staff.remove(site.userId)).toBe(true)
  expect(await site.tab.session()).toBeNull()
  expect(await leftOf(site)).toEqual([])
  expect(site.audited.at(-1)).toMatchObject({
    type: 'user.deleted',
    actor: { kind: 'user', id: 'staff 7' },
  })
  expect(await staff.remove(site.userId)).toBe(false)
  expect(errorTypes(site.log)).toEqual([])
})
