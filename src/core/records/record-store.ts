import type { Awaitable } from '../types.ts'

/** A string that is stored under a key until it expires. */
export interface StoredRecord {
  /** Unique; at most 191 characters. */
  key: string
  /** At most 16,000 characters. */
  value: string
  /** Groups records, such as those of a user; at most 191 characters. */
  owner: string | null
  expires: Date
}

/** The records to delete. */
export type RecordSelection = { readonly keys: readonly string[] } | { readonly owner: string }

/**
 * Stores records: counters of attempts, used passkey challenges, open magic links. If a store loses records before they
 * expire, limits start over, and a passkey response can be used again. A record expires at `expires`, by the clock of
 * the process that calls; until it is deleted, it may still be returned.
 */
export interface RecordStore {
  /** Returns the records with these keys, in any order; expired ones may be included. Uses one statement or command. */
  readRecords(keys: readonly string[]): Awaitable<readonly StoredRecord[]>

  /** Returns the records of an owner, in any order; expired ones may be included. */
  listRecords(owner: string): Awaitable<readonly StoredRecord[]>

  /**
   * Stores a record, in place of one with the same key, if the stored state is the expected one, and returns whether it
   * was. Comparison and write are atomic: of concurrent calls that expect the same state, one returns true.
   *
   * @param expected omitted: the state does not matter. `null`: no record, or an expired one. A string: this value, of a
   *   record that has not expired
   */
  writeRecord(record: StoredRecord, expected?: string | null): Awaitable<boolean>

  /** Deletes records; unknown keys and owners are not an error. */
  deleteRecords(of: RecordSelection): Awaitable<void>
}
