/** The columns of one table in statements. */
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { NamedTable, SchemaNames } from '../_schema.ts'
import type { Dialect } from './dialect.ts'
import { storedId } from './values.ts'
import type { IdType } from './values.ts'

/** Fields with their values. */
export type Fields = Readonly<Record<string, unknown>>

/** The database, and how it is talked to. */
export interface Connection {
  readonly db: QueryExecutorProvider
  readonly dialect: Dialect
  readonly ids: IdType
  readonly names: SchemaNames
}

/** In front of the columns of a second table. */
export const JOINED = 'lib-auth:'

/** What statements say about columns. */
export interface Columns {
  /** A column of the table, or of an alias of it. */
  readonly column: (field: string, alias?: string) => RawBuilder<unknown>
  /** All columns of an alias, for a `select`. */
  readonly all: (alias: string) => RawBuilder<unknown>
  /** The columns that have a name here, for a `select` that has all of another table, too. */
  readonly joined: (alias: string) => RawBuilder<unknown>
  /** The condition that rows have these fields. */
  readonly matches: (key: Fields, alias?: string) => RawBuilder<boolean>
}

/** The columns of a table. */
export function columnsOf(named: NamedTable, { dialect, ids }: Connection): Columns {
  const dates = [...named.columns.keys()].filter((field) => named.typeOf(field) === 'date')

  function column(field: string, alias?: string): RawBuilder<unknown> {
    const name = named.columns.get(field) ?? field
    return alias === undefined ? sql.id(name) : sql.id(alias, name)
  }

  function all(alias: string): RawBuilder<unknown> {
    const readable = dates.flatMap((field) => {
      const date = dialect.readDate(column(field, alias))
      return date ? [sql`${date} as ${column(field)}`] : []
    })
    return sql.join([sql`${sql.id(alias)}.*`, ...readable])
  }

  function joined(alias: string): RawBuilder<unknown> {
    const columns = [...named.columns].map(([field, name]) => {
      const own = column(field, alias)
      const value = dates.includes(field) ? (dialect.readDate(own) ?? own) : own
      return sql`${value} as ${sql.id(JOINED + name)}`
    })
    return sql.join(columns)
  }

  function isField(field: string, value: unknown, alias?: string): RawBuilder<unknown> {
    const own = column(field, alias)
    // Nobody is meant, not the one who is called that.
    if (typeof value !== 'string' && typeof value !== 'bigint') return sql`1 = 0`
    const text = String(value)
    if (named.typeOf(field) !== 'id') return dialect.isText(own, text)
    const id = storedId(text, ids)
    if (id === null) return sql`1 = 0`
    return typeof id === 'string' ? dialect.isText(own, id) : sql`${own} = ${id}`
  }

  function matches(key: Fields, alias?: string): RawBuilder<boolean> {
    const parts = Object.entries(key).map(([field, value]) => isField(field, value, alias))
    return sql<boolean>`${sql.join(parts, sql` and `)}`
  }

  return { column, all, joined, matches }
}
