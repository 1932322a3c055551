/** `lib-auth migrate` creates the tables, columns and indexes that a database lacks. */
import { sql } from 'kysely'
import { Failure, readMessage, UsageError } from '../errors.ts'
import { printable } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { withDatabase } from './connect.ts'
import type { Connection } from './connect.ts'
import type { SqlDialect, Step, TableOptions } from './create-tables.ts'
import { planFor } from './plan.ts'
import { countOf, describeState } from './schema-state.ts'

export interface MigrateOptions extends Omit<TableOptions, 'dialect'> {
  readonly url: string
  readonly isConfirmed?: boolean | undefined
  readonly isDryRun?: boolean | undefined
  /** Like a dry run; a database that needs statements is not complete. */
  readonly isCheck?: boolean | undefined
}

type Lock = readonly [take: string, release: string]

const MYSQL_LOCK: Lock = [
  "select get_lock('lib-auth migrate', 600) as locked",
  "select release_lock('lib-auth migrate')",
]
/** Several processes may start at once; one of them migrates. */
const LOCKS: Readonly<Record<SqlDialect, Lock>> = {
  // The statements before a failed one are kept.
  sqlite: ['begin immediate', 'commit'],
  postgres: [
    "select pg_advisory_lock(hashtext('lib-auth migrate'))",
    "select pg_advisory_unlock(hashtext('lib-auth migrate'))",
  ],
  mysql: MYSQL_LOCK,
  mariadb: MYSQL_LOCK,
}

async function withLock<T>(
  { db, dialect }: Connection,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  const [take, release] = LOCKS[dialect]
  const waits = setTimeout(() => terminal.warn('Waiting for another process that migrates.'), 2000)
  const [row] = await sql
    .raw<{ readonly locked?: number | null }>(take)
    .execute(db)
    .then(({ rows }) => rows)
    .finally(() => clearTimeout(waits))
  // Only MySQL answers so.
  if (row?.locked !== undefined && Number(row.locked) !== 1)
    throw new Failure(
      'The lock of another process that migrates could not be taken within 10 minutes. No statement was run.',
    )
  try {
    const result = await work()
    await sql.raw(release).execute(db)
    return result
  } catch (error) {
    // A broken connection has released the lock; the first error is reported.
    await sql
      .raw(release)
      .execute(db)
      .catch(() => undefined)
    throw error
  }
}

async function runSteps({ db }: Connection, steps: readonly Step[], terminal: Terminal) {
  for (const [index, { title, statement }] of steps.entries()) {
    terminal.progress(`${index + 1} of ${steps.length}: ${title}`)
    try {
      await sql.raw(statement).execute(db)
    } catch (cause) {
      throw new Failure(
        `Could not ${title}: ${readMessage(cause)}\n${index} of ${steps.length} statements were run; fix the error and run the command again.`,
        { cause },
      )
    }
  }
}

const count = (steps: readonly Step[]): string => countOf(steps.length, 'statement')

/** Resolves with whether the database is complete; of a dry run, with whether the statements would complete it. */
export async function migrate(
  { url, isConfirmed, isDryRun, isCheck, ...options }: MigrateOptions,
  terminal: Terminal,
): Promise<boolean> {
  const work = async (connection: Connection): Promise<boolean> => {
    const { dialect } = connection
    const plan = await planFor(connection, { dialect, ...options })
    const { steps, obstacles } = plan
    for (const obstacle of obstacles) terminal.warn(`! ${printable(obstacle)}`)
    if (steps.length === 0 && obstacles.length === 0) terminal.print('The database is up to date.')
    for (const { statement } of steps) terminal.print(`${statement};\n`)
    // Not part of the statements, which may be written to a file.
    terminal.warn(`schema: ${describeState(plan, { dialect, ...options }, 'command')}.`)
    if (isCheck) return steps.length === 0 && obstacles.length === 0
    if (steps.length === 0 || isDryRun) return obstacles.length === 0
    const answer = isConfirmed || (await terminal.confirm(`Run ${count(steps)}?`))
    if (answer === null)
      throw new UsageError(
        'No statement was run: there is no terminal to ask for confirmation. Use --yes to run these statements, or --dry-run to only print them.',
      )
    if (!answer) {
      terminal.print('No statement was run.')
      return false
    }
    const confirmed = new Set(steps.map(({ statement }) => statement))
    return withLock(connection, terminal, async () => {
      // Another process may have migrated meanwhile.
      const now = await planFor(connection, { dialect, ...options })
      for (const obstacle of now.obstacles)
        if (!obstacles.includes(obstacle)) terminal.warn(`! ${printable(obstacle)}`)
      const remaining = now.steps.filter(({ statement }) => confirmed.has(statement))
      await runSteps(connection, remaining, terminal)
      const others = now.steps.length - remaining.length
      if (others > 0) terminal.warn(`! ${others} more statements are needed. Run it again.`)
      terminal.print(`Ran ${count(remaining)}.`)
      return now.obstacles.length === 0 && others === 0
    })
  }
  return withDatabase(url, work, { isReadOnly: isDryRun || isCheck })
}
