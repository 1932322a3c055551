import { and, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { countedId, idAsText, isUuid } from '../_id.ts'
import { pause } from '../_pause.ts'
import { countOf, query, rowsOf, run } from './builder.ts'
import type { DrizzleDatabase, Query } from './builder.ts'

type Key = Readonly<Record<string, unknown>>

/** Operations on one table. A key is a set of field values. */
export interface TableRows<Row> {
  readonly table: Table
  /** Converts ids to strings. */
  read(row: Row): Row
  /** `by`: the key, to read the row back if the database does not return it. */
  insert(row: object, by: readonly string[]): Promise<Row>
  find(key: Key): Promise<Row | null>
  list(key: Key): Promise<Row[]>
  update(key: Key, changes: object): Promise<Row | null>
  /** Deletes a row and returns it; of concurrent calls exactly one gets it. */
  take(key: Key): Promise<Row | null>
  remove(key: Key): Promise<void>
  /** Deletes expired rows in batches; `by` is the most selective column of the key. */
  removeExpired(before: Date, by: string): Promise<void>
  matches(key: Key): SQL | undefined
}

const IDS = ['id', 'userId'] as const
const BATCH = 1000

/** Converts a value to the type of a column; `null` if the column cannot contain it, which some databases reject. */
function keyFor({ dataType, columnType }: AnyColumn, key: unknown): unknown {
  if (typeof key !== 'string') return key ?? null
  if (columnType === 'PgUUID') return isUuid(key) ? key : null
  if (dataType === 'string') return columnType.startsWith('Pg') && key.includes('\0') ? null : key
  if (dataType !== 'number' && dataType !== 'bigint') return key
  const id = countedId(key)
  if (dataType === 'number') return typeof id === 'bigint' ? null : id
  return id === null ? null : BigInt(id)
}

export function tableRows<Row extends object>(db: DrizzleDatabase, table: Table): TableRows<Row> {
  const columns: Readonly<Record<string, AnyColumn>> = getTableColumns(table)

  function column(field: string): AnyColumn {
    const found = columns[field]
    if (found) return found
    throw new Error(
      `DrizzleAdapter: a table has no column "${field}". Run: npx lib-auth schema --adapter drizzle`,
    )
  }

  /** Drops fields without a column. */
  function stored(row: object): object {
    const known = Object.entries(row).filter(
      ([field, value]) => field in columns && value !== undefined,
    )
    return Object.fromEntries(known)
  }

  function isEqual(field: string, value: unknown): SQL {
    const own = column(field)
    const asked = keyFor(own, value)
    return asked === null ? sql`1 = 0` : eq(own, asked)
  }

  function matches(key: Key): SQL | undefined {
    return and(...Object.entries(key).map(([field, value]) => isEqual(field, value)))
  }

  function read(row: Row): Row {
    const copy = { ...row }
    for (const field of IDS) {
      if (field in row) Reflect.set(copy, field, idAsText(Reflect.get(row, field)))
    }
    return copy
  }

  async function ask(built: Query): Promise<Row[]> {
    return (await rowsOf<Row>(built)).map(read)
  }

  async function list(key: Key): Promise<Row[]> {
    return ask(query(db.select()).from(table).where(matches(key)))
  }

  async function find(key: Key): Promise<Row | null> {
    const rows = await list(key)
    // Collations that ignore case or accents may match other rows.
    return (
      rows.find((row) =>
        Object.entries(key).every(
          ([field, value]) => String(Reflect.get(row, field)) === String(value),
        ),
      ) ?? null
    )
  }

  return {
    table,
    read,
    matches,
    list,
    find,

    async insert(row, by) {
      const insert = query(db.insert(table)).values(stored(row))
      if (insert.returning) {
        const [added] = await ask(insert.returning())
        if (added) return added
      }
      const [counted = {}] = await rowsOf(insert.$returningId?.() ?? insert)
      const named = { ...counted, ...row }
      const key = by.map((field): [string, unknown] => [field, Reflect.get(named, field)])
      const added = await find(Object.fromEntries(key))
      if (added) return added
      throw new Error('DrizzleAdapter: a written row cannot be read back.')
    },

    async update(key, changes) {
      const values = stored(changes)
      if (Object.keys(values).length === 0) return find(key)
      const update = query(db.update(table)).set(values).where(matches(key))
      if (update.returning) return (await ask(update.returning()))[0] ?? null
      await run(update)
      return find(key)
    },

    async take(key) {
      const remove = query(db.delete(table)).where(matches(key))
      if (remove.returning) return (await ask(remove.returning()))[0] ?? null
      const row = await find(key)
      return row && (await countOf(remove)) > 0 ? row : null
    },

    async remove(key) {
      await run(query(db.delete(table)).where(matches(key)))
    },

    async removeExpired(before, by) {
      const isOver = lt(column('expires'), before)
      for (;;) {
        const rows = await rowsOf(query(db.select()).from(table).where(isOver).limit(BATCH))
        const keys = rows.map((row): unknown => Reflect.get(row, by))
        if (keys.length > 0)
          await run(query(db.delete(table)).where(and(isOver, inArray(column(by), keys))))
        if (rows.length < BATCH) return
        await pause()
      }
    },
  }
}
