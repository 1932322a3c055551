import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { ColumnType, NamedTable, SchemaNames } from '../_schema.ts'
import type { Dialect } from './dialect.ts'
import { storedId } from './values.ts'
import type { IdType } from './values.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface Connection {
  readonly db: QueryExecutorProvider
  readonly dialect: Dialect
  readonly ids: IdType
  readonly names: SchemaNames
}

/** Alias prefix for the columns of a joined table. */
export const JOINED = 'lib-auth:'

export interface Field {
  readonly field: string
  readonly type: ColumnType | undefined
}

export interface Columns {
  readonly column: (field: string, alias?: string) => RawBuilder<unknown>
  readonly all: (alias: string) => RawBuilder<unknown>
  /** Columns for a join. Keys and ids are omitted, because the caller has them and every column costs time. */
  readonly joined: (alias: string) => RawBuilder<unknown>
  /** The columns of `joined`, by alias. */
  readonly joinedFields: ReadonlyMap<string, Field>
  readonly matches: (key: Fields, alias?: string) => RawBuilder<boolean>
}

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

  const joinedFields = new Map(
    [...named.columns]
      .map(([field, name]) => [JOINED + name, { field, type: named.typeOf(field) }] as const)
      .filter(([, { type }]) => type !== 'key' && type !== 'id'),
  )

  function joined(alias: string): RawBuilder<unknown> {
    const columns = Array.from(joinedFields, ([name, { field }]) => {
      const own = column(field, alias)
      const value = dates.includes(field) ? (dialect.readDate(own) ?? own) : own
      return sql`${value} as ${sql.id(name)}`
    })
    return sql.join(columns)
  }

  function isField(field: string, value: unknown, alias?: string): RawBuilder<unknown> {
    const own = column(field, alias)
    // A missing value matches no row; as a string it would match a row that contains "undefined".
    if (typeof value !== 'string' && typeof value !== 'bigint') return sql`1 = 0`
    const text = String(value)
    if (named.typeOf(field) !== 'id') return dialect.isText(own, text)
    const id = storedId(text, ids)
    if (id === null) return sql`1 = 0`
    return typeof id === 'string' ? dialect.isText(own, id) : sql`${own} = ${dialect.encode(id)}`
  }

  function matches(key: Fields, alias?: string): RawBuilder<boolean> {
    const parts = Object.entries(key).map(([field, value]) => isField(field, value, alias))
    return sql<boolean>`${sql.join(parts, sql` and `)}`
  }

  return { column, all, joined, joinedFields, matches }
}
