/** The table `passwords` of Drizzle. */
import { and } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { asQuery, equalsExactly, hasChanged, queryRows, runQuery } from './_drizzle.ts'
import type { DrizzleDatabase } from './_drizzle.ts'
import type { Fields, TableRows } from './_methods.ts'
import { passwordRows } from './_passwords.ts'
import type { PasswordRows } from './_passwords.ts'
import type { StoredPassword } from '../core/database/adapter.ts'

export type PasswordsTable = Table & Readonly<Record<keyof StoredPassword, AnyColumn>>

/** The passwords of a table. @param rows - the rows of the same table, which `matches` selects */
export function drizzlePasswords(
  db: DrizzleDatabase,
  table: PasswordsTable,
  rows: Pick<TableRows<StoredPassword>, 'list' | 'insert' | 'hasReturning'>,
  matches: (key: Fields) => SQL | undefined,
): PasswordRows {
  const insert = (row: StoredPassword) => asQuery(db.insert(table)).values({ ...row })
  const hasHash = (userId: string, hash: string | undefined) =>
    and(matches({ userId }), hash === undefined ? undefined : equalsExactly(table.hash, hash, rows))

  return passwordRows({
    list: rows.list,
    insertIfNone: rows.hasReturning
      ? async (row) => {
          const begun = insert(row)
          const written = begun.onConflictDoNothing?.({ target: table.userId }) ?? begun
          return (await queryRows(written.returning?.() ?? written)).length > 0
        }
      : null,
    insert: async (row) => runQuery(insert(row)),
    async upsert(row) {
      const { userId: _, ...set } = row
      const begun = insert(row)
      await runQuery(
        begun.onConflictDoUpdate?.({ target: table.userId, set }) ??
          begun.onDuplicateKeyUpdate?.({ set }) ??
          begun,
      )
    },
    async replace({ userId, ...set }, hash) {
      return hasChanged(asQuery(db.update(table)).set(set).where(hasHash(userId, hash)))
    },
    async delete(userId, hash) {
      return hasChanged(asQuery(db.delete(table)).where(hasHash(userId, hash)))
    },
  })
}
