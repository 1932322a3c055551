import { describe, expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../../src/passkeys.ts'
import { without } from '../../database.ts'
import { addPasskey, headersOf, passkeySite, storedIds, strangerOf } from '../../passkeys.ts'
import type { PasskeySite } from '../../passkeys.ts'
import { cookiesSetBy, DAY, SESSION } from '../../sessions.ts'

describe('listPasskeys', () => {
  test('returns the passkeys of the user, oldest first, without keys and counters', async () => {
    const site = await passkeySite()
    const { stored, userId } = site
    const created = new Date('2026-02-01T00:00:00Z')
    const lastUsed = new Date('2026-03-01T00:00:00Z')
    const second = await addPasskey(stored, userId, { created, lastUsed, name: 'Phone' })
    const first = await addPasskey(stored, userId, {
      created: new Date('2026-01-01T00:00:00Z'),
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
      transports: null,
    })
    await addPasskey(stored, await strangerOf(site))
    expect(await site.list()).toEqual([
      {
        credentialID: first,
        name: null,
        created: new Date('2026-01-01T00:00:00Z'),
        lastUsed: null,
        deviceType: 'singleDevice',
        isBackedUp: false,
        transports: [],
      },
      {
        credentialID: second,
        name: 'Phone',
        created,
        lastUsed,
        deviceType: 'multiDevice',
        isBackedUp: true,
        transports: ['internal', 'hybrid'],
      },
    ])
  })

  test('returns null without a session, and reads no passkey', async () => {
    const { config, open, called } = await passkeySite()
    expect(await listPasskeys(headersOf(open()), config)).toMatchObject({ value: null })
    expect(called()).not.toContain('listAuthenticatorsByUserId')
  })

  test('returns null if the session callback ends the session', async () => {
    const { list } = await passkeySite({ config: { callbacks: { session: () => null as never } } })
    expect(await list()).toBeNull()
  })

  test('returns null for a user who has been deleted', async () => {
    const site = await passkeySite({ config: { session: { strategy: 'jwt' } } })
    await site.stored.deleteUser?.(site.userId)
    expect(await site.list()).toBeNull()
  })

  test('returns the cookies of an extended session', async () => {
    const { config, tab } = await passkeySite()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 2 * DAY * 1000)
    const { value, headers } = await listPasskeys(headersOf(tab), config)
    expect(value).toEqual([])
    expect(cookiesSetBy({ headers })).toEqual([SESSION])
  })

  test('ignores rows of other users that the adapter returns', async () => {
    const site = await passkeySite()
    const theirs = await strangerOf(site)
    await addPasskey(site.stored, theirs)
    site.faults.listAuthenticatorsByUserId = () => site.stored.listAuthenticatorsByUserId?.(theirs)
    expect(await site.list()).toEqual([])
  })

  test.each([
    ['counter', { counter: null }],
    ['counter', { counter: -1 }],
    ['credentialPublicKey', { credentialPublicKey: undefined }],
    ['credentialID', { credentialID: 7 }],
  ])('rejects a row without a valid %s', async (field, fields) => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId)
    const row = await site.stored.getAuthenticator?.(id)
    site.faults.listAuthenticatorsByUserId = () => [{ ...row, ...fields }]
    await expect(site.list()).rejects.toThrow(
      `The adapter method listAuthenticatorsByUserId returned a passkey without a valid ${field}.`,
    )
  })

  test('accepts integers and dates as databases return them', async () => {
    const site = await passkeySite()
    const lastUsed = '2026-03-01T00:00:00.000Z'
    const id = await addPasskey(site.stored, site.userId)
    const row = await site.stored.getAuthenticator?.(id)
    site.faults.listAuthenticatorsByUserId = () => [{ ...row, counter: 3n, lastUsed }]
    expect(await site.list()).toMatchObject([{ lastUsed: new Date(lastUsed) }])
  })
})

