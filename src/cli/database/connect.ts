/** Connects to a database by its URL, with the driver of the application. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Dialect, Kysely } from 'kysely'
import { openSqlite } from '../../adapters/sqlite.ts'
import { errorCode, Failure, importOptional, readMessage, UsageError } from '../errors.ts'
import { requireDatabaseUrl } from '../options.ts'
import { quoteName } from './create-tables.ts'
import type { SqlDialect } from './create-tables.ts'

export interface Connection {
  readonly db: Kysely<object>
  readonly dialect: SqlDialect
}

/** Milliseconds to wait for the lock of an SQLite file. */
const BUSY_TIMEOUT = 60_000

/** Milliseconds to wait for a connection: databases that scale to zero start for some seconds. */
const CONNECT_TIMEOUT = 30_000

const SQLITE = /^(?:file|sqlite):/

export interface ConnectOptions {
  /** Does not create a missing SQLite file: an empty database is inspected. */
  readonly isReadOnly?: boolean | undefined
  /** @default {@link CONNECT_TIMEOUT} */
  readonly connectTimeout?: number | undefined
}

async function dialectFor(
  url: string,
  { isReadOnly = false, connectTimeout = CONNECT_TIMEOUT }: ConnectOptions,
): Promise<Dialect> {
  requireDatabaseUrl(url)
  const kysely = await import('kysely')
  if (/^postgres(?:ql)?:/.test(url)) {
    const { default: pg } = await importOptional('pg', () => import('pg'))
    const pool = new pg.Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: connectTimeout,
    })
    // Without listeners, a broken connection ends the process; the next query reports it.
    const ignore = () => undefined
    pool.on('error', ignore)
    pool.on('connect', (client) => client.on('error', ignore))
    return new kysely.PostgresDialect({ pool })
  }
  if (/^(?:mysql|mariadb):/.test(url)) {
    const { createPool } = await importOptional('mysql2', () => import('mysql2'))
    const uri = url.replace(/^mariadb:/, 'mysql:')
    return new kysely.MysqlDialect({
      pool: createPool({ uri, connectionLimit: 1, connectTimeout }),
    })
  }
  // A path as in file:./app.db, or a URL with an absolute path.
  const path = url.replace(/^\w+:(?:\/\/(?=\/))?/, '')
  const isMissing = isReadOnly && existsSync(dirname(path)) && !existsSync(path)
  const database = await openSqlite(isMissing ? ':memory:' : path, { busyTimeout: BUSY_TIMEOUT })
  return new kysely.SqliteDialect({ database })
}

/** Detects the dialect with the first query of a connection, which reports an error of the connection. */
async function detectDialect(db: Kysely<object>, url: string): Promise<SqlDialect> {
  const { sql } = await import('kysely')
  const query = SQLITE.test(url) ? 'select 1 as version' : 'select version() as version'
  const { rows } = await sql.raw<{ version: unknown }>(query).execute(db)
  if (SQLITE.test(url)) return 'sqlite'
  if (url.startsWith('postgres')) return 'postgres'
  return /mariadb/i.test(String(rows[0]?.version)) ? 'mariadb' : 'mysql'
}

/** Error codes of PostgreSQL and MySQL for a database that does not exist. */
const NO_DATABASE: ReadonlySet<unknown> = new Set(['3D000', 'ER_BAD_DB_ERROR'])

/** A SQLSTATE, or an error name of MySQL: the server has answered. Error codes of Node.js have no digits. */
const REFUSED = /^(?=.*\d)[\dA-Z]{5}$|^ER_/

/** Explains why there is no connection, without the URL, which may contain a password. */
function explainConnection(cause: unknown, url: string): string {
  const code = errorCode(cause)
  if (cause instanceof URIError || code === 'ERR_INVALID_URL')
    return 'The database URL is not valid. Encode characters such as %, #, / and @ in a name or a password with encodeURIComponent: %25, %23, %2F, %40.'
  if (NO_DATABASE.has(code)) {
    const name = decodeURIComponent(new URL(url).pathname.slice(1))
    const mark = url.startsWith('postgres') ? '"' : '`'
    return `The database "${name}" does not exist. Create it: create database ${quoteName(name, mark)}`
  }
  const problem = REFUSED.test(String(code)) ? 'refused the connection' : 'does not answer'
  if (!SQLITE.test(url)) return `The database ${problem}: ${readMessage(cause)}`
  // The message names the drivers of SQLite that were tried.
  if (cause instanceof Error && cause.cause instanceof AggregateError) return cause.message
  return `The file cannot be opened: ${readMessage(cause)}`
}

/** Runs the work on one connection, and closes it. @throws UsageError for an invalid URL, Failure for other errors */
export async function withDatabase<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
  options: ConnectOptions = {},
): Promise<T> {
  const { Kysely } = await importOptional('kysely', () => import('kysely'))
  let pool: Kysely<object> | undefined
  let explain = (cause: unknown) => explainConnection(cause, url)
  try {
    pool = new Kysely<object>({ dialect: await dialectFor(url, options) })
    const dialect = await detectDialect(pool, url)
    explain = (cause) => `The database reported an error: ${readMessage(cause)}`
    // Locks and the current schema belong to a connection.
    return await pool.connection().execute((db) => work({ db, dialect }))
  } catch (cause) {
    if (cause instanceof Failure || cause instanceof UsageError) throw cause
    throw new Failure(explain(cause), { cause })
  } finally {
    await pool?.destroy()
  }
}
