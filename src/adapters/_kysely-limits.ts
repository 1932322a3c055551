/** The columns with a maximum length, for `lib-auth doctor`. */
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { ColumnLimit } from '../core/database/column-limit.ts'
import { sqlTable } from './_kysely.ts'
import type { DialectName, SqlTable, TableOptions } from './_kysely.ts'

/** In the order of the query; drivers return numbers also as strings. */
interface FoundColumn {
  readonly name: string
  readonly length: number | string
  readonly collation: string | null
}

/** SQLite ignores the length of a type. */
const QUERIES: Readonly<
  Record<Exclude<DialectName, 'sqlite'>, (table: SqlTable) => RawBuilder<FoundColumn>>
> = {
  postgres: ({ schema, name }) =>
    sql`select column_name as ${sql.id('name')}, character_maximum_length as ${sql.id('length')}, null as ${sql.id('collation')} from information_schema.columns where table_schema = coalesce(${schema ?? null}, current_schema()) and table_name = ${name} and character_maximum_length is not null`,
  mysql: ({ schema, name }) =>
    sql`select column_name as ${sql.id('name')}, character_maximum_length as ${sql.id('length')}, collation_name as ${sql.id('collation')} from information_schema.columns where table_schema = coalesce(${schema ?? null}, database()) and table_name = ${name} and character_maximum_length is not null`,
}

/** The columns of a table that cannot contain long values. */
export async function findColumnLimits(
  db: QueryExecutorProvider,
  id: ColumnLimit['table'],
  options: TableOptions,
): Promise<ColumnLimit[]> {
  const { name: dialect } = options.dialect
  if (dialect === 'sqlite') return []
  const table = sqlTable(id, options)
  const { rows } = await QUERIES[dialect](table).execute(db)
  const path = [...(table.schema === undefined ? [] : [table.schema]), table.name]
  return rows.map(({ name: column, length, collation }) => ({
    table: id,
    field: table.fieldsByColumn.get(column) ?? column,
    path,
    column,
    length: Number(length),
    changedBy: dialect,
    collation,
  }))
}
