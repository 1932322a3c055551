/** The record methods of an adapter over the rows of its table `records`. */
import type { RecordStore, StoredRecord } from '../core/records/record-store.ts'

/** The state that a write requires; `free`: no record that has not expired. */
export type ExpectedState = { readonly state: 'any' | 'free' } | { readonly value: string }

export interface RecordRows {
  /** `values` are distinct, at least one and at most {@link BATCH}. */
  list(field: 'key' | 'owner', values: readonly string[]): Promise<readonly StoredRecord[]>
  /** Compares and writes atomically; returns whether the row was written. */
  write(record: StoredRecord, expected: ExpectedState, now: Date): Promise<boolean>
  delete(field: 'key' | 'owner', values: readonly string[]): Promise<void>
  /** Deletes the rows whose `expires` is before this, or `limit` of them. Returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number>
}

/** What the index of every database can contain, in characters. */
const MAX_KEY = 191

function assertStorable({ key, owner, expires }: StoredRecord): void {
  const long = Object.entries({ key, owner }).find(([, text]) => (text ?? '').length > MAX_KEY)
  if (long) throw new Error(`writeRecord: the ${long[0]} is longer than ${MAX_KEY} characters.`)
  if (Number.isNaN(expires.getTime())) throw new Error('writeRecord: expires is not a valid date.')
}

/** Writes of this process after which expired rows are deleted: an attack writes a row for each name that it tries. */
const WRITES_PER_CLEANUP = 50
/** Rows that are deleted at once: more than {@link WRITES_PER_CLEANUP}, so that those of an ended attack are deleted, too. */
const CLEANUP_SIZE = 200
/** Milliseconds after the expiry, because the clocks of other processes may be late. */
const CLEANUP_DELAY = 60_000

const written = { count: 0 }

async function deleteExpiredRegularly(rows: RecordRows): Promise<void> {
  written.count++
  if (written.count % WRITES_PER_CLEANUP !== 0) return
  // A failure is not one of the write, which has succeeded; the next cleanup includes these rows.
  await rows.deleteExpired(new Date(Date.now() - CLEANUP_DELAY), CLEANUP_SIZE).catch(() => 0)
}

/** Keys in one statement: D1 accepts 100 parameters, and SQLite a condition of 1,000 parts. */
const BATCH = 90

/** One batch after another, because a transaction has one connection. */
async function inBatches<T>(
  keys: readonly string[],
  run: (batch: readonly string[]) => Promise<T>,
): Promise<T[]> {
  const distinct = [...new Set(keys)]
  const results: T[] = []
  for (let at = 0; at < distinct.length; at += BATCH)
    results.push(await run(distinct.slice(at, at + BATCH)))
  return results
}

function expectedState(expected: string | null | undefined): ExpectedState {
  if (typeof expected === 'string') return { value: expected }
  return { state: expected === null ? 'free' : 'any' }
}

export function recordMethods(rows: RecordRows): RecordStore {
  return {
    readRecords: async (keys) => (await inBatches(keys, (batch) => rows.list('key', batch))).flat(),
    listRecords: (owner) => rows.list('owner', [owner]),
    async writeRecord(record, expected) {
      assertStorable(record)
      const isWritten = await rows.write(record, expectedState(expected), new Date())
      await deleteExpiredRegularly(rows)
      return isWritten
    },
    async deleteRecords(of) {
      if ('owner' in of) await rows.delete('owner', [of.owner])
      else await inBatches(of.keys, (batch) => rows.delete('key', batch))
    },
  }
}

/** For databases without a conditional upsert. `insert` throws if the key exists. */
export async function writeIfFree({
  insert,
  replaceExpired,
  exists,
}: {
  readonly insert: () => Promise<unknown>
  readonly replaceExpired: () => Promise<boolean>
  readonly exists: () => Promise<boolean>
}): Promise<boolean> {
  for (let attempt = 1; ; attempt++)
    try {
      await insert()
      return true
    } catch (error) {
      if (await replaceExpired()) return true
      if (await exists()) return false
      // Another process may have deleted the record in between.
      if (attempt === 3) throw error
    }
}

/** Whether a write may replace the stored row. */
export function isExpectedState(
  stored: StoredRecord | null | undefined,
  expected: ExpectedState,
  now: Date,
): boolean {
  const valid = stored && stored.expires > now ? stored : null
  if ('value' in expected) return valid?.value === expected.value
  return expected.state === 'any' || valid === null
}
