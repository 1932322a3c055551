import type { SqliteDatabase } from 'kysely'

type Statement = ReturnType<SqliteDatabase['prepare']>

export interface DriverConnection extends SqliteDatabase {
  readonly inTransaction: boolean
  exec(statements: string): unknown
}

export interface ConnectOptions {
  readonly open: () => DriverConnection
  /** `open`: a statement that failed with `SQLITE_BUSY` blocks commits until it is garbage collected, so reconnect. */
  readonly busyStatements: 'reset' | 'open'
}

const END = /^\s*(?:rollback|commit|end)(?:\s+transaction)?\s*;?\s*$/i
const ROLLBACK = /^\s*rollback/i

/** Result of a `rollback` after SQLite has already rolled back. */
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

export function connect(driver: ConnectOptions, busyTimeout: number): SqliteDatabase {
  function open(): DriverConnection {
    const opened = driver.open()
    opened.exec(`pragma busy_timeout = ${busyTimeout}`)
    return opened
  }

  let connection: DriverConnection | undefined = open()
  /** The error that rolled back a transaction which the caller has not ended yet. */
  let aborted: { readonly cause: unknown } | undefined

  function replace(old: DriverConnection): void {
    // The next statement reconnects, and reports an error of that itself.
    connection = undefined
    if (old.inTransaction) old.exec('rollback')
    old.close()
  }

  function runGuarded<T>(current: DriverConnection, work: () => T): T {
    const wasInTransaction = current.inTransaction
    try {
      return work()
    } catch (error) {
      if (driver.busyStatements === 'open' && isBusy(error)) replace(current)
      // Some errors, such as a full disk, end the transaction: later statements must not be committed without it.
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
        return ROLLBACK.test(text) && !aborted ? EMPTY_STATEMENT : refuse(reason)
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
