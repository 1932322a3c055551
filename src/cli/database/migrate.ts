/** `lib-auth migrate`: gives a database the tables, columns and indexes it lacks. */
import { sql } from 'kysely'
import { Failure } from '../errors.ts'
import { messageOf } from '../errors.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../errors.ts'
import { withDatabase } from './connect.ts'
import type { Connection } from './connect.ts'
import type { TableOptions } from './create-tables.ts'
import { alone } from './lock.ts'
import { planFor } from './plan.ts'
import type { Step } from './plan.ts'

/** What is asked for. */
export interface MigrateOptions extends Omit<TableOptions, 'dialect'> {
  readonly url: string
  /** Do not ask. */
  readonly isAgreed?: boolean | undefined
  /** Show, and do nothing. */
  readonly isDryRun?: boolean | undefined
}

async function runSteps({ db }: Connection, steps: readonly Step[], terminal: Terminal) {
  for (const [index, { title, statement }] of steps.entries()) {
    terminal.progress(`${index + 1} of ${steps.length}: ${title}`)
    try {
      await sql.raw(statement).execute(db)
    } catch (cause) {
      const reason = cause instanceof Error ? messageOf(cause) : 'no reason was given'
      throw new Failure(
        `Could not ${title}: ${reason}\n${index} of ${steps.length} statements were done; put this right and run the command again.`,
        { cause },
      )
    }
  }
}

/** Runs the command; resolves with whether the database is as it has to be. */
export async function migrate(
  { url, isAgreed, isDryRun, ...options }: MigrateOptions,
  terminal: Terminal,
): Promise<boolean> {
  return withDatabase(url, async (connection) => {
    const { dialect } = connection
    const { steps, obstacles } = await planFor(connection, { dialect, ...options })
    for (const obstacle of obstacles) terminal.complain(`! ${obstacle}`)
    if (steps.length === 0) {
      if (obstacles.length === 0) terminal.print('Everything is there. Nothing to do.')
      return obstacles.length === 0
    }
    for (const { statement } of steps) terminal.print(`${statement};\n`)
    if (isDryRun) return obstacles.length === 0
    const answer = isAgreed || (await terminal.confirm(`Run ${steps.length} statements?`))
    if (answer === null)
      throw new UsageError('Nobody is there to answer. Add --yes to run these statements.')
    if (!answer) {
      terminal.print('Nothing was done.')
      return false
    }
    const agreed = new Set(steps.map(({ statement }) => statement))
    const done = await alone(connection, async () => {
      // Somebody else may have done some of it by now.
      const now = await planFor(connection, { dialect, ...options })
      for (const obstacle of now.obstacles)
        if (!obstacles.includes(obstacle)) terminal.complain(`! ${obstacle}`)
      const left = now.steps.filter(({ statement }) => agreed.has(statement))
      await runSteps(connection, left, terminal)
      const others = now.steps.length - left.length
      if (others > 0) terminal.complain(`! Run it again: there are ${others} more statements now.`)
      return { count: left.length, isWhole: now.obstacles.length === 0 && others === 0 }
    })
    terminal.print(`Done: ${done.count} statements.`)
    return done.isWhole
  })
}
