/** A connection to a database by its URL, through the driver that the project has. */
import type { Dialect, Kysely } from 'kysely'
import { openSqlite } from '../../adapters/sqlite.ts'
import { Failure } from '../errors.ts'
import { importOptional } from '../errors.ts'
import { messageOf } from '../errors.ts'
import { UsageError } from '../errors.ts'
import type { SqlDialect } from './create-tables.ts'

/** A connection, and which SQL is spoken there. */
export interface Connection {
  readonly db: Kysely<object>
  readonly dialect: SqlDialect
}

/** Milliseconds to wait for an application that writes: nothing else happens in this process. */
const BUSY_TIMEOUT = 60_000

/** The path of a file, as `file:./app.db`, `sqlite:app.db` and absolute URLs name it. */
function pathOf(url: string): string {
  return url.replace(/^(?:file|sqlite):(?:\/\/(?=\/))?/, '')
}

async function dialectFor(url: string): Promise<Dialect> {
  const kysely = await importOptional('kysely', () => import('kysely'))
  if (/^postgres(?:ql)?:/.test(url)) {
    const { default: pg } = await importOptional('pg', () => import('pg'))
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    // A connection that breaks is told by what is asked next; without listeners the process would end.
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
  if (/^(?:file|sqlite):/.test(url))
    return new kysely.SqliteDialect({
      database: await openSqlite(pathOf(url), { busyTimeout: BUSY_TIMEOUT }),
    })
  throw new UsageError(
    `--url has to begin with postgres:, mysql:, mariadb:, file: or sqlite:, as in postgres://user:password@localhost:5432/app.`,
  )
}

async function dialectOf(db: Kysely<object>, url: string): Promise<SqlDialect> {
  if (url.startsWith('postgres')) return 'postgres'
  if (/^(?:file|sqlite):/.test(url)) return 'sqlite'
  const { sql } = await import('kysely')
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'mariadb' : 'mysql'
}

/** What the database said; never with the URL, which has a password in it. */
function explained(what: string, cause: unknown): Error {
  if (cause instanceof Failure || cause instanceof UsageError) return cause
  const reason = cause instanceof Error ? messageOf(cause) : 'no reason was given'
  return new Failure(`${what}: ${reason}`, { cause })
}

/** Why there is no connection. */
function unreachable(cause: unknown): Error {
  const isUnreadable =
    cause instanceof URIError ||
    (cause instanceof Error && 'code' in cause && cause.code === 'ERR_INVALID_URL')
  if (isUnreadable)
    return new Failure(
      'The --url cannot be read. Write characters such as %, #, / and @ in a name or a password as encodeURIComponent does: %25, %23, %2F, %40.',
    )
  return explained('The database does not answer', cause)
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
    throw unreachable(cause)
  }
}

/**
 * Connects, does the work, and lets go.
 *
 * @throws UsageError when the URL is none
 * @throws Failure when a driver is missing, or the database does not answer, or does not do what is asked of it
 */
export async function withDatabase<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const pool = await connectTo(url)
  try {
    const dialect = await dialectOf(pool, url)
    // Locks and the current schema are those of one connection.
    return await pool.connection().execute((db) => work({ db, dialect }))
  } catch (cause) {
    throw explained('The database did not do what was asked of it', cause)
  } finally {
    await pool.destroy()
  }
}
