/** Inspects a database: Kysely's introspection, and the indexes and keys that it does not return. */
import { sql } from 'kysely'
import type { RawBuilder, TableMetadata } from 'kysely'
import type { NamedTable } from '../../adapters/_schema.ts'
import { Failure } from '../errors.ts'
import type { Connection } from './connect.ts'
import { quoteName } from './create-tables.ts'
import type { Index, SqlDialect } from './create-tables.ts'

/** The tables and indexes of one schema: other schemas may have tables of the same names. */
export interface Inspection {
  readonly schema: string
  readonly tables: readonly TableMetadata[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** `target` is the referenced table. */
export type ForeignKey = Readonly<Record<'table' | 'column' | 'target', string>>

interface IndexRow {
  readonly table: string
  readonly isUnique: number | boolean
  /** Separated by line breaks. */
  readonly columns: string | null
}

const mysqlIndexes = (schema: string) => sql<IndexRow>`
  select table_name as "table", max(non_unique) = 0 as "isUnique",
    group_concat(column_name order by seq_in_index separator '\n') as "columns"
  from information_schema.statistics where table_schema = ${schema}
  group by table_name, index_name`

const INDEXES: Readonly<Record<SqlDialect, (schema: string) => RawBuilder<IndexRow>>> = {
  sqlite: () => sql<IndexRow>`
    select tables.name as "table", list."unique" as "isUnique", group_concat(info.name, char(10)) as "columns"
    from sqlite_master as tables, pragma_index_list(tables.name) as list, pragma_index_info(list.name) as info
    where tables.type = 'table' and list.partial = 0 group by tables.name, list.name`,
  postgres: (schema) => sql<IndexRow>`
    select tables.relname as "table", indexes.indisunique as "isUnique",
      (select string_agg(names.attname, chr(10) order by keys.position)
        from unnest(indexes.indkey) with ordinality as keys(number, position)
        join pg_attribute as names on names.attrelid = tables.oid and names.attnum = keys.number) as "columns"
    from pg_index as indexes join pg_class as tables on tables.oid = indexes.indrelid
      join pg_namespace as schemas on schemas.oid = tables.relnamespace
    where indexes.indpred is null and indexes.indisvalid and schemas.nspname = ${schema}`,
  mysql: mysqlIndexes,
  mariadb: mysqlIndexes,
}

const mysqlForeignKeys = (schema: string) => sql<ForeignKey>`
  select table_name as "table", column_name as "column", referenced_table_name as "target"
  from information_schema.key_column_usage where table_schema = ${schema} and referenced_table_name is not null`

const FOREIGN_KEYS: Readonly<Record<SqlDialect, (schema: string) => RawBuilder<ForeignKey>>> = {
  sqlite: () => sql<ForeignKey>`
    select tables.name as "table", keys."from" as "column", keys."table" as "target"
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`,
  postgres: (schema) => sql<ForeignKey>`
    select tables.relname as "table", names.attname as "column", targets.relname as "target"
    from pg_constraint as keys join pg_class as tables on tables.oid = keys.conrelid
      join pg_class as targets on targets.oid = keys.confrelid
      join pg_namespace as schemas on schemas.oid = tables.relnamespace
      join pg_attribute as names on names.attrelid = tables.oid and names.attnum = any(keys.conkey)
    where keys.contype = 'f' and schemas.nspname = ${schema}`,
  mysql: mysqlForeignKeys,
  mariadb: mysqlForeignKeys,
}

/** Returns the schema (PostgreSQL) or database (MySQL) with the tables. @throws Failure if it does not exist */
async function findSchema(connection: Connection, wanted: string | undefined): Promise<string> {
  const { db, dialect } = connection
  if (dialect === 'sqlite') return 'main'
  const isPostgres = dialect === 'postgres'
  if (wanted !== undefined) {
    const table = isPostgres ? sql`pg_namespace` : sql`information_schema.schemata`
    const column = sql.id(isPostgres ? 'nspname' : 'schema_name')
    const { rows } = await sql`select 1 from ${table} where ${column} = ${wanted}`.execute(db)
    const [kind, mark] = isPostgres ? (['schema', '"'] as const) : (['database', '`'] as const)
    if (rows.length === 0)
      throw new Failure(
        `There is no ${kind} "${wanted}". Run: create ${kind} ${quoteName(wanted, mark)}`,
      )
    // The introspection of MySQL returns the tables of the current database.
    if (!isPostgres) await sql`use ${sql.id(wanted)}`.execute(db)
    return wanted
  }
  const current = isPostgres ? sql`current_schema()` : sql`database()`
  const { rows } = await sql<{ name: string | null }>`select ${current} as name`.execute(db)
  const name = rows[0]?.name
  if (name) return name
  throw new Failure(
    isPostgres
      ? 'The connection has no schema. Set the schema of the tables: --schema public'
      : 'The database URL contains no database. Add its name, as in mysql://localhost:3306/app.',
  )
}

export async function inspect(
  connection: Connection,
  wanted: string | undefined,
): Promise<Inspection> {
  const { db, dialect } = connection
  const schema = await findSchema(connection, wanted)
  const tables = await db.introspection.getTables()
  const { rows } = await INDEXES[dialect](schema).execute(db)
  const { rows: foreignKeys } = await FOREIGN_KEYS[dialect](schema).execute(db)
  return {
    schema,
    foreignKeys,
    tables: dialect === 'sqlite' ? tables : tables.filter((table) => table.schema === schema),
    indexes: rows.map(({ table, isUnique, columns }) => ({
      table,
      isUnique: Boolean(isUnique),
      columns: (columns ?? '').split('\n'),
    })),
  }
}

type IdColumn = Record<'type', string> & Record<'collation' | 'engine' | 'options', string | null>

/** Whether a column with the definition `reference` can refer to an existing table of users. */
export async function canReference(
  { db, dialect }: Connection,
  { schema, indexes }: Inspection,
  users: NamedTable,
  reference: string,
): Promise<boolean> {
  if (dialect === 'postgres' || dialect === 'sqlite') return true
  // MySQL requires equal types and collations, InnoDB, a key, and a table without partitions.
  const id = users.columns.get('id') ?? 'id'
  const isKey = indexes.some(
    ({ table, isUnique, columns }) => isUnique && table === users.name && columns.join() === id,
  )
  const query = sql<IdColumn>`
    select ids.column_type as "type", ids.collation_name as "collation", tables.engine as "engine",
      tables.create_options as "options"
    from information_schema.columns as ids join information_schema.tables as tables
      on tables.table_schema = ids.table_schema and tables.table_name = ids.table_name
    where ids.table_schema = ${schema} and ids.table_name = ${users.name} and ids.column_name = ${id}`
  const [found] = (await query.execute(db)).rows
  if (!isKey || found?.engine !== 'InnoDB' || /partitioned/i.test(found.options ?? '')) return false
  if (found.collation === null)
    return /^bigint(?:\(\d+\))?$/i.test(found.type) && / bigint /i.test(reference)
  return /^(?:var)?char/i.test(found.type) && reference.includes(` collate ${found.collation} `)
}
