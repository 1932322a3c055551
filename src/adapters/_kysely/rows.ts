import { sql } from 'kysely'
import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import { pause } from '../_pause.ts'
import { namedTable, SCHEMA } from '../_schema.ts'
import type { NamedTable, TableId } from '../_schema.ts'
import { columnsOf, JOINED } from './columns.ts'
import type { Columns, Connection, Field, Fields } from './columns.ts'
import { explained } from './missing.ts'
import { readValue, storedId } from './values.ts'

interface Outcome<T> {
  readonly rows: T[]
  readonly count: bigint
  readonly insertId: bigint | undefined
}

/** Operations on one table. A key is a set of field values. */
export interface Rows<Row> extends Columns {
  readonly table: RawBuilder<unknown>
  run<T>(statement: RawBuilder<T>): Promise<Outcome<T>>
  /** Compiles a statement with one parameter once, for repeated use. */
  prepare<T>(statementFor: (text: string) => RawBuilder<T>): (text: string) => Promise<Outcome<T>>
  read(row: Row): Row
  /** Converts the columns of {@link Rows.joined}, and adds the fields in `known`. */
  readJoined(row: object, known: Partial<Row>): Row
  insert(row: object): Promise<Row>
  find(key: Fields): Promise<Row | null>
  list(key: Fields): Promise<Row[]>
  update(key: Fields, changes: object): Promise<Row | null>
  /** Deletes a row and returns it; of concurrent calls exactly one gets it. */
  take(key: Fields): Promise<Row | null>
  remove(key: Fields): Promise<void>
  removeExpired(before: Date): Promise<void>
}

const BATCH = 1000

export function rowsOf<Row extends object>(tableId: TableId, connection: Connection): Rows<Row> {
  const { db, dialect, ids, names } = connection
  const named: NamedTable = namedTable(tableId, names)
  const table = named.schema ? sql.id(named.schema, named.name) : sql.id(named.name)
  const columns = columnsOf(named, connection)
  const { column, all, matches } = columns
  const fields = new Map([...named.columns].map(([field, name]) => [name, asField(field)]))

  function asField(field: string): Field {
    return { field, type: named.typeOf(field) }
  }

  async function execute<T>(send: () => Promise<QueryResult<T>>): Promise<Outcome<T>> {
    try {
      const { rows, numAffectedRows = 0n, insertId } = await send()
      return { rows, count: numAffectedRows, insertId }
    } catch (error) {
      throw explained(error, named)
    }
  }

  function run<T>(statement: RawBuilder<T>): Promise<Outcome<T>> {
    return execute(() => statement.execute(db))
  }

  function prepare<T>(statementFor: (text: string) => RawBuilder<T>) {
    let compiled: CompiledQuery<T> | undefined
    return (text: string): Promise<Outcome<T>> => {
      // The SQL for these values can differ: see `isText` and `matches`.
      if (typeof text !== 'string' || text.includes('\0')) return run(statementFor(text))
      const query = (compiled ??= statementFor('').compile(db))
      const prepared = { ...query, parameters: query.parameters.map(() => text) }
      return execute(() => db.getExecutor().executeQuery(prepared))
    }
  }

  function read(row: Row): Row {
    // A new object: deleting properties of the row would make it slow to read.
    const fresh: Row & Record<string, unknown> = Object.create(Object.prototype)
    const values: Record<string, unknown> = fresh
    for (const name of Object.keys(row)) {
      if (name.startsWith(JOINED)) continue
      const { field, type } = fields.get(name) ?? asField(name)
      values[field] = readValue(Reflect.get(row, name), type)
    }
    return fresh
  }

  function readJoined(row: object, known: Partial<Row>): Row {
    const fresh: Row & Record<string, unknown> = Object.create(Object.prototype)
    const values: Record<string, unknown> = Object.assign(fresh, known)
    for (const [name, { field, type }] of columns.joinedFields)
      values[field] = readValue(Reflect.get(row, name), type)
    return fresh
  }

  /** Drops fields without a column, and encodes the others. */
  function stored(row: object): [name: string, value: unknown][] {
    return Object.entries(row).flatMap(([field, value]): [string, unknown][] => {
      const name = named.columns.get(field)
      if (name === undefined || value === undefined) return []
      if (named.typeOf(field) !== 'id') return [[name, dialect.encode(value)]]
      const id = storedId(String(value), ids)
      if (id === null) throw new Error(`The table "${named.name}" has ids of the type ${ids}.`)
      return [[name, dialect.encode(id)]]
    })
  }

  const first = ([row]: Row[]): Row | null => (row ? read(row) : null)

  async function find(key: Fields): Promise<Row | null> {
    const { rows } = await run(
      sql<Row>`select ${all('t')} from ${table} as ${sql.id('t')} where ${matches(key, 't')}`,
    )
    return first(rows)
  }

  async function written(key: Fields): Promise<Row> {
    const row = await find(key)
    if (row) return row
    throw new Error(`A row written to the table "${named.name}" cannot be read back.`)
  }

  return {
    ...columns,
    table,
    run,
    prepare,
    read,
    readJoined,
    find,

    async insert(row) {
      const values = stored(row)
      const into = sql.join(values.map(([name]) => sql.id(name)))
      const insert = sql`insert into ${table} (${into}) values (${sql.join(values.map(([, value]) => value))})`
      const statement = dialect.hasReturning ? sql`${insert} returning *` : insert
      const { rows, insertId } = await run(sql<Row>`${statement}`)
      const [added] = rows
      if (added) return read(added)
      const given = new Map(Object.entries(row))
      const key = SCHEMA[tableId].key.map((field) => [field, given.get(field) ?? insertId])
      return written(Object.fromEntries(key))
    },

    async list(key) {
      const { rows } = await run(
        sql<Row>`select ${all('t')} from ${table} as ${sql.id('t')} where ${matches(key, 't')}`,
      )
      return rows.map((row) => read(row))
    },

    async update(key, changes) {
      const values = stored(changes)
      if (values.length === 0) return find(key)
      const set = sql.join(values.map(([name, value]) => sql`${sql.id(name)} = ${value}`))
      const update = sql`update ${table} set ${set} where ${matches(key)}`
      if (dialect.hasReturning) return first((await run(sql<Row>`${update} returning *`)).rows)
      await run(update)
      return find(key)
    },

    async take(key) {
      const remove = sql`delete from ${table} where ${matches(key)}`
      if (dialect.hasReturning) return first((await run(sql<Row>`${remove} returning *`)).rows)
      const row = await find(key)
      return row && (await run(remove)).count > 0n ? row : null
    },

    async remove(key) {
      await run(sql`delete from ${table} where ${matches(key)}`)
    },

    async removeExpired(before) {
      const condition = dialect.isBefore(column('expires'), before)
      const key = SCHEMA[tableId].key.map((field) => column(field))
      const some = dialect.deleteSome({ table, key, condition, limit: BATCH })
      while ((await run(some)).count >= BATCH) await pause()
    },
  }
}
