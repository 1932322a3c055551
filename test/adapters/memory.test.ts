/** The memory adapter fulfils the adapter contract and its own guarantees. */
import { describe, expect, test } from 'vitest'
import type { Adapter, AdapterUser } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { adapterCases, testAdapter } from '../../src/testing/index.ts'
import { testExpiredRecords } from '../core/records/expired-suite.ts'

const LATER = new Date('2037-02-03T04:05:06.789Z')

function ada(fields: Partial<AdapterUser> = {}): AdapterUser {
  return { id: 'given', email: 'ada@example.com', emailVerified: LATER, ...fields }
}

describe('the adapter contract', () => {
  const remarks: string[] = []
  testAdapter(MemoryAdapter(), { test, report: (remark) => remarks.push(remark) })
  testExpiredRecords(MemoryAdapter())

  test('is fulfilled without warnings', () => expect(remarks).toEqual([]))

  test('has a case for each method', () => {
    const needed = new Set(adapterCases.flatMap(({ needs }) => needs))
    expect(
      Object.keys(MemoryAdapter()).filter((name) => !needed.has(name as keyof Adapter)),
    ).toEqual([])
  })
})

describe('a stored row', () => {
  test('does not change if the caller changes its input, even before the call returns', async () => {
    const adapter = MemoryAdapter()
    const user = ada({ emailVerified: new Date(LATER) })
    const creating = adapter.createUser(user)
    user.name = 'Grace Hopper'
    user.emailVerified?.setFullYear(1999)
    const { id } = await creating
    expect(await adapter.getUser(id)).toEqual(ada({ id }))
  })

  test('does not change if the caller changes a result', async () => {
    const adapter = MemoryAdapter()
    const created = await adapter.createUser(ada())
    const { id } = created
    created.name = 'Grace Hopper'
    const found = await adapter.getUser(id)
    found?.emailVerified?.setFullYear(1999)
    expect(await adapter.getUser(id)).toEqual(ada({ id }))
  })

  test('is not shared with other memory adapters', async () => {
    const { id } = await MemoryAdapter().createUser(ada())
    expect(await MemoryAdapter().getUser(id)).toBeNull()
  })

  test('keeps the given id, and gets a UUID if it is empty', async () => {
    const adapter = MemoryAdapter()
    const [first, second] = await Promise.all([
      adapter.createUser(ada()),
      adapter.createUser(ada({ id: '', email: 'grace@example.com' })),
    ])
    expect(first.id).toBe('given')
    expect(second.id).toMatch(/^[\da-f-]{36}$/)
  })

  test('keeps fields whose change is undefined', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada({ name: 'Ada' }))
    expect(await adapter.updateUser({ id, name: undefined, image: 'ada.png' })).toEqual(
      ada({ id, name: 'Ada', image: 'ada.png' }),
    )
  })
})

describe('users without an e-mail address', () => {
  const nameless = { id: '', emailVerified: null } as AdapterUser

  test('are different users', async () => {
    const adapter = MemoryAdapter()
    const [first, second] = [await adapter.createUser(nameless), await adapter.createUser(nameless)]
    expect(first.id).not.toBe(second.id)
  })

  test('are not found by an empty address', async () => {
    const adapter = MemoryAdapter()
    await adapter.createUser(nameless)
    for (const none of [undefined, null, ''])
      expect(await adapter.getUserByEmail(none as string)).toBeNull()
  })
})

describe('updateUser', () => {
  test('rejects the e-mail address of another user', async () => {
    const adapter = MemoryAdapter()
    await adapter.createUser(ada())
    const { id } = await adapter.createUser(ada({ id: 'grace', email: 'grace@example.com' }))
    await expect(adapter.updateUser({ id, email: 'ada@example.com' })).rejects.toThrow(
      'MemoryAdapter: another row in "users" has the same email.',
    )
    expect(await adapter.getUser(id)).toMatchObject({ email: 'grace@example.com' })
  })

  test('accepts the current e-mail address of the user', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada())
    const same = await adapter.updateUser({ id, email: 'ada@example.com', name: 'Ada' })
    expect(same).toMatchObject({ name: 'Ada' })
  })
})

test.each<[string, (adapter: Required<Adapter>) => unknown]>([
  [
    'createSession',
    (adapter) => adapter.createSession({ sessionToken: 's', userId: 'unknown', expires: LATER }),
  ],
  [
    'linkAccount',
    (adapter) =>
      adapter.linkAccount({
        provider: 'p',
        providerAccountId: '1',
        type: 'oidc',
        userId: 'unknown',
      }),
  ],
  [
    'createAuthenticator',
    (adapter) =>
      adapter.createAuthenticator({
        userId: 'unknown',
        credentialID: 'c',
        providerAccountId: 'c',
        credentialPublicKey: 'k',
        counter: 0,
        credentialDeviceType: 'singleDevice',
        credentialBackedUp: false,
      }),
  ],
])('%s rejects an unknown user', async (_method, call) => {
  await expect(call(MemoryAdapter())).rejects.toThrow(
    'MemoryAdapter: no user has the id "unknown".',
  )
})

describe('transactions', () => {
  test('run one at a time and lose no updates', async () => {
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

  test('are not visible to other readers before they commit', async () => {
    const adapter = MemoryAdapter()
    await adapter.transaction(async (inner) => {
      await inner.createUser?.(ada())
      expect(await adapter.getUserByEmail('ada@example.com')).toBeNull()
    })
    expect(await adapter.getUserByEmail('ada@example.com')).not.toBeNull()
  })

  test('delay other writes and keep them after a rollback', async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(ada({ name: 'before' }))
    let concurrent: unknown
    const failing = adapter.transaction(async (inner) => {
      await inner.updateUser?.({ id, name: 'inside' })
      concurrent = adapter.updateUser({ id, image: 'concurrent.png' })
      throw new Error('expected failure')
    })
    await expect(failing).rejects.toThrow('expected failure')
    await concurrent
    expect(await adapter.getUser(id)).toMatchObject({ name: 'before', image: 'concurrent.png' })
  })

  test('can be nested: a rollback of the outer one includes the inner one', async () => {
    const adapter = MemoryAdapter()
    const failing = adapter.transaction(async (outer) => {
      await outer.transaction?.(async (inner) => inner.createUser?.(ada()))
      expect(await outer.getUserByEmail?.('ada@example.com')).not.toBeNull()
      throw new Error('expected failure')
    })
    await expect(failing).rejects.toThrow('expected failure')
    expect(await adapter.getUserByEmail('ada@example.com')).toBeNull()
  })

  test('run after a failed transaction', async () => {
    const adapter = MemoryAdapter()
    const failing = adapter.transaction(() => Promise.reject(new Error('expected failure')))
    const next = adapter.transaction(async (inner) => inner.createUser?.(ada()))
    await expect(failing).rejects.toThrow('expected failure')
    expect(await next).toMatchObject({ email: 'ada@example.com' })
  })
})