describe('renamePasskey', () => {
  test('stores the name without the spaces around it, and returns the passkey', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId)
    expect(await site.rename(id, ' Zoë’s 🦊 key ')).toMatchObject({
      credentialID: id,
      name: 'Zoë’s 🦊 key',
    })
    expect(await site.list()).toMatchObject([{ name: 'Zoë’s 🦊 key' }])
  })

  test('returns null for the passkey of another user, and does not change it', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, await strangerOf(site), { name: 'Theirs' })
    expect(await site.rename(id, 'Mine')).toBeNull()
    expect(await site.stored.getAuthenticator?.(id)).toMatchObject({ name: 'Theirs' })
  })

  test.each([
    ['empty', ' '],
    ['too long', 'x'.repeat(101)],
    ['with NUL', 'a\0b'],
    ['with a lone surrogate', 'a\uD800'],
    ['that is not a string', undefined as unknown as string],
  ])('rejects a name that is %s', async (_what, name) => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId, { name: 'Before' })
    await expect(site.rename(id, name)).rejects.toMatchObject({ type: 'InvalidRequest' })
    expect(await site.list()).toMatchObject([{ name: 'Before' }])
  })

  test('accepts a name of a hundred characters', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId)
    expect(await site.rename(id, 'x'.repeat(100))).toMatchObject({ name: 'x'.repeat(100) })
  })

  test('reports a table without the column, with the fix', async () => {
    const site = await passkeySite()
    const id = await addPasskey(site.stored, site.userId)
    site.faults.updateAuthenticator = () => site.stored.getAuthenticator?.(id)
    await expect(site.rename(id, 'Phone')).rejects.toThrow(
      'its table has no column "name". Run npx lib-auth migrate',
    )
  })
})

describe('a request from a page of another origin', () => {
  test.each([
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.test' },
  ])('cannot rename or remove a passkey: %o', async (headers) => {
    const { config, tab, stored, userId } = await passkeySite()
    const id = await addPasskey(stored, userId, { name: 'Before' })
    const sent = headersOf(tab, headers)
    const missing = { type: 'MissingCSRF' }
    await expect(renamePasskey(sent, config, id, 'After')).rejects.toMatchObject(missing)
    await expect(removePasskey(sent, config, id)).rejects.toMatchObject(missing)
    expect(await stored.getAuthenticator?.(id)).toMatchObject({ name: 'Before' })
  })
})

describe('a JWT session', () => {
  const jwt = { config: { session: { strategy: 'jwt' } } } as const

  test('manages the passkeys of its user', async () => {
    const site = await passkeySite(jwt)
    const id = await addPasskey(site.stored, site.userId)
    expect(await site.rename(id, 'Laptop')).toMatchObject({ name: 'Laptop' })
    expect(await site.remove(id)).toMatchObject({ name: 'Laptop' })
    expect(await site.list()).toEqual([])
  })

  test('that is older than the verification of the address is treated as signed out', async () => {
    const site = await passkeySite(jwt)
    const id = await addPasskey(site.stored, site.userId)
    await site.stored.updateUser?.({ id: site.userId, emailVerified: new Date() })
    expect([await site.list(), await site.remove(id)]).toEqual([null, null])
    expect(await storedIds(site.stored, site.userId)).toEqual([id])
  })
})

describe('the configuration', () => {
  test('needs an adapter', async () => {
    const { config, tab } = await passkeySite()
    const { adapter: _, ...rest } = config
    await expect(listPasskeys(headersOf(tab), rest)).rejects.toMatchObject({
      type: 'MissingAdapter',
    })
  })

  test.each<[keyof Adapter, (site: PasskeySite, id: string) => Promise<unknown>]>([
    ['listAuthenticatorsByUserId', (site) => site.list()],
    ['updateAuthenticator', (site, id) => site.rename(id, 'Phone')],
    ['deleteAuthenticator', (site, id) => site.remove(id)],
  ])('needs an adapter with %s', async (method, call) => {
    const adapter = MemoryAdapter()
    const site = await passkeySite({ adapter: without(adapter, method) })
    const id = await addPasskey(adapter, site.userId)
    await expect(call(site, id)).rejects.toThrow(`The adapter has no method ${method}`)
    expect(await storedIds(adapter, site.userId)).toEqual([id])
  })

  test('is required, and so is the request', async () => {
    const { config, tab } = await passkeySite()
    const none = undefined as never
    await expect(listPasskeys(headersOf(tab), none)).rejects.toThrow(
      'listPasskeys(request, config)',
    )
    await expect(renamePasskey(headersOf(tab), none, '', '')).rejects.toThrow(
      'renamePasskey(request, config)',
    )
    await expect(removePasskey(headersOf(tab), none, '')).rejects.toThrow(
      'removePasskey(request, config)',
    )
    await expect(listPasskeys(none, config)).rejects.toThrow('The request is missing')
  })
})
