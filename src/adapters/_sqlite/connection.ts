/** A connection to an SQLite file, as Kysely expects it, that survives the errors of its driver. */
import type { SqliteDatabase } from 'kysely'

/** A prepared statement, as Kysely expects it. */
type Statement = ReturnType<SqliteDatabase['prepare']>

/** A connection of a driver. */
export interface DriverConnection extends SqliteDatabase {
  readonly inTransaction: boolean
  exec(statements: string): unknown
}

/** What is needed to connect. */
export interface Connecting {
  /** Opens a connection. */
  readonly open: () => DriverConnection
  /**
   * What the driver does with a statement that fails with `SQLITE_BUSY`: `open` keeps it until it is garbage collected.
   * Until then SQLite commits nothing of that connection, so the connection is replaced.
   */
  readonly busyStatements: 'reset' | 'open'
}

const END = /^\s*(?:rollback|commit|end)(?:\s+transaction)?\s*;?\s*$/i
const ROLLBACK = /^\s*rollback/i

/** Stands for a `rollback` of a transaction that SQLite has rolled back already. */
const NOTHING: Statement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

function isBusy(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}

/** Connects, and connects again where the driver needs it. */
export function connect({ open, busyStatements }: Connecting): SqliteDatabase {
  let connection: DriverConnection | undefined = open()
  /** The error that ended a transaction of which the caller does not know yet. */
  let aborted: { readonly cause: unknown } | undefined

  function replace(old: DriverConnection): void {
    // The next statement opens another: an error of that is then an error of its own.
    connection = undefined
    if (old.inTransaction) old.exec('rollback')
    old.close()
  }

  function guard<T>(current: DriverConnection, work: () => T): T {
    const wasInTransaction = current.inTransaction
    try {
      return work()
    } catch (error) {
      if (busyStatements === 'open' && isBusy(error)) replace(current)
      // Some errors, such as a full disk, end the transaction: what follows must not be committed without it.
      if (wasInTransaction && !connection?.inTransaction) aborted = { cause: error }
      throw error
    }
  }

  function refuse({ cause }: { readonly cause: unknown }): never {
    throw new Error('An earlier error has rolled back this transaction. Begin it again.', { cause })
  }

  return {
    prepare(text) {
      if (aborted) {
        const reason = aborted
        if (END.test(text)) aborted = undefined
        return ROLLBACK.test(text) && !aborted ? NOTHING : refuse(reason)
      }
      const current = (connection ??= open())
      const statement = guard(current, () => current.prepare(text))
      const next = (rows: Iterator<unknown>) => guard(current, () => rows.next())
      return {
        reader: statement.reader,
        all: (parameters) => guard(current, () => statement.all(parameters)),
        run: (parameters) => guard(current, () => statement.run(parameters)),
        *iterate(parameters) {
          const rows = statement.iterate(parameters)
          for (let row = next(rows); !row.done; row = next(rows)) yield row.value
        },
      }
    },
    close: () => connection?.close(),
  }
}
