import type { SqliteDatabase } from 'kysely'

/** Module name of an SQLite driver. */
export type SqliteDriver = 'node:sqlite' | 'better-sqlite3' | 'libsql'

/** Options of {@link openSqlite}. */
export interface SqliteOptions {
  /**
   * Busy timeout, in milliseconds: how long a statement waits for the lock of another process, before it fails with
   * `SQLITE_BUSY`. The drivers are synchronous, so the whole process waits. @default 2000
   */
  readonly busyTimeout?: number | undefined
  /** The driver to use. @default the first that is available: `node:sqlite`, `better-sqlite3`, `libsql` */
  readonly driver?: SqliteDriver | undefined
}

type Statement = ReturnType<SqliteDatabase['prepare']>

interface Connection extends SqliteDatabase {
  readonly inTransaction: boolean
  exec(statements: string): unknown
}

/** `columns` is missing before Node 22.16. */
type NodeStatement = { columns?(): readonly unknown[] } & {
  [Name in 'all' | 'run' | 'iterate']: (...parameters: unknown[]) => ReturnType<Statement[Name]>
}

interface NodeDatabase extends Pick<Connection, 'exec' | 'close'> {
  readonly isTransaction: boolean
  prepare(text: string): NodeStatement
}

interface NodeModule {
  readonly DatabaseSync: new (path: string) => NodeDatabase
  readonly StatementSync: { readonly prototype: NodeStatement }
}

interface Source {
  readonly open: () => Connection
  /** A statement that failed with `SQLITE_BUSY` blocks commits until it is garbage collected, so reconnect. */
  readonly keepsBusyStatements: boolean
}

function overNode(database: NodeDatabase): Connection {
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

function loadDriver(name: SqliteDriver, load: NodeJS.Require): (path: string) => Connection {
  if (name !== 'node:sqlite') {
    const Database: new (path: string) => Connection = load(name)
    // better-sqlite3 loads its compiled part only when it opens a database.
    new Database(':memory:').close()
    return (path) => new Database(path)
  }
  const { DatabaseSync, StatementSync }: NodeModule = load(name)
  if (!StatementSync.prototype.columns) throw new Error('node:sqlite needs Node 22.16 or newer.')
  return (path) => overNode(new DatabaseSync(path))
}

function findSource(path: string, names: readonly SqliteDriver[]): Source {
  // Hidden from bundlers, because a missing driver must not fail a build; and not written as `process.…`, because Next.js
  // warns of that in a middleware on the edge, which imports this file and never opens a database.
  const { process: host } = globalThis
  const { createRequire } = host.getBuiltinModule('node:module')
  const errors: unknown[] = []
  for (const name of names)
    for (const place of [import.meta.url, `${host.cwd()}/package.json`])
      try {
        const open = loadDriver(name, createRequire(place))
        return { open: () => open(path), keepsBusyStatements: name === 'libsql' }
      } catch (error) {
        errors.push(error)
      }
  throw new Error(
    `No SQLite driver could be loaded (${names.join(', ')}). Use Node 22.16 or newer, or run: npm install libsql`,
    { cause: new AggregateError(errors) },
  )
}

const END = /^\s*(?:rollback|commit|end)(?:\s+transaction)?\s*;?\s*$/i
const ROLLBACK = /^\s*rollback/i

const EMPTY_STATEMENT: Statement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

function isBusy(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}

function connect(source: Source, busyTimeout: number): SqliteDatabase {
  function open(): Connection {
    const opened = source.open()
    opened.exec(`pragma busy_timeout = ${busyTimeout}`)
    return opened
  }

  let connection: Connection | undefined = open()
  /** The error that rolled back a transaction which the caller has not ended yet. */
  let aborted: { readonly cause: unknown } | undefined

  function replace(old: Connection): void {
    // The next statement reconnects, and reports an error of that itself.
    connection = undefined
    if (old.inTransaction) old.exec('rollback')
    old.close()
  }

  function runGuarded<T>(current: Connection, work: () => T): T {
    const wasInTransaction = current.inTransaction
    try {
      return work()
    } catch (error) {
      if (source.keepsBusyStatements && isBusy(error)) replace(current)
      // Some errors, such as a full disk, end the transaction: later statements must not be committed without it.
      if (wasInTransaction && !connection?.inTransaction) aborted = { cause: error }
      throw error
    }
  }

  return {
    prepare(text) {
      if (aborted) {
        const { cause } = aborted
        if (END.test(text)) aborted = undefined
        // SQLite has already rolled back.
        if (ROLLBACK.test(text) && !aborted) return EMPTY_STATEMENT
        throw new Error('An earlier error has rolled back this transaction. Begin it again.', {
          cause,
        })
      }
      const current = (connection ??= open())
      const statement = runGuarded(current, () => current.prepare(text))
      const next = (rows: Iterator<unknown>) => runGuarded(current, () => rows.next())
      return {
        reader: statement.reader,
        all: (parameters) => runGuarded(current, () => statement.all(parameters)),
        run: (parameters) => runGuarded(current, () => statement.run(parameters)),
        *iterate(parameters) {
          const rows = statement.iterate(parameters)
          for (let row = next(rows); !row.done; row = next(rows)) yield row.value
        },
      }
    },
    close: () => connection?.close(),
  }
}

/**
 * Opens an SQLite file for Kysely's `SqliteDialect`, with the first available driver: `node:sqlite` (Node 22.16 or
 * newer), `better-sqlite3`, or `libsql`.
 *
 * With `libsql`, the connection is replaced after `SQLITE_BUSY`, because the driver would not commit later writes. This
 * resets settings of the connection, such as `pragma foreign_keys`, but not those of the file, such as
 * `pragma journal_mode = wal`.
 *
 * @throws Error when no driver is available, or the file cannot be opened
 * @example
 * ```ts
 * import { Kysely, SqliteDialect } from 'kysely'
 * import KyselyAdapter from 'lib-auth/adapters/kysely'
 * import { openSqlite } from 'lib-auth/adapters/sqlite'
 *
 * const dialect = new SqliteDialect({ database: () => openSqlite('app.db') })
 *
 * export const adapter = KyselyAdapter(new Kysely<object>({ dialect }))
 * ```
 */
export async function openSqlite(
  path: string,
  { busyTimeout = 2000, driver }: SqliteOptions = {},
): Promise<SqliteDatabase> {
  const names = driver ? [driver] : (['node:sqlite', 'better-sqlite3', 'libsql'] as const)
  return connect(findSource(path, names), Math.trunc(busyTimeout))
}
