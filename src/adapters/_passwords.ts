/** The password methods of an adapter over the rows of its table `passwords`. */
import type { PasswordStore, StoredPassword } from '../core/database/password-store.ts'
import { writeIfFree } from './_records.ts'

/** As in `setPassword`: a hash, `null` for no password, `undefined` for any state. */
export type ExpectedHash = string | null | undefined

export type PasswordChange = Omit<StoredPassword, 'userId'> | null

type List = (key: { readonly userId: string }) => Promise<readonly StoredPassword[]>

export interface PasswordRows {
  readonly list: List
  /** Compares and writes atomically; returns whether the stored state was the expected one. */
  write(userId: string, password: PasswordChange, expected: ExpectedHash): Promise<boolean>
}

/** Statements that change one row, and return whether they changed it. */
export interface PasswordStatements {
  readonly list: List
  /** `null` if the database has no insert that keeps an existing row. */
  readonly insertIfNone: ((row: StoredPassword) => Promise<boolean>) | null
  /** Throws if the user has a password. */
  insert(row: StoredPassword): Promise<unknown>
  /** Inserts a row, or replaces the existing one. */
  upsert(row: StoredPassword): Promise<unknown>
  /** Replaces the row with exactly this hash. */
  replace(row: StoredPassword, hash: string): Promise<boolean>
  /** Deletes the row, or only the one with exactly this hash. */
  delete(userId: string, hash?: string): Promise<boolean>
}

/** Whether a write may replace the stored row. */
export function isExpectedHash(
  stored: StoredPassword | null | undefined,
  expected: ExpectedHash,
): boolean {
  return expected === undefined || (stored?.hash ?? null) === expected
}

export function passwordMethods(rows: PasswordRows): PasswordStore {
  return {
    getPassword: async (userId) => (await rows.list({ userId }))[0] ?? null,
    setPassword: async (userId, password, expected) => rows.write(userId, password, expected),
  }
}

export function passwordRows(statements: PasswordStatements): PasswordRows {
  const { list, insertIfNone } = statements

  async function replace(row: StoredPassword, hash: string): Promise<boolean> {
    if (await statements.replace(row, hash)) return true
    if (insertIfNone || row.hash !== hash) return false
    // Some drivers of MySQL do not count a row that already has the new values.
    return (await list({ userId: row.userId })).some(
      (stored) => stored.hash === hash && stored.changed.getTime() === row.changed.getTime(),
    )
  }

  async function insert(row: StoredPassword): Promise<boolean> {
    if (insertIfNone) return insertIfNone(row)
    return writeIfFree({
      insert: () => statements.insert(row),
      replaceExpired: async () => false,
      exists: async () => (await list({ userId: row.userId })).length > 0,
    })
  }

  return {
    list,
    async write(userId, password, expected) {
      if (password) {
        const row = { userId, ...password }
        if (typeof expected === 'string') return replace(row, expected)
        if (expected === null) return insert(row)
        await statements.upsert(row)
        return true
      }
      if (typeof expected === 'string') return statements.delete(userId, expected)
      if (expected === null) return (await list({ userId })).length === 0
      await statements.delete(userId)
      return true
    },
  }
}
