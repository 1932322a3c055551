import type { SqliteDatabase } from 'kysely'
import type { ConnectOptions, DriverConnection } from './connection.ts'

/** Module name of an SQLite driver. */
export type SqliteDriver = 'node:sqlite' | 'better-sqlite3' | 'libsql'

type DriverClass = new (path: string) => DriverConnection

type Statement = ReturnType<SqliteDatabase['prepare']>

/** `columns` is missing before Node 22.16. */
type NodeStatement = { columns?(): readonly unknown[] } & {
  [Name in 'all' | 'run' | 'iterate']: (...parameters: unknown[]) => ReturnType<Statement[Name]>
}

interface NodeDatabase extends Pick<DriverConnection, 'exec' | 'close'> {
  readonly isTransaction: boolean
  prepare(text: string): NodeStatement
}

interface NodeModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase
  readonly StatementSync: { readonly prototype: NodeStatement }
}

type Open = (path: string) => DriverConnection

interface Driver {
  readonly load: (load: NodeJS.Require) => Open
  readonly busyStatements: ConnectOptions['busyStatements']
}

function overNode(database: NodeDatabase): DriverConnection {
  return {
    get inTransaction() {
      return database.isTransaction
    },
    prepare(text): Statement {
      const statement = database.prepare(text)
      return {
        reader: (statement.columns?.() ?? []).length > 0,
        all: (parameters) => statement.all(...parameters),
        run: (parameters) => statement.run(...parameters),
        iterate: (parameters) => statement.iterate(...parameters),
      }
    },
    exec: (statements) => database.exec(statements),
    close: () => database.close(),
  }
}

function loadPackage(name: SqliteDriver): Driver['load'] {
  return (load) => {
    const Database: DriverClass = load(name)
    return (path) => new Database(path)
  }
}

const DRIVERS: Readonly<Record<SqliteDriver, Driver>> = {
  'node:sqlite': {
    load(load) {
      const { DatabaseSync, StatementSync }: NodeModule = load('node:sqlite')
      if (!StatementSync.prototype.columns)
        throw new Error('node:sqlite needs Node 22.16 or newer.')
      return (path) => overNode(new DatabaseSync(path))
    },
    busyStatements: 'reset',
  },
  'better-sqlite3': { load: loadPackage('better-sqlite3'), busyStatements: 'reset' },
  libsql: { load: loadPackage('libsql'), busyStatements: 'open' },
}

/** @throws Error with the error of each driver as its cause */
export function findDriver(path: string, driver: SqliteDriver | undefined): ConnectOptions {
  const candidates = driver === undefined ? DRIVERS : { [driver]: DRIVERS[driver] }
  // Hidden from bundlers, because a missing driver must not fail a build; and not written as `process.…`, because Next.js
  // warns of that in a middleware on the edge, which imports this file and never opens a database.
  const { process: host } = globalThis
  const { createRequire } = host.getBuiltinModule('node:module')
  const places = [import.meta.url, `${host.cwd()}/package.json`]
  const errors: unknown[] = []
  for (const { load, busyStatements } of Object.values(candidates))
    for (const place of places)
      try {
        const open = load(createRequire(place))
        return { open: () => open(path), busyStatements }
      } catch (error) {
        errors.push(error)
      }
  throw new Error(
    `No SQLite driver could be loaded (${Object.keys(candidates).join(', ')}). Use Node 22.16 or newer, or run: npm install libsql`,
    { cause: new AggregateError(errors) },
  )
}
