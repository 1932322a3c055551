/** The table `records` in SQL. */
import { sql } from 'kysely'
import type { QueryResult, RawBuilder } from 'kysely'
import { columnSql, decodeRow, encodeRow, matches, selectAll } from './_kysely.ts'
import type { SqlTable } from './_kysely.ts'
import type { TableRows } from './_methods.ts'
import type { StoredRecord } from '../core/records/record-store.ts'
import { writeIfFree } from './_records.ts'
import type { ExpectedState, RecordRows } from './_records.ts'

type Run = <T>(statement: RawBuilder<T>) => Promise<QueryResult<T>>

/** Conditions and clauses for this table. */
function recordSql(table: SqlTable) {
  const { dialect, sqlName } = table
  return {
    /** Dates have milliseconds, so that this is "until and including now". */
    isExpired: (now: Date, alias?: string) =>
      dialect.isBefore(columnSql(table, 'expires', alias), new Date(now.getTime() + 1)),

    isAnyOf: (field: 'key' | 'owner', values: readonly string[], alias?: string) =>
      sql`(${sql.join(
        values.map((value) => matches(table, { [field]: value }, alias)),
        sql` or `,
      )})`,

    insertOf: (record: StoredRecord) => {
      const values = encodeRow(table, record)
      const names = sql.join(values.map(({ name }) => name))
      const given = sql.join(values.map(({ value }) => value))
      return {
        // Without an alias, PostgreSQL could not distinguish the stored row from the given one.
        insert: sql`insert into ${sqlName} ${dialect.hasReturning ? sql`as ${sql.id('t')} ` : sql``}(${names}) values (${given})`,
        changes: sql.join(values.map(({ name, value }) => sql`${name} = ${value}`)),
      }
    },
  }
}

/** `rows` of the same table. */
export function kyselyRecords(
  table: SqlTable,
  rows: Pick<TableRows<StoredRecord>, 'list' | 'deleteExpired'>,
  run: Run,
): RecordRows {
  const { dialect, sqlName } = table
  const { hasReturning } = dialect
  const key = columnSql(table, 'key')
  const { isExpired, isAnyOf, insertOf } = recordSql(table)

  async function countRows(statement: RawBuilder<unknown>): Promise<number> {
    if (hasReturning) return (await run(sql`${statement} returning ${key}`)).rows.length
    return Number((await run(statement)).numAffectedRows ?? 0)
  }

  async function replaceValue(record: StoredRecord, value: string, now: Date): Promise<boolean> {
    const { changes } = insertOf(record)
    const isStored = sql`${matches(table, { key: record.key, value })} and not ${isExpired(now)}`
    if ((await countRows(sql`update ${sqlName} set ${changes} where ${isStored}`)) > 0) return true
    if (hasReturning || record.value !== value) return false
    // Some drivers of MySQL do not count a row that already has the new values.
    return (await rows.list({ key: record.key })).some(
      (stored) => stored.value === value && stored.expires.getTime() === record.expires.getTime(),
    )
  }

  /** MySQL has no conditional upsert. */
  async function writeInMysql(
    record: StoredRecord,
    state: 'any' | 'free',
    now: Date,
  ): Promise<boolean> {
    const { insert, changes } = insertOf(record)
    if (state === 'any') {
      await run(sql`${insert} on duplicate key update ${changes}`)
      return true
    }
    const isThis = matches(table, { key: record.key })
    return writeIfFree({
      insert: () => run(insert),
      replaceExpired: async () =>
        (await countRows(
          sql`update ${sqlName} set ${changes} where ${isThis} and ${isExpired(now)}`,
        )) > 0,
      exists: async () => (await rows.list({ key: record.key })).length > 0,
    })
  }

  return {
    deleteExpired: rows.deleteExpired,

    async list(field, values) {
      const found = await run(
        sql<StoredRecord>`select ${selectAll(table, 't')} from ${sqlName} as ${sql.id('t')} where ${isAnyOf(field, values, 't')}`,
      )
      return found.rows.map((row) => decodeRow(table, row))
    },

    async write(record: StoredRecord, expected: ExpectedState, now: Date) {
      if ('value' in expected) return replaceValue(record, expected.value, now)
      if (!hasReturning) return writeInMysql(record, expected.state, now)
      const { insert, changes } = insertOf(record)
      const condition = expected.state === 'free' ? sql` where ${isExpired(now, 't')}` : sql``
      const upsert = sql`${insert} on conflict (${key}) do update set ${changes}${condition}`
      return (await countRows(upsert)) > 0
    },

    async delete(field, values) {
      await run(sql`delete from ${sqlName} where ${isAnyOf(field, values)}`)
    },
  }
}
