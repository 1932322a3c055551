/** Records as the core reads and writes them, and the option `store`. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Adapter, StoredRecord } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { deleteKeys } from '../../../src/core/records/delete-keys.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'
import { without } from '../../database.ts'

const METHODS = ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'] as const

afterEach(() => void vi.useRealTimers())

function recordsOf(options: Partial<AuthConfig>) {
  const { config } = passwordConfig()
  const resolved = resolve({ ...config, ...options })
  const ctx = { config: resolved, deadline: Infinity }
  return { records: resolved.records, ctx }
}

function recordsIn(store: Adapter, deadline = Infinity) {
  const { records, ctx } = recordsOf({ adapter: store, session: { strategy: 'jwt' } })
  if (!records) throw new Error('The configuration has no records.')
  return { records, ctx: { ...ctx, deadline } }
}

function record(fields: Partial<StoredRecord> = {}): StoredRecord {
  return {
    key: 'ended:1',
    value: '1',
    owner: null,
    expires: new Date(Date.now() + 60_000),
    ...fields,
  }
}

describe('records are stored', () => {
  test.each<[string, Partial<AuthConfig>, boolean]>([
    ['nowhere without an adapter', {}, false],
    ['in the adapter', { adapter: MemoryAdapter() }, true],
    ['in the store without an adapter', { store: MemoryAdapter() }, true],
    [
      'nowhere if the adapter lacks a method',
      { adapter: without(MemoryAdapter(), 'listRecords') },
      false,
    ],
    [
      'in the store if the adapter lacks the methods',
      { adapter: without(MemoryAdapter(), ...METHODS), store: MemoryAdapter() },
      true,
    ],
  ])('%s', (_name, options, expected) => {
    const { records } = recordsOf({ ...options, session: { strategy: 'jwt' } })
    expect(records !== undefined).toBe(expected)
  })

  test('and deleted in calls of at most 1,000 keys, each of which has the time of one', async () => {
    const store = MemoryAdapter()
    const keys = Array.from({ length: 2_500 }, (_, each) => `ended:${each}`)
    const deleted = vi.spyOn(store, 'deleteRecords')
    const { records, ctx } = recordsIn(store)
    await records.write(ctx, record({ key: 'ended:2499' }))
    await deleteKeys(ctx, records, keys)
    expect(deleted.mock.calls.map(([of]) => 'keys' in of && of.keys.length)).toEqual([
      1000, 1000, 500,
    ])
    expect((await records.read(ctx, ['ended:2499'])).size).toBe(0)
  })

  test('in the store and not in the adapter, if both have the methods', async () => {
    const [adapter, store] = [MemoryAdapter(), MemoryAdapter()]
    const { records, ctx } = recordsOf({ adapter, store })
    await records?.write(ctx, record())
    expect(await store.readRecords(['ended:1'])).toHaveLength(1)
    expect(await adapter.readRecords(['ended:1'])).toEqual([])
  })

  test.each<[string, Adapter, boolean]>([
    ['with the methods', MemoryAdapter(), true],
    ['without one of them', without(MemoryAdapter(), 'writeRecord'), false],
  ])('in an adapter %s that is loaded on first use', async (_name, adapter, expected) => {
    const load = vi.fn(async () => adapter)
    const { records } = recordsOf({ adapter: load, session: { strategy: 'jwt' } })
    expect(load).not.toHaveBeenCalled()
    expect(await records?.adapter()).toBe(expected ? adapter : null)
  })
})

describe('an invalid store', () => {
  const advice =
    'Set it to an adapter such as RedisAdapter(client) or KyselyAdapter(db, { with: ["records"] }).'
  test.each<[string, unknown, string]>([
    [
      'a string',
      'redis://localhost',
      'store is not an object with the methods readRecords, listRecords, writeRecord, deleteRecords (got "redis://localhost").',
    ],
    [
      'a function',
      () => MemoryAdapter(),
      'store is not an object with the methods readRecords, listRecords, writeRecord, deleteRecords (got a function).',
    ],
    [
      'a store that lacks methods',
      without(MemoryAdapter(), 'readRecords', 'deleteRecords'),
      'store lacks readRecords, deleteRecords.',
    ],
  ])('is rejected: %s', (_name, store, message) => {
    const options = { store } as Partial<AuthConfig>
    expect(() => recordsOf(options)).toThrow(
      expect.objectContaining({
        type: 'InvalidConfiguration',
        message: expect.stringContaining(`${message} ${advice}`),
      }),
    )
  })
})

describe('a read', () => {
  test('returns the records with these keys, which have not expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { records, ctx } = recordsIn(MemoryAdapter())
    const [valid, expiring] = [record({ owner: 'user:1' }), record({ key: 'ended:2' })]
    await records.write(ctx, valid)
    await records.write(ctx, { ...expiring, owner: 'user:1', expires: new Date(Date.now() + 1) })
    expect((await records.read(ctx, ['ended:1', 'ended:2'])).size).toBe(2)
    vi.advanceTimersByTime(1)
    const found = await records.read(ctx, ['ended:1', 'ended:2', 'ended:3'])
    expect([...found]).toEqual([['ended:1', valid]])
    expect(await records.list(ctx, 'user:1')).toEqual([valid])
  })

  test('without keys calls no method', async () => {
    const readRecords = vi.fn(() => [])
    const { records, ctx } = recordsIn({ ...MemoryAdapter(), readRecords })
    expect((await records.read(ctx, [])).size).toBe(0)
    expect(readRecords).not.toHaveBeenCalled()
  })

  test('drops records with another key or owner, as a wrong collation returns', async () => {
    const rows = () => [record(), record({ key: 'ENDED:1', owner: 'User:1' })]
    const { records, ctx } = recordsIn({ ...MemoryAdapter(), readRecords: rows, listRecords: rows })
    expect([...(await records.read(ctx, ['ended:1'])).keys()]).toEqual(['ended:1'])
    expect(await records.list(ctx, 'user:1')).toEqual([])
  })
})

describe('a write', () => {
  test('compares the stored value', async () => {
    const { records, ctx } = recordsIn(MemoryAdapter())
    expect(await records.write(ctx, record(), null)).toBe(true)
    expect(await records.write(ctx, record({ value: '2' }), null)).toBe(false)
    expect(await records.write(ctx, record({ value: '2' }), '1')).toBe(true)
    expect((await records.read(ctx, ['ended:1'])).get('ended:1')?.value).toBe('2')
    await records.delete(ctx, { keys: ['ended:1'] })
    expect((await records.read(ctx, ['ended:1'])).size).toBe(0)
  })

  test('of a key that databases cannot store is rejected', async () => {
    const { records, ctx } = recordsIn(MemoryAdapter())
    await expect(records.write(ctx, record({ key: 'a\0b' }))).rejects.toMatchObject({
      type: 'AdapterError',
    })
    await expect(records.write(ctx, record({ key: 'k'.repeat(192) }))).rejects.toMatchObject({
      type: 'AdapterError',
    })
  })
})

describe('a store that fails', () => {
  type Call = (access: ReturnType<typeof recordsIn>) => Promise<unknown>
  const calls: [string, (typeof METHODS)[number], Call][] = [
    ['read', 'readRecords', ({ records, ctx }) => records.read(ctx, ['a'])],
    ['list', 'listRecords', ({ records, ctx }) => records.list(ctx, 'a')],
    ['write', 'writeRecord', ({ records, ctx }) => records.write(ctx, record())],
    ['delete', 'deleteRecords', ({ records, ctx }) => records.delete(ctx, { owner: 'a' })],
  ]

  test.each(calls)('rejects a %s with AdapterError', async (_name, method, call) => {
    const failing = { [method]: () => Promise.reject(new Error('connection refused')) }
    const error = await call(recordsIn({ ...MemoryAdapter(), ...failing })).catch((each) => each)
    expect(error).toMatchObject({
      type: 'AdapterError',
      message: expect.stringContaining(`The adapter method ${method} failed.`),
    })
  })

  test.each(calls)('and hangs rejects a %s after 5 seconds', async (_name, method, call) => {
    vi.useFakeTimers()
    const hanging = { [method]: () => new Promise(() => undefined) }
    const running = call(recordsIn({ ...MemoryAdapter(), ...hanging })).catch((each) => each)
    await vi.advanceTimersByTimeAsync(4999)
    const early = await Promise.race([running, Promise.resolve('pending')])
    await vi.advanceTimersByTimeAsync(1)
    expect([early, await running]).toEqual([
      'pending',
      expect.objectContaining({
        type: 'AdapterError',
        message: expect.stringContaining(`The adapter method ${method} timed out after 5000 ms.`),
      }),
    ])
  })

  test('ends at the deadline of the request', async () => {
    vi.useFakeTimers()
    const hanging = { ...MemoryAdapter(), readRecords: () => new Promise<never>(() => undefined) }
    const { records, ctx } = recordsIn(hanging, performance.now() + 100)
    const running = records.read(ctx, ['a']).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(100)
    expect(await running).toContain('timed out after 100 ms')
  })

  test.each<[string, object, Call]>([
    ['no list', { readRecords: () => null }, ({ records, ctx }) => records.read(ctx, ['a'])],
    [
      'a record without a value',
      { readRecords: () => [{ ...record(), value: 1 }] },
      ({ records, ctx }) => records.read(ctx, ['ended:1']),
    ],
    [
      'a record without an expiry',
      { listRecords: () => [{ ...record(), expires: 'never' }] },
      ({ records, ctx }) => records.list(ctx, 'a'),
    ],
    [
      'no answer to a write',
      { writeRecord: () => undefined },
      ({ records, ctx }) => records.write(ctx, record()),
    ],
  ])('by returning %s rejects with AdapterError', async (_name, methods, call) => {
    const store = { ...MemoryAdapter(), ...methods } as Adapter
    await expect(call(recordsIn(store))).rejects.toMatchObject({ type: 'AdapterError' })
  })
})
