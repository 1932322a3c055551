/** The drivers of SQLite, each as Kysely expects it. */
import type { SqliteDatabase } from 'kysely'
import type { Connecting, DriverConnection } from './connection.ts'

/** The name of a driver, which is the module to import. */
export type SqliteDriver = 'node:sqlite' | 'better-sqlite3' | 'libsql'

type DriverClass = new (path: string) => DriverConnection

interface NodeStatement {
  columns?(): readonly unknown[]
  all(...parameters: readonly unknown[]): unknown[]
  run(...parameters: readonly unknown[]): {
    changes: number | bigint
    lastInsertRowid: number | bigint
  }
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>
}

interface NodeDatabase {
  readonly isTransaction: boolean
  prepare(text: string): NodeStatement
  exec(statements: string): void
  close(): void
}

/** `node:sqlite`; releases before 22.16 cannot tell which statements return rows. */
interface NodeModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase
  readonly StatementSync: { readonly prototype: NodeStatement }
}

/** Makes connections to a file. */
type Open = (path: string) => DriverConnection

/** A driver, which is loaded when it is needed. */
interface Driver {
  readonly load: (load: NodeJS.Require) => Open
  readonly busyStatements: Connecting['busyStatements']
}

function overNode(database: NodeDatabase): DriverConnection {
  return {
    get inTransaction() {
      return database.isTransaction
    },
    prepare(text): ReturnType<SqliteDatabase['prepare']> {
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

function overPackage(Database: DriverClass): Open {
  return (path) => new Database(path)
}

/** In the order of preference. */
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
  'better-sqlite3': {
    load: (load) => overPackage(load('better-sqlite3')),
    busyStatements: 'reset',
  },
  libsql: { load: (load) => overPackage(load('libsql')), busyStatements: 'open' },
}

/**
 * How to connect with the first driver that is available.
 *
 * @throws Error that says what to install, with what each driver failed with
 */
export function findDriver(path: string, driver: SqliteDriver | undefined): Connecting {
  const candidates = driver === undefined ? DRIVERS : { [driver]: DRIVERS[driver] }
  // Bundlers do not see this: a driver that is not installed must not fail their build. In a bundle, the driver is that
  // of the application.
  const { createRequire } = process.getBuiltinModule('node:module')
  const places = [import.meta.url, `${process.cwd()}/package.json`]
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
