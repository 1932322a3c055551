/** Kysely over PGlite: PostgreSQL in this process. */
import type { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** PGlite has one connection: a transaction holds it until its end, and other queries wait. */
function driverOver(database: PGlite): Driver {
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
    destroy: () => database.close(),
  }
}

export function dialectOver(database: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(database),
    createIntrospector: (own) => new PostgresIntrospector(own),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
