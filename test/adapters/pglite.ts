/** Kysely over PGlite: PostgreSQL in this process. */
import { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** PGlite has one connection: a transaction holds it until its end, and other queries wait. */
function driverOver(database: PGlite, close: () => Promise<void>): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, affectedRows = 0 } = await database.query<Row>(sql, [...parameters])
      return { rows, numAffectedRows: BigInt(affectedRows) }
    },
    streamQuery() {
      throw new Error('Streaming is not supported.')
    },
  }
  const waiting: (() => void)[] = []
  let isInUse = false
  const run = (statement: string) => async (own: DatabaseConnection) => {
    await own.executeQuery(CompiledQuery.raw(statement))
  }
  return {
    init: () => database.waitReady,
    async acquireConnection() {
      if (isInUse) await new Promise<void>((resolve) => waiting.push(resolve))
      isInUse = true
      return connection
    },
    async releaseConnection() {
      const next = waiting.shift()
      if (next) next()
      else isInUse = false
    },
    beginTransaction: run('begin'),
    commitTransaction: run('commit'),
    rollbackTransaction: run('rollback'),
    destroy: close,
  }
}

/** Those whose dialects were destroyed. A start takes a second and more, which is why they are used again. */
const idle: PGlite[] = []

async function clear(database: PGlite): Promise<void> {
  for (const statement of ['discard all', 'drop schema public cascade', 'create schema public'])
    await database.exec(statement)
  idle.push(database)
}

/** Over an empty database. */
export function pgliteDialect(): Dialect {
  const database = idle.pop() ?? new PGlite()
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(database, () => clear(database)),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
