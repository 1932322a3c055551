/** The table `records` in SQL. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { columnSql, decodeRow, matches, selectAll } from './_kysely.ts'
import type { SqlTable } from './_kysely.ts'
import { assignments, hasChanged, insertInto } from './_kysely-statements.ts'
import type { Run } from './_kysely-statements.ts'
import type { TableRows } from './_methods.ts'
import type { StoredRecord } from '../core/records/record-store.ts'
import { writeIfFree } from './_records.ts'
import type { ExpectedState, RecordRows } from './_records.ts'

/** The records of a table. @param rows - the rows of the same table */
export function kyselyRecords(
  table: SqlTable,
  rows: Pick<TableRows<StoredRecord>, 'list' | 'deleteExpired'>,
  run: Run,
): RecordRows {
  const { dialect, sqlName } = table
  const { hasReturning } = dialect
  const key = columnSql(table, 'key')
  const stored = sql.id('t')

  /** Dates have milliseconds, so that this is "until and including now". */
  const isExpired = (now: Date, alias?: string) =>
    dialect.isBefore(columnSql(table, 'expires', alias), new Date(now.getTime() + 1))

  const isAnyOf = (field: 'key' | 'owner', values: readonly string[], alias?: string) =>
    sql`(${sql.join(
      values.map((value) => matches(table, { [field]: value }, alias)),
      sql` or `,
    )})`

  // Without an alias, PostgreSQL could not distinguish the stored row from the given one.
  const insert = (record: StoredRecord) => insertInto(table, record, hasReturning ? 't' : undefined)

  const update = async (record: StoredRecord, condition: RawBuilder<unknown>) =>
    hasChanged(
      run,
      table,
      sql`update ${sqlName} set ${assignments(table, record)} where ${condition}`,
    )

  async function replaceValue(record: StoredRecord, value: string, now: Date): Promise<boolean> {
    const isStored = sql`${matches(table, { key: record.key, value })} and not ${isExpired(now)}`
    if (await update(record, isStored)) return true
    if (hasReturning || record.value !== value) return false
    // Some drivers of MySQL do not count a row that already has the new values.
    return (await rows.list({ key: record.key })).some(
      (row) => row.value === value && row.expires.getTime() === record.expires.getTime(),
    )
  }

  /** MySQL has no conditional upsert. */
  async function writeInMysql(
    record: StoredRecord,
    state: 'any' | 'free',
    now: Date,
  ): Promise<boolean> {
    if (state === 'any') {
      await run(sql`${insert(record)} on duplicate key update ${assignments(table, record)}`)
      return true
    }
    const isThis = matches(table, { key: record.key })
    return writeIfFree({
      insert: () => run(insert(record)),
      replaceExpired: () => update(record, sql`${isThis} and ${isExpired(now)}`),
      exists: async () => (await rows.list({ key: record.key })).length > 0,
    })
  }

  return {
    deleteExpired: rows.deleteExpired,

    async list(field, values) {
      const found = await run(
        sql<StoredRecord>`select ${selectAll(table, 't')} from ${sqlName} as ${stored} where ${isAnyOf(field, values, 't')}`,
      )
      return found.rows.map((row) => decodeRow(table, row))
    },

    async write(record: StoredRecord, expected: ExpectedState, now: Date) {
      if ('value' in expected) return replaceValue(record, expected.value, now)
      if (!hasReturning) return writeInMysql(record, expected.state, now)
      const condition = expected.state === 'free' ? sql` where ${isExpired(now, 't')}` : sql``
      const upsert = sql`${insert(record)} on conflict (${key}) do update set ${assignments(table, record)}${condition}`
      return hasChanged(run, table, upsert)
    },

    async delete(field, values) {
      await run(sql`delete from ${sqlName} where ${isAnyOf(field, values)}`)
    },
  }
}
