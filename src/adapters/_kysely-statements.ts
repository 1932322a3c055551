/** Statements on one table. */
import { sql } from 'kysely'
import type { QueryResult, RawBuilder } from 'kysely'
import { columnSql, encodeRow } from './_kysely.ts'
import type { SqlTable } from './_kysely.ts'
import { SCHEMA } from './_schema.ts'

export type Run = <T>(statement: RawBuilder<T>) => Promise<QueryResult<T>>

export function keyColumns(table: SqlTable): RawBuilder<unknown> {
  return sql.join(SCHEMA[table.id].key.map((field) => columnSql(table, field)))
}

/** The part of an update after `set`. */
export function assignments(table: SqlTable, row: object): RawBuilder<unknown> {
  return sql.join(encodeRow(table, row).map(({ name, value }) => sql`${name} = ${value}`))
}

/** An insert; `alias` names the stored row in a condition. */
export function insertInto(table: SqlTable, row: object, alias?: string): RawBuilder<unknown> {
  const values = encodeRow(table, row)
  const names = sql.join(values.map(({ name }) => name))
  const as = alias === undefined ? sql`` : sql`as ${sql.id(alias)} `
  return sql`insert into ${table.sqlName} ${as}(${names}) values (${sql.join(values.map(({ value }) => value))})`
}

/** Runs a statement, and returns whether it changed a row. */
export async function hasChanged(
  run: Run,
  table: SqlTable,
  statement: RawBuilder<unknown>,
): Promise<boolean> {
  if (table.dialect.hasReturning)
    return (await run(sql`${statement} returning ${keyColumns(table)}`)).rows.length > 0
  return Number((await run(statement)).numAffectedRows ?? 0) > 0
}
