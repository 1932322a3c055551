import { beforeEach, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { errorTable } from '../../../src/core/errors/table.ts'
import { issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { down, errorTypes, lost, once, without } from '../../database.ts'
import type { DatabaseSiteOptions } from '../../database.ts'
import { mailProvider } from '../../email.ts'
import {
  addPasskey,
  passkeySite,
  siteWithoutOtherMethods,
  storedIds,
  strangerOf,
} from '../../passkeys.ts'
import type { PasskeySite } from '../../passkeys.ts'

const op = await issuer({ algorithm: 'ES256' })

describe('removePasskey', () => {
  test('removes the passkey and its account, and keeps the others', async () => {
    const site = await siteWithoutOtherMethods()
    const { stored, userId } = site
    const [kept, removed] = [await addPasskey(stored, userId), await addPasskey(stored, userId)]
    expect(await site.remove(removed)).toMatchObject({ credentialID: removed })
    expect(await storedIds(stored, userId)).toEqual([kept])
    expect(await stored.listAccounts?.(userId)).toMatchObject([{ providerAccountId: kept }])
    expect(await site.tab.session()).not.toBeNull()
  })

  test('returns null for the passkey of another user, and does not remove it', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, await strangerOf(site))
    expect(await site.remove(id)).toBeNull()
    expect(await site.stored.getAuthenticator?.(id)).not.toBeNull()
  })

  test('returns null for a passkey that was removed in another tab', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId)
    expect([await site.remove(id), await site.remove(id)]).toEqual([expect.anything(), null])
  })

  test('removes the passkey with an adapter that cannot list accounts', async () => {
    const site = await siteWithoutOtherMethods({
      adapter: without(MemoryAdapter(), 'listAccounts'),
    })
    const { stored, userId } = site
    const [kept, removed] = [await addPasskey(stored, userId), await addPasskey(stored, userId)]
    expect(await site.remove(removed)).not.toBeNull()
    expect(await storedIds(stored, userId)).toEqual([kept])
  })
})

describe('removePasskey of the only passkey', () => {
  const verified = { emailVerified: new Date() }
  const providers = [oidc(op), mailProvider([])]

  test.each<[string, (site: PasskeySite) => unknown, DatabaseSiteOptions]>([
    ['an account at a configured provider', () => undefined, {}],
    [
      'a verified address and a provider of type email',
      ({ stored, userId: id }) => stored.updateUser?.({ id, ...verified }),
      { config: { providers } },
    ],
  ])('succeeds if the user has %s', async (method, prepare, options) => {
    const open = method.startsWith('an account') ? passkeySite : siteWithoutOtherMethods
    const site = await open(options)
    await prepare(site)
    const id = await addPasskey(site.stored, site.userId)
    expect(await site.remove(id)).toMatchObject({ credentialID: id })
    expect(await storedIds(site.stored, site.userId)).toEqual([])
  })

  test.each<[string, (site: PasskeySite) => unknown, DatabaseSiteOptions]>([
    ['no other method', () => undefined, {}],
    [
      'an account at a provider that is not configured',
      ({ stored, userId }) =>
        stored.linkAccount?.({ provider: 'gone', providerAccountId: '1', type: 'oidc', userId }),
      {},
    ],
    [
      'the account of a passkey that no longer exists',
      ({ stored, userId }) =>
        stored.linkAccount?.({ provider: 'op', providerAccountId: '1', type: 'webauthn', userId }),
      {},
    ],
    [
      'a passkey whose account was unlinked',
      async ({ stored, userId }) => {
        const providerAccountId = await addPasskey(stored, userId)
        await stored.unlinkAccount?.({ provider: 'passkey', providerAccountId })
      },
      {},
    ],
    [
      'a passkey of a provider that is not configured',
      async ({ stored, userId }) => {
        const providerAccountId = await addPasskey(stored, userId)
        await stored.unlinkAccount?.({ provider: 'passkey', providerAccountId })
        const account = { provider: 'webauthn', providerAccountId, userId }
        await stored.linkAccount?.({ ...account, type: 'webauthn' })
      },
      {},
    ],
    ['an address that is not verified', () => undefined, { config: { providers } }],
    [
      'a verified address, but no provider of type email',
      ({ stored, userId: id }) => stored.updateUser?.({ id, ...verified }),
      {},
    ],
  ])('is refused if the user has %s', async (_method, prepare, options) => {
    const site = await siteWithoutOtherMethods(options)
    await prepare(site)
    const id = await addPasskey(site.stored, site.userId)
    const before = await site.stored.getAuthenticator?.(id)
    await expect(site.remove(id)).rejects.toMatchObject({ type: 'LastSignInMethod' })
    expect(await site.stored.getAuthenticator?.(id)).toEqual(before)
    expect(site.called()).not.toContain('deleteAuthenticator')
    expect(site.log.errors).toEqual([])
    expect(errorTable.LastSignInMethod).toMatchObject({ status: 409, level: 'info' })
  })

  test('succeeds if it cannot sign in, and there is no other method', async () => {
    const site = await siteWithoutOtherMethods()
    const providerAccountId = await addPasskey(site.stored, site.userId)
    await site.stored.unlinkAccount?.({ provider: 'passkey', providerAccountId })
    expect(await site.remove(providerAccountId)).toMatchObject({ credentialID: providerAccountId })
  })

  test('succeeds with { last: "allow" }', async () => {
    const site = await siteWithoutOtherMethods()
    const id = await addPasskey(site.stored, site.userId)
    await expect(site.remove(id, 'refuse')).rejects.toMatchObject({ type: 'LastSignInMethod' })
    expect(await site.remove(id, 'allow')).toMatchObject({ credentialID: id })
    expect(await storedIds(site.stored, site.userId)).toEqual([])
    expect(await site.stored.listAccounts?.(site.userId)).toEqual([])
  })
})

