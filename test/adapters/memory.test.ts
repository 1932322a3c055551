/** The adapter in memory does what adapters do, and what only it promises. */
import { describe, expect, test } from 'vitest'
import type { Adapter, AdapterUser } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { adapterCases, testAdapter } from '../../src/testing/index.ts'

const LATER = new Date('2037-02-03T04:05:06.789Z')

function ada(fields: Partial<AdapterUser> = {}): AdapterUser {
  return { id: 'given', email: 'ada@example.com', emailVerified: LATER, ...fields }
}

describe('the contract', () => {
  const remarks: string[] = []
  // Covers: adapter.create-user, adapter.get-user, adapter.get-user-by-email, adapter.get-user-by-account
  // Covers: adapter.update-user, adapter.delete-user, adapter.link-account, adapter.unlink-account
  // Covers: adapter.create-session, adapter.get-session-and-user, adapter.update-session, adapter.delete-session
  // Covers: adapter.create-verification-token, adapter.use-verification-token, adapter.get-account
  // Covers: adapter.authenticators, adapter.transaction, adapter.update-account, adapter.lists, adapter.delete-expired
  testAdapter(MemoryAdapter(), { test, report: (remark) => remarks.push(remark) })

  test('leaves nothing to remark', () => expect(remarks).toEqual([]))

  test('is asked about each method', () => {
    const needed = new Set(adapterCases.flatMap(({ needs }) => needs))
    expect(
      Object.keys(MemoryAdapter()).filter((name) => !needed.has(name as keyof Adapter)),
    ).toEqual([])
  })
})

describe('what is stored', () => {
  test('does not change with what went in, not even before the call is over', async () => {
    const adapter = MemoryAdapter()
    const user = ada({ emailVerified: new Date(LATER) })
    const creating = adapter.createUser(user)
    user.name = 'Somebody else'
    user.emailVerified?.setFullYear(1999)
    const { id } = await creating
    expect(await adapter.getUser(id)).toEqual(ada({ id }))
  })

  test('does not change with what came out', async () => {
    const adapter = MemoryAdapter()
    const created = await adapter.createUser(ada())
    const { id } = created
    created.name = 'Somebody else'
    const found = await adapter.getUser(id)
    found?.emailVerified?.setFullYear(1999)
    expect(await adapter.getUser(id)).toEqual(ada({ id }))
  })

  test('is not shared with another adapter', async () => {
    const { id } = await MemoryAdapter().createUser(ada())
    expect(await MemoryAdapter().getUser(id)).toBeNull()
  })

  test('keeps the id it is given, and has one of its own without', async () => {
    const adapter = MemoryAdapter()
    const [first, second] = await Promise.all([
      adapter.createUser(ada()),
      adapter.createUser(ada({ id: '', email: 'grace@example.com' })),
    ])
    expect(first.id).toBe('given')
    expect(second.id).toMatch(/^[\da-f-]{36}$/)
  })

  test('stays as it is where a change is undefined', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada({ name: 'Ada' }))
    expect(await adapter.updateUser({ id, name: undefined, image: 'ada.png' })).toEqual(
      ada({ id, name: 'Ada', image: 'ada.png' }),
    )
  })
})

describe('users without an address', () => {
  const nameless = { id: '', emailVerified: null } as AdapterUser

  test('are not the same user', async () => {
    const adapter = MemoryAdapter()
    const [first, second] = [await adapter.createUser(nameless), await adapter.createUser(nameless)]
    expect(first.id).not.toBe(second.id)
  })

  test('are not found by no address', async () => {
    const adapter = MemoryAdapter()
    await adapter.createUser(nameless)
    for (const none of [undefined, null, ''])
      expect(await adapter.getUserByEmail(none as string)).toBeNull()
  })
})

describe('an address that somebody else has', () => {
  test('is refused when a user is changed', async () => {
    const adapter = MemoryAdapter()
    await adapter.createUser(ada())
    const { id } = await adapter.createUser(ada({ id: 'grace', email: 'grace@example.com' }))
    await expect(adapter.updateUser({ id, email: 'ada@example.com' })).rejects.toThrow(
      'MemoryAdapter: another row in "users" has the same email.',
    )
    expect(await adapter.getUser(id)).toMatchObject({ email: 'grace@example.com' })
  })

  test('is not the own one', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada())
    const same = await adapter.updateUser({ id, email: 'ada@example.com', name: 'Ada' })
    expect(same).toMatchObject({ name: 'Ada' })
  })
})

test.each<[string, (adapter: Required<Adapter>) => unknown]>([
  [
    'createSession',
    (adapter) => adapter.createSession({ sessionToken: 's', userId: 'nobody', expires: LATER }),
  ],
  [
    'linkAccount',
    (adapter) =>
      adapter.linkAccount({
        provider: 'p',
        providerAccountId: '1',
        type: 'oidc',
        userId: 'nobody',
      }),
  ],
  [
    'createAuthenticator',
    (adapter) =>
      adapter.createAuthenticator({
        userId: 'nobody',
        credentialID: 'c',
        providerAccountId: 'c',
        credentialPublicKey: 'k',
        counter: 0,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: false,
      }),
  ],
])('%s refuses a user who is not there', async (_method, call) => {
  await expect(call(MemoryAdapter())).rejects.toThrow('MemoryAdapter: no user has the id "nobody".')
})

describe('transactions', () => {
  test('run one after the other, so that none loses what another one did', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada({ name: '' }))
    const append = () =>
      adapter.transaction(async (inner) => {
        const user = await inner.getUser?.(id)
        await new Promise((resolve) => setTimeout(resolve, 1))
        await inner.updateUser?.({ id, name: `${user?.name}x` })
      })
    await Promise.all(Array.from({ length: 20 }, append))
    expect((await adapter.getUser(id))?.name).toBe('x'.repeat(20))
  })

  test('are not seen by others before they are over', async () => {
    const adapter = MemoryAdapter()
    await adapter.transaction(async (inner) => {
      await inner.createUser?.(ada())
      expect(await adapter.getUserByEmail('ada@example.com')).toBeNull()
    })
    expect(await adapter.getUserByEmail('ada@example.com')).not.toBeNull()
  })

  test('make others who write wait, and lose nothing of theirs, even when they fail', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada({ name: 'before' }))
    let beside: unknown
    const failing = adapter.transaction(async (inner) => {
      await inner.updateUser?.({ id, name: 'inside' })
      beside = adapter.updateUser({ id, image: 'beside.png' })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await beside
    expect(await adapter.getUser(id)).toMatchObject({ name: 'before', image: 'beside.png' })
  })

  test('can be inside of each other: what the inner one did goes when the outer one fails', async () => {
    const adapter = MemoryAdapter()
    const failing = adapter.transaction(async (outer) => {
      await outer.transaction?.(async (inner) => inner.createUser?.(ada()))
      expect(await outer.getUserByEmail?.('ada@example.com')).not.toBeNull()
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await adapter.getUserByEmail('ada@example.com')).toBeNull()
  })

  test('that fail do not keep the next one from running', async () => {
    const adapter = MemoryAdapter()
    const failing = adapter.transaction(() => Promise.reject(new Error('on purpose')))
    const next = adapter.transaction(async (inner) => inner.createUser?.(ada()))
    await expect(failing).rejects.toThrow('on purpose')
    expect(await next).toMatchObject({ email: 'ada@example.com' })
  })
})
