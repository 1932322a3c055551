/** The columns with a maximum length, for `lib-auth doctor`. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { AnyColumn, Table } from 'drizzle-orm'
import type { ColumnLimit } from '../core/database/column-limit.ts'

/** `text(255)` is a type of SQLite, which ignores the length. */
const LIMITED = /^(?:var)?char(?:acter varying)?\((\d+)\)$/i

function lengthOf(type: string): number | null {
  if (type === 'tinytext') return 255
  const [, length] = LIMITED.exec(type) ?? []
  return length === undefined ? null : Number(length)
}

/** The columns of a table that cannot contain long values; none without the table. */
export function findColumnLimits(
  id: ColumnLimit['table'],
  table: Table | undefined,
): ColumnLimit[] {
  if (!table) return []
  const columns: Readonly<Record<string, AnyColumn>> = getTableColumns(table)
  return Object.entries(columns).flatMap(([field, column]) => {
    const length = lengthOf(column.getSQLType())
    if (length === null) return []
    const found = { field, path: [getTableName(table)], column: column.name, length }
    return [{ table: id, ...found, changedBy: 'drizzle', collation: null }]
  })
}
