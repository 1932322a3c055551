/** The indexes that a database has. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Connection } from './connect.ts'
import type { SqlDialect } from './create-tables.ts'

/** An index, or a key. */
export interface Index {
  readonly table: string
  readonly isUnique: boolean
  /** In the order in which they are looked up. */
  readonly columns: readonly string[]
}

interface IndexRow {
  readonly tableName: string
  readonly isUnique: number | boolean
  readonly columns: string
}

const SQLITE = sql<IndexRow>`
  select tables.name as "tableName", list."unique" as "isUnique", group_concat(info.name, char(10)) as "columns"
  from sqlite_master as tables, pragma_index_list(tables.name) as list, pragma_index_info(list.name) as info
  where tables.type = 'table' group by tables.name, list.name`

const postgres = (schema: string) => sql<IndexRow>`
  select tables.relname as "tableName", indexes.indisunique as "isUnique",
    (select string_agg(names.attname, chr(10) order by keys.position)
      from unnest(indexes.indkey) with ordinality as keys(number, position)
      join pg_attribute as names on names.attrelid = tables.oid and names.attnum = keys.number) as "columns"
  from pg_index as indexes join pg_class as tables on tables.oid = indexes.indrelid
    join pg_namespace as schemas on schemas.oid = tables.relnamespace
  where indexes.indpred is null and schemas.nspname = ${schema}`

const mysql = (schema: string) => sql<IndexRow>`
  select table_name as "tableName", max(non_unique) = 0 as "isUnique",
    group_concat(column_name order by seq_in_index separator '\n') as "columns"
  from information_schema.statistics where table_schema = ${schema}
  group by table_name, index_name`

const QUERIES: Readonly<Record<SqlDialect, (schema: string) => RawBuilder<IndexRow>>> = {
  sqlite: () => SQLITE,
  postgres,
  mysql,
  mariadb: mysql,
}

/** The indexes in a schema; SQLite has but one. */
export async function findIndexes(
  { db, dialect }: Connection,
  schema: string,
): Promise<readonly Index[]> {
  const { rows } = await QUERIES[dialect](schema).execute(db)
  return rows.map(({ tableName, isUnique, columns }) => ({
    table: tableName,
    isUnique: Boolean(isUnique),
    columns: (columns ?? '').split('\n'),
  }))
}
