/** A column of the database that cannot contain long values; for `lib-auth doctor`. */
export interface ColumnLimit {
  /** As in the schema of the library, such as `accounts` and `access_token`. */
  readonly table: 'accounts' | 'factors' | 'passwords' | 'records' | 'sessions'
  readonly field: string
  /** As in the database, with the schema of the table if one is configured. */
  readonly path: readonly string[]
  readonly column: string
  /** In characters. */
  readonly length: number
  /** What changes the column: a statement of this dialect, or a migration of Drizzle. */
  readonly changedBy: 'mysql' | 'postgres' | 'drizzle'
  /** Of MySQL; a statement that changes a column must name it. */
  readonly collation: string | null
}
