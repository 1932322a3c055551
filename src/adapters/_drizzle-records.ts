/** The table `records` of Drizzle. */
import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { asQuery, equalsExactly, hasChanged, queryRows, runQuery } from './_drizzle.ts'
import type { DrizzleDatabase } from './_drizzle.ts'
import type { TableRows } from './_methods.ts'
import type { StoredRecord } from '../core/records/record-store.ts'
import { writeIfFree } from './_records.ts'
import type { RecordRows } from './_records.ts'

export type RecordsTable = Table & Readonly<Record<keyof StoredRecord, AnyColumn>>

/** The records of a table. @param rows - the rows of the same table */
export function drizzleRecords(
  db: DrizzleDatabase,
  table: RecordsTable,
  rows: Pick<TableRows<StoredRecord>, 'list' | 'hasReturning' | 'deleteExpired'>,
): RecordRows {
  const { hasReturning } = rows
  const isAnyOf = (field: 'key' | 'owner', values: readonly string[]) =>
    inArray(table[field], [...values])

  async function update(record: StoredRecord, condition: SQL | undefined): Promise<boolean> {
    const where = and(eq(table.key, record.key), condition)
    return hasChanged(
      asQuery(db.update(table))
        .set({ ...record })
        .where(where),
    )
  }

  async function replaceValue(record: StoredRecord, value: string, now: Date): Promise<boolean> {
    const isValid = and(equalsExactly(table.value, value, rows), gt(table.expires, now))
    if (await update(record, isValid)) return true
    if (hasReturning || record.value !== value) return false
    // Some drivers of MySQL do not count a row that already has the new values.
    return (await rows.list({ key: record.key })).some(
      (stored) => stored.value === value && stored.expires.getTime() === record.expires.getTime(),
    )
  }

  return {
    deleteExpired: rows.deleteExpired,

    async list(field, values) {
      const found = await queryRows<StoredRecord>(
        asQuery(db.select()).from(table).where(isAnyOf(field, values)),
      )
      return found.filter((record) => values.includes(record[field] ?? ''))
    },

    async write(record, expected, now) {
      if ('value' in expected) return replaceValue(record, expected.value, now)
      const isFree = lte(table.expires, now)
      const insert = () => asQuery(db.insert(table)).values({ ...record })
      const set = { ...record }
      const upsert = insert()
      if (upsert.onConflictDoUpdate) {
        const setWhere = expected.state === 'free' ? isFree : undefined
        const written = upsert.onConflictDoUpdate({ target: table.key, set, setWhere })
        return (await queryRows(written.returning?.() ?? written)).length > 0
      }
      if (expected.state === 'free')
        return writeIfFree({
          insert: () => runQuery(insert()),
          replaceExpired: () => update(record, isFree),
          exists: async () => (await rows.list({ key: record.key })).length > 0,
        })
      await runQuery(upsert.onDuplicateKeyUpdate?.({ set }) ?? upsert)
      return true
    },

    async delete(field, values) {
      await runQuery(asQuery(db.delete(table)).where(isAnyOf(field, values)))
    },
  }
}
