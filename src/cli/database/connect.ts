/** Connects to a database by its URL, with the driver of the application. */
import type { Dialect, Kysely } from 'kysely'
import { openSqlite } from '../../adapters/sqlite.ts'
import { Failure, importOptional, messageOf, UsageError } from '../errors.ts'
import type { SqlDialect } from './create-tables.ts'

export interface Connection {
  readonly db: Kysely<object>
  readonly dialect: SqlDialect
}

/** Milliseconds to wait for the lock of an SQLite file. */
const BUSY_TIMEOUT = 60_000

/** The path in `file:./app.db`, `sqlite:app.db` or a URL with an absolute path. */
function pathOf(url: string): string {
  return url.replace(/^(?:file|sqlite):(?:\/\/(?=\/))?/, '')
}

async function dialectFor(url: string): Promise<Dialect> {
  const kysely = await importOptional('kysely', () => import('kysely'))
  if (/^postgres(?:ql)?:/.test(url)) {
    const { default: pg } = await importOptional('pg', () => import('pg'))
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    // Without listeners, a broken connection ends the process; the next query reports it.
    const ignore = () => undefined
    pool.on('error', ignore)
    pool.on('connect', (client) => client.on('error', ignore))
    return new kysely.PostgresDialect({ pool })
  }
  if (/^(?:mysql|mariadb):/.test(url)) {
    const { createPool } = await importOptional('mysql2', () => import('mysql2'))
    const uri = url.replace(/^mariadb:/, 'mysql:')
    return new kysely.MysqlDialect({ pool: createPool({ uri, connectionLimit: 1 }) })
  }
  if (/^(?:file|sqlite):/.test(url)) {
    const database = await openSqlite(pathOf(url), { busyTimeout: BUSY_TIMEOUT })
    return new kysely.SqliteDialect({ database })
  }
  throw new UsageError(
    'The database URL must begin with postgres:, mysql:, mariadb:, file: or sqlite:, as in postgres://user:password@localhost:5432/app.',
  )
}

async function dialectOf(db: Kysely<object>, url: string): Promise<SqlDialect> {
  if (url.startsWith('postgres')) return 'postgres'
  if (/^(?:file|sqlite):/.test(url)) return 'sqlite'
  const { sql } = await import('kysely')
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'mariadb' : 'mysql'
}

/** Error codes of PostgreSQL and MySQL for a database that does not exist. */
const NO_DATABASE: ReadonlySet<unknown> = new Set(['3D000', 'ER_BAD_DB_ERROR'])

/** Explains why there is no connection, without the URL, which may contain a password. */
function explain(cause: unknown, url: string): Error {
  if (cause instanceof Failure || cause instanceof UsageError) return cause
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (cause instanceof URIError || code === 'ERR_INVALID_URL')
    return new Failure(
      'The database URL is not valid. Encode characters such as %, #, / and @ in a name or a password with encodeURIComponent: %25, %23, %2F, %40.',
    )
  if (NO_DATABASE.has(code)) {
    const name = decodeURIComponent(new URL(url).pathname.slice(1))
    return new Failure(
      `The database "${name}" does not exist. Create it: create database ${name}`,
      {
        cause,
      },
    )
  }
  const isSqlite = /^(?:file|sqlite):/.test(url)
  // The drivers of SQLite that were tried.
  if (isSqlite && cause instanceof Error && cause.cause instanceof AggregateError)
    return new Failure(cause.message, { cause })
  const what = isSqlite ? 'The file cannot be opened' : 'The database does not answer'
  return new Failure(`${what}: ${messageOf(cause)}`, { cause })
}

async function connectTo(url: string): Promise<Kysely<object>> {
  const { Kysely, sql } = await importOptional('kysely', () => import('kysely'))
  let db: Kysely<object> | undefined
  try {
    db = new Kysely<object>({ dialect: await dialectFor(url) })
    await sql`select 1`.execute(db)
    return db
  } catch (cause) {
    await db?.destroy()
    throw explain(cause, url)
  }
}

/**
 * Runs the work on one connection, and closes it.
 *
 * @throws UsageError if the URL is not valid
 * @throws Failure if a driver is missing, or the database does not answer or rejects a statement
 */
export async function withDatabase<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const pool = await connectTo(url)
  try {
    const dialect = await dialectOf(pool, url)
    // Locks and the current schema belong to a connection.
    return await pool.connection().execute((db) => work({ db, dialect }))
  } catch (cause) {
    if (cause instanceof Failure || cause instanceof UsageError) throw cause
    throw new Failure(`The database reported an error: ${messageOf(cause)}`, { cause })
  } finally {
    await pool.destroy()
  }
}
