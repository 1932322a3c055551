/** One at a time: several machines that start at once all want to be first. */
import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import type { SqlDialect } from './create-tables.ts'

/** What locks, and what unlocks again. */
type Lock = readonly [take: string, release: string]

const POSTGRES: Lock = [
  "select pg_advisory_lock(hashtext('lib-auth migrate'))",
  "select pg_advisory_unlock(hashtext('lib-auth migrate'))",
]
const MYSQL: Lock = [
  "select get_lock('lib-auth migrate', 600)",
  "select release_lock('lib-auth migrate')",
]

const LOCKS: Readonly<Record<SqlDialect, Lock>> = {
  // What was done before a statement failed stays.
  sqlite: ['begin immediate', 'commit'],
  postgres: POSTGRES,
  mysql: MYSQL,
  mariadb: MYSQL,
}

/** Does something while nobody else does. */
export async function alone<T>({ db, dialect }: Connection, work: () => Promise<T>): Promise<T> {
  const [take, release] = LOCKS[dialect]
  await sql.raw(take).execute(db)
  const letGo = () => sql.raw(release).execute(db)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // Why it failed is what has to be told; a connection that broke has let go by itself.
    await letGo().catch(() => undefined)
    throw error
  }
  await letGo()
  return result
}
