/** Second factors and passwords as the core reads and writes them: rows that break the contract are errors. */
import { describe, expect, test } from 'vitest'
import type { Adapter, StoredFactor, StoredPassword } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { createDatabase } from '../../../src/core/database/database.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { AdapterError, MissingAdapterMethods } from '../../../src/errors.ts'
import { passwordConfig } from '../../config.ts'

const CREATED = new Date('2026-05-04T03:02:01.234Z')

const factor: StoredFactor = {
  id: 'f1',
  userId: '1',
  type: 'totp',
  secret: 'sealed',
  name: null,
  lastStep: null,
  confirmed: true,
  created: CREATED,
}

const password: StoredPassword = { userId: '1', hash: '$scrypt$1', changed: CREATED }

function open(adapter: Adapter) {
  const database = createDatabase(adapter)
  const ctx = { config: resolve(passwordConfig().config), deadline: Infinity }
  return { database, ctx }
}

/** A value that violates the types, as JavaScript and databases return it. */
const loose = (value: unknown) => value as never

async function listWith(row: unknown): Promise<unknown> {
  const { database, ctx } = open({ listFactors: () => loose(row) })
  return database.call(ctx, 'listFactors', '1')
}

describe('listFactors', () => {
  test('returns what databases without booleans, dates and small integers return', async () => {
    const rows = [
      { ...factor, userId: 1, confirmed: 1, created: CREATED.toISOString(), lastStep: 58_000_000n },
      {
        ...factor,
        confirmed: 0n,
        created: CREATED.getTime(),
        lastStep: '58000000',
        name: undefined,
      },
    ]
    const lastStep = 58_000_000
    expect(await listWith(rows)).toEqual([
      { ...factor, lastStep },
      { ...factor, lastStep, confirmed: false },
    ])
  })

  test('drops the factors of other users', async () => {
    expect(await listWith([{ ...factor, userId: '2' }, factor])).toEqual([factor])
  })

  test.each([
    ['id', ''],
    ['type', 'sms'],
    ['type', undefined],
    ['secret', ''],
    ['secret', null],
    ['lastStep', 'soon'],
    ['lastStep', -1],
    ['confirmed', null],
    ['confirmed', 'false'],
    ['confirmed', 2],
    ['created', 'yesterday'],
    ['created', undefined],
  ])(
    'rejects a factor whose %s is %s, because its user must not be one without factors',
    async (field, value) => {
      const listed = listWith([{ ...factor, [field]: value }])
      await expect(listed).rejects.toThrow(AdapterError)
      await expect(listed).rejects.toThrow(
        `The adapter method listFactors returned a factor without a valid ${field}.`,
      )
    },
  )

  test.each([null, undefined, {}, 'none'])('rejects %s in place of an array', async (rows) => {
    await expect(listWith(rows)).rejects.toThrow('did not return an array')
  })
})

describe('useFactor', () => {
  test.each([1, null, undefined, 'true'])('rejects %s in place of a boolean', async (result) => {
    const { database, ctx } = open({ useFactor: () => loose(result) })
    await expect(database.call(ctx, 'useFactor', { id: 'f1', step: 1 })).rejects.toThrow(
      'The adapter method useFactor did not return a boolean.',
    )
  })

  test.each(['f\0', 'f\uD800'])(
    'does not pass an id to the adapter that databases cannot store',
    async (id) => {
      const { database, ctx } = open({ useFactor: () => true, deleteFactor: () => factor })
      expect(await database.call(ctx, 'useFactor', { id, step: 1 })).toBe(false)
      expect(await database.call(ctx, 'deleteFactor', id)).toBeNull()
    },
  )
})

describe('deleteFactor', () => {
  test('is called one at a time for an id, because an adapter may read the row before it deletes it', async () => {
    const stored = new Map([['f1', factor]])
    const { database, ctx } = open({
      async deleteFactor(id) {
        const found = stored.get(id) ?? null
        await new Promise((done) => setTimeout(done, 1))
        stored.delete(id)
        return found
      },
    })
    const deleted = Array.from({ length: 20 }, async () => database.call(ctx, 'deleteFactor', 'f1'))
    expect((await Promise.all(deleted)).filter(Boolean)).toEqual([factor])
  })

  test('ignores a row with another id', async () => {
    const { database, ctx } = open({ deleteFactor: () => factor })
    expect(await database.call(ctx, 'deleteFactor', 'F1')).toBeNull()
  })
})

describe('getPassword', () => {
  const read = async (row: unknown) => {
    const { database, ctx } = open({ getPassword: () => loose(row) })
    return database.call(ctx, 'getPassword', '1')
  }

  test('returns a password, whatever the type of ids and dates', async () => {
    expect(await read({ ...password, userId: 1n, changed: CREATED.toISOString() })).toEqual(
      password,
    )
    expect(await read(undefined)).toBeNull()
  })

  test('ignores the password of another user', async () => {
    expect(await read({ ...password, userId: '11' })).toBeNull()
  })

  test.each([
    ['hash', ''],
    ['hash', null],
    ['changed', null],
    ['userId', null],
  ])('rejects a password whose %s is %j', async (field, value) => {
    await expect(read({ ...password, [field]: value })).rejects.toThrow(
      `The adapter method getPassword returned a password without a valid ${field}.`,
    )
  })
})

describe('setPassword', () => {
  test('rejects a result that is not a boolean', async () => {
    const { database, ctx } = open({ setPassword: () => loose(undefined) })
    await expect(database.call(ctx, 'setPassword', '1', password, null)).rejects.toThrow(
      'The adapter method setPassword did not return a boolean.',
    )
  })

  test('does not quote the hash if the adapter fails', async () => {
    const { database, ctx } = open({
      setPassword(_userId, given) {
        throw new Error(`duplicate key (1, ${given?.hash})`)
      },
    })
    const failed = await database
      .call(ctx, 'setPassword', '1', password, null)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AdapterError)
    expect(String(Object(failed).cause)).not.toContain(password.hash)
  })
})

test.each(['listFactors', 'getPassword'] as const)(
  'reports that an adapter lacks %s',
  async (method) => {
    const { [method]: _, ...adapter } = MemoryAdapter()
    const { database, ctx } = open(adapter)
    await expect(database.call(ctx, method, '1')).rejects.toThrow(MissingAdapterMethods)
  },
)
