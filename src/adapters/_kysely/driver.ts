import { sql } from 'kysely'
import type { CompiledQuery, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely'
import { inBatches } from '../_batches.ts'
import type { Fields, FullDriver, TableRow, TableRows } from '../_methods.ts'
import { namedTable, SCHEMA } from '../_schema.ts'
import type { SchemaNames, TableId } from '../_schema.ts'
import type { AdapterUser } from '../index.ts'
import type { Dialect } from './dialect.ts'
import { explainKyselyError } from './explain-kysely-error.ts'
import { decodeValue, encodeId } from './values.ts'
import type { IdType } from './values.ts'

export interface Connection {
  readonly db: QueryExecutorProvider
  readonly dialect: Dialect
  readonly ids: IdType
  readonly names: SchemaNames
}

/** Alias prefix for the columns of a joined table. */
const JOINED = 'lib-auth:'

/** The SQL of one table, and the conversion of its rows. */
function tableOf<Id extends TableId>(table: Id, { dialect, ids, names }: Connection) {
  type Row = TableRow[Id]
  const named = namedTable(table, names)
  const columns = Array.from(named.columns, ([field, name]) => {
    return { field, name, type: named.typeOf(field) }
  })
  const joined = columns.filter(({ type }) => type !== 'key' && type !== 'id')
  const joinedNames = joined.map(({ name }) => JOINED + name)
  const byName = new Map([
    ...columns.map((each) => [each.name, each] as const),
    ...joined.map((each) => [JOINED + each.name, each] as const),
  ])

  function column(field: string, alias?: string): RawBuilder<unknown> {
    const name = named.columns.get(field) ?? field
    return alias === undefined ? sql.id(name) : sql.id(alias, name)
  }

  function decodeColumns(row: object, selected: readonly string[]): Row {
    // A new object: deleting properties of the row would make it slow to read.
    const decoded: Row & Record<string, unknown> = Object.create(Object.prototype)
    const values: Record<string, unknown> = decoded
    for (const name of selected) {
      const { field, type } = byName.get(name) ?? { field: name, type: named.typeOf(name) }
      values[field] = decodeValue(Reflect.get(row, name), type)
    }
    return decoded
  }

  function decode(row: Row): Row {
    const own = Object.keys(row).filter((name) => !name.startsWith(JOINED))
    return decodeColumns(row, own)
  }

  function matches(key: Fields, alias?: string): RawBuilder<unknown> {
    const parts = Object.entries(key).map(([field, value]) => {
      const own = column(field, alias)
      // A missing value matches no row; as a string it would match a row that contains "undefined".
      const text = typeof value === 'string' ? value : null
      const id = text !== null && named.typeOf(field) === 'id' ? encodeId(text, ids) : text
      if (id === null) return sql`1 = 0`
      return typeof id === 'string' ? dialect.isText(own, id) : sql`${own} = ${dialect.encode(id)}`
    })
    return sql.join(parts, sql` and `)
  }

  /** Drops fields without a column, and encodes the others. */
  function encode(row: object): { name: RawBuilder<unknown>; value: unknown }[] {
    return Object.entries(row).flatMap(([field, value]) => {
      if (!named.columns.has(field) || value === undefined) return []
      const own = named.typeOf(field) === 'id' ? encodeId(String(value), ids) : value
      if (own === null && value !== null)
        throw new Error(`The table "${named.name}" has ids of the type ${ids}.`)
      return [{ name: column(field), value: dialect.encode(own) }]
    })
  }

  return {
    named,
    sqlName: named.schema ? sql.id(named.schema, named.name) : sql.id(named.name),
    column,

    selectAll(alias: string): RawBuilder<unknown> {
      const dates = columns.flatMap(({ field, type }) => {
        const date = type === 'date' && dialect.readDate(column(field, alias))
        return date ? [sql`${date} as ${column(field)}`] : []
      })
      return sql.join([sql`${sql.id(alias)}.*`, ...dates])
    },

    /** Selects for a join. Keys and ids are omitted, because the caller has them and every column costs time. */
    selectJoined(alias: string): RawBuilder<unknown> {
      const values = joined.map(({ field, name, type }) => {
        const own = column(field, alias)
        const value = (type === 'date' && dialect.readDate(own)) || own
        return sql`${value} as ${sql.id(JOINED + name)}`
      })
      return sql.join(values)
    },

    matches,
    encode,
    decode,

    /** Decodes the columns of `selectJoined`. */
    decodeJoined: (row: object): Row => decodeColumns(row, joinedNames),
  }
}

function kyselyRows<Id extends TableId>(id: Id, connection: Connection) {
  type Row = TableRow[Id]
  const { db, dialect, ids } = connection
  const table = tableOf(id, connection)
  const { named, sqlName, column, matches, encode, decode } = table
  const keyFields = SCHEMA[id].key

  async function execute<T>(send: () => Promise<QueryResult<T>>): Promise<QueryResult<T>> {
    try {
      return await send()
    } catch (error) {
      throw explainKyselyError(error, named)
    }
  }

  const run = <T>(statement: RawBuilder<T>) => execute(() => statement.execute(db))

  async function list(key: Fields): Promise<Row[]> {
    const { rows } = await run(
      sql<Row>`select ${table.selectAll('t')} from ${sqlName} as ${sql.id('t')} where ${matches(key, 't')}`,
    )
    return rows.map(decode)
  }

  const find = async (key: Fields) => (await list(key))[0] ?? null

  async function runReturning(statement: RawBuilder<unknown>): Promise<Row | null> {
    const { rows } = await run(sql<Row>`${statement} returning *`)
    return rows[0] ? decode(rows[0]) : null
  }

  function inserted(row: Row | null): Row {
    if (row) return row
    throw new Error(`A row written to the table "${named.name}" cannot be read back.`)
  }

  const rows: TableRows<Row> = {
    list,
    find,

    async insert(row) {
      const given = id === 'users' && ids === 'integer' ? { ...row, id: undefined } : row
      const values = encode(given)
      const names = sql.join(values.map(({ name }) => name))
      const insert = sql`insert into ${sqlName} (${names}) values (${sql.join(values.map(({ value }) => value))})`
      if (dialect.hasReturning) return inserted(await runReturning(insert))
      const { insertId } = await run(insert)
      const key = keyFields.map((field) => [field, String(Reflect.get(given, field) ?? insertId)])
      return inserted(await find(Object.fromEntries(key)))
    },

    async update(key, changes) {
      const values = encode(changes)
      if (values.length === 0) return find(key)
      const set = sql.join(values.map(({ name, value }) => sql`${name} = ${value}`))
      const update = sql`update ${sqlName} set ${set} where ${matches(key)}`
      if (dialect.hasReturning) return runReturning(update)
      await run(update)
      return find(key)
    },

    async take(key) {
      const remove = sql`delete from ${sqlName} where ${matches(key)}`
      if (dialect.hasReturning) return runReturning(remove)
      const row = await find(key)
      return row && (await run(remove)).numAffectedRows ? row : null
    },

    async remove(key) {
      await run(sql`delete from ${sqlName} where ${matches(key)}`)
    },

    async removeExpired(before) {
      const condition = dialect.isBefore(column('expires'), before)
      const key = keyFields.map((field) => column(field))
      await inBatches(async (limit) => {
        const some = dialect.deleteBatch({ table: sqlName, key, condition, limit })
        return Number((await run(some)).numAffectedRows)
      })
    },
  }
  return { ...table, rows, run, execute }
}

/** The tables over a connection or a transaction. */
export function kyselyDriver(connection: Connection): FullDriver {
  const { db } = connection
  const users = kyselyRows('users', connection)
  const accounts = kyselyRows('accounts', connection)
  const sessions = kyselyRows('sessions', connection)
  const joinUsers = (userId: RawBuilder<unknown>) =>
    sql`inner join ${users.sqlName} as ${sql.id('u')} on ${users.column('id', 'u')} = ${userId}`

  const selectSession = (sessionToken: string) =>
    sql<AdapterUser>`select ${sessions.selectJoined('t')}, ${users.selectAll('u')} from ${sessions.sqlName} as ${sql.id('t')} ${joinUsers(sessions.column('userId', 't'))} where ${sessions.matches({ sessionToken }, 't')}`

  let compiled: CompiledQuery<AdapterUser> | undefined
  function querySession(sessionToken: string): Promise<QueryResult<AdapterUser>> {
    // The SQL for these values can differ: see `isText` and `matches`.
    if (typeof sessionToken !== 'string' || sessionToken.includes('\0'))
      return selectSession(sessionToken).execute(db)
    const query = (compiled ??= selectSession('').compile(db))
    const parameters = query.parameters.map(() => sessionToken)
    return db.getExecutor().executeQuery({ ...query, parameters })
  }

  return {
    users: users.rows,
    accounts: accounts.rows,
    sessions: sessions.rows,
    verificationTokens: kyselyRows('verificationTokens', connection).rows,
    authenticators: kyselyRows('authenticators', connection).rows,

    async findAccountOwner({ provider, providerAccountId }) {
      const owner = await users.run(
        sql<AdapterUser>`select ${users.selectAll('u')} from ${accounts.sqlName} as ${sql.id('t')} ${joinUsers(accounts.column('userId', 't'))} where ${accounts.matches({ provider, providerAccountId }, 't')}`,
      )
      return owner.rows[0] ? users.decode(owner.rows[0]) : null
    },

    async findSessionAndUser(sessionToken) {
      const { rows } = await sessions.execute(() => querySession(sessionToken))
      if (!rows[0]) return null
      const user = users.decode(rows[0])
      return { session: { ...sessions.decodeJoined(rows[0]), sessionToken, userId: user.id }, user }
    },
  }
}
