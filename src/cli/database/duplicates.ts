/** Rows that have in common what no two rows may have: they stand in the way of a unique index. */
import { sql } from 'kysely'
import type { NamedTable } from '../../adapters/_schema.ts'
import type { Connection } from './connect.ts'
import type { Creation } from './create-tables.ts'

interface Counts {
  readonly rows: number | string | null
  readonly values: number | string
}

/** What to do about them, beyond changing the rows. */
function wayOut({ id }: NamedTable): string {
  const mend = 'Change the rows, or delete those that are too many.'
  return id === 'users'
    ? `${mend} If several users may have the same address, add: --no-unique-email`
    : mend
}

/** What stands in the way of an index over columns that are there, in sentences that repeat nothing of the rows. */
export async function duplicatesOf(
  { db }: Connection,
  table: NamedTable,
  { columns }: Creation,
): Promise<readonly string[]> {
  const name = table.schema ? sql.id(table.schema, table.name) : sql.id(table.name)
  const all = sql.join(columns.map((column) => sql.id(column)))
  // Rows without a value are not alike.
  const filled = columns.map((column) => sql`${sql.id(column)} is not null`)
  const list = sql`select ${all}, count(*) as ${sql.id('rows')} from ${name} where ${sql.join(filled, sql` and `)} group by ${all} having count(*) > 1`
  const counted = sql<Counts>`select sum(${sql.id('rows')}) as ${sql.id('rows')}, count(*) as ${sql.id('values')} from (${list}) as duplicates`
  const [{ rows, values } = { rows: 0, values: 0 }] = (await counted.execute(db)).rows
  if (Number(values) === 0) return []
  const named = columns.map((column) => `"${column}"`).join(' and ')
  return [
    `${Number(rows)} rows of the table "${table.name}" have the same ${named} as another row (different values: ${Number(values)}), so that it cannot be made unique, and nothing is changed. To see them, run: ${list.compile(db).sql}; ${wayOut(table)}`,
  ]
}
