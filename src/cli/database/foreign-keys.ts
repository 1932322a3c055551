/** Whether tables can refer to users who are there already. */
import { sql } from 'kysely'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import type { Index } from './indexes.ts'

interface IdColumn {
  readonly type: string
  readonly collation: string | null
  readonly engine: string | null
  /** How the table was made, `partitioned` among others. */
  readonly options: string | null
}

/** What is known of the table of users. */
export interface FoundUsers {
  readonly users: NamedTable
  readonly schema: string
  readonly indexes: readonly Index[]
  /** The definition of a column that refers to them. */
  readonly reference: string
}

/**
 * Whether a foreign key can be made. MySQL wants both columns to have the same type and collation, in a table that is
 * not partitioned, and knows best what somebody else made; users of a run that did not come to its end have ours.
 */
export async function canRefer(
  { db, dialect }: Connection,
  { users, schema, indexes, reference }: FoundUsers,
): Promise<boolean> {
  if (dialect === 'postgres' || dialect === 'sqlite') return true
  const id = users.columns.get('id') ?? 'id'
  const isKey = indexes.some(
    ({ table, isUnique, columns }) => isUnique && table === users.name && columns.join() === id,
  )
  const { rows } = await sql<IdColumn>`
    select ids.column_type as "type", ids.collation_name as "collation", tables.engine as "engine",
      tables.create_options as "options"
    from information_schema.columns as ids join information_schema.tables as tables
      on tables.table_schema = ids.table_schema and tables.table_name = ids.table_name
    where ids.table_schema = ${schema} and ids.table_name = ${users.name} and ids.column_name = ${id}`.execute(
    db,
  )
  const [found] = rows
  if (!isKey || found?.engine !== 'InnoDB' || /partitioned/i.test(found.options ?? '')) return false
  if (found.collation === null)
    return /^bigint(?:\(\d+\))?$/i.test(found.type) && / bigint /i.test(reference)
  return /^(?:var)?char/i.test(found.type) && reference.includes(` collate ${found.collation} `)
}