describe('a passkey whose removal cannot be completed', () => {
  let site: PasskeySite
  let ids: string[]
  beforeEach(async () => {
    site = await siteWithoutOtherMethods()
    const fields = { name: 'Phone', lastUsed: new Date(7_000), counter: 9 }
    ids = [
      await addPasskey(site.stored, site.userId, fields),
      await addPasskey(site.stored, site.userId),
    ]
  })

  test('is stored again, unchanged, if the remaining passkeys cannot be listed', async () => {
    const [id = ''] = ids
    const before = await site.stored.getAuthenticator?.(id)
    site.faults.deleteAuthenticator = async (run) => {
      await run()
      site.faults.listAuthenticatorsByUserId = down
    }
    await expect(site.remove(id)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await site.stored.getAuthenticator?.(id)).toEqual(before)
    expect(errorTypes(site.log)).toEqual(['AdapterError'])
  })

  test('is kept if deleting fails', async () => {
    const [id = ''] = ids
    site.faults.deleteAuthenticator = once(down)
    await expect(site.remove(id)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await storedIds(site.stored, site.userId)).toHaveLength(2)
    expect(await site.remove(id)).toMatchObject({ credentialID: id })
  })

  test('counts as removed if the response of the database is lost', async () => {
    const [id = '', other = ''] = ids
    site.faults.deleteAuthenticator = lost
    expect(await site.remove(id)).toMatchObject({ credentialID: id })
    expect(await storedIds(site.stored, site.userId)).toEqual([other])
    expect(await site.stored.listAccounts?.(site.userId)).toHaveLength(1)
  })

  test('is kept if the database fails completely', async () => {
    const [id = ''] = ids
    site.faults.deleteAuthenticator = down
    site.faults.getAuthenticator = down
    await expect(site.remove(id)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await storedIds(site.stored, site.userId)).toHaveLength(2)
  })

  test('stays removed if its account cannot be unlinked, and cannot be used to sign in', async () => {
    const [id = '', other = ''] = ids
    site.faults.unlinkAccount = down
    await expect(site.remove(id)).rejects.toMatchObject({ type: 'AdapterError' })
    expect(await storedIds(site.stored, site.userId)).toEqual([other])
    await expect(site.remove(other)).rejects.toMatchObject({ type: 'LastSignInMethod' })
  })
})

describe('two concurrent removals of the last two passkeys', () => {
  test('are both refused if each deletes before the other one checks', async () => {
    const site = await siteWithoutOtherMethods()
    const { stored, userId } = site
    const ids = [await addPasskey(stored, userId), await addPasskey(stored, userId)]
    const before = await storedIds(stored, userId)
    let left = 2
    let proceed = (): void => undefined
    const both = new Promise<void>((resolve) => void (proceed = resolve))
    site.faults.deleteAuthenticator = async (run) => {
      await run()
      if (--left === 0) proceed()
      await both
    }
    const outcomes = await Promise.allSettled(ids.map((id) => site.remove(id)))
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ type: 'LastSignInMethod' }) },
      { status: 'rejected', reason: expect.objectContaining({ type: 'LastSignInMethod' }) },
    ])
    expect(await storedIds(stored, userId)).toEqual(before)
  })

  test('leave one if the second deletes after the first has checked', async () => {
    const site = await siteWithoutOtherMethods()
    const { stored, userId } = site
    const [one, other] = [await addPasskey(stored, userId), await addPasskey(stored, userId)]
    let first: Promise<unknown> | undefined
    // The second removal has found two passkeys when the first begins and completes.
    site.faults.deleteAuthenticator = once(async (run) => {
      first = site.remove(one)
      await first
      return run()
    })
    await expect(site.remove(other)).rejects.toMatchObject({ type: 'LastSignInMethod' })
    expect(await first).toMatchObject({ credentialID: one })
    expect(await storedIds(stored, userId)).toEqual([other])
  })
})
