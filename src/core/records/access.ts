/** The store of expiring records as the core uses it: calls have a time limit, and records are validated. */
import { chain } from '../async/awaitable.ts'
import type { RecordSelection, RecordStore, StoredRecord } from '../database/adapter.ts'
import type { CallContext, DatabaseSource } from '../database/database.ts'
import type { Awaitable } from '../types.ts'

export const RECORD_METHODS: readonly (keyof RecordStore)[] = [
  'readRecords',
  'listRecords',
  'writeRecord',
  'deleteRecords',
]

/** Each method makes one call of at most 5 seconds, and throws AdapterError. */
export interface RecordAccess {
  /** Loads the adapter of the records; `null` if it lacks the methods, which is known only then. @throws AdapterError */
  adapter(): Awaitable<object | null>
  /** Returns the records that exist and have not expired, by key; without keys, does not call the adapter. */
  read(ctx: CallContext, keys: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>>
  /** Returns the records of an owner that have not expired. */
  list(ctx: CallContext, owner: string): Promise<readonly StoredRecord[]>
  /**
   * Writes a record if the stored state is the expected one, and returns whether it was. `expected` omitted: the state
   * does not matter. `null`: no record that has not expired. A string: this value.
   */
  write(ctx: CallContext, record: StoredRecord, expected?: string | null): Promise<boolean>
  delete(ctx: CallContext, of: RecordSelection): Promise<void>
}

function unexpired(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const now = new Date()
  return records.filter(({ expires }) => expires > now)
}

export function recordAccess(store: DatabaseSource): RecordAccess {
  return {
    adapter: () => chain(store(), (database) => database.adapterWith(RECORD_METHODS)),
    async read(ctx, keys) {
      if (keys.length === 0) return new Map()
      const records = await (await store()).call(ctx, 'readRecords', keys)
      return new Map(unexpired(records).map((record) => [record.key, record]))
    },
    list: async (ctx, owner) => unexpired(await (await store()).call(ctx, 'listRecords', owner)),
    write: async (ctx, record, expected) =>
      (await store()).call(ctx, 'writeRecord', record, expected),
    delete: async (ctx, of) => void (await (await store()).call(ctx, 'deleteRecords', of)),
  }
}
