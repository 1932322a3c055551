/** For which release the database is complete, with the names and tables of the adapter for Kysely. */
import type { Kysely } from 'kysely'
import { TIMEOUTS, withTimeout } from '../../core/async/timeout.ts'
import type { Adapter } from '../../core/database/adapter.ts'
import { inspectable } from '../../core/symbols.ts'
import type { TableOptions } from '../database/create-tables.ts'
import type { Plan } from '../database/plan.ts'
import { describeState } from '../database/schema-state.ts'
import { isMissingPackage } from '../errors.ts'
import { topic } from './context.ts'
import type { DoctorContext, Finding } from './context.ts'

/** An adapter whose database can be inspected. */
interface Inspectable {
  readonly [inspectable]?: TableOptions & { readonly db: Kysely<object> }
}

async function planOf(db: Kysely<object>, options: TableOptions): Promise<Plan> {
  const { planFor } = await import('../database/plan.ts')
  // The current schema belongs to a connection.
  return db.connection().execute((own) => planFor({ db: own, dialect: options.dialect }, options))
}

/** The command that prints what is needed. */
function command({ with: optional = [], ids = 'text', tables, columns, schema }: TableOptions) {
  const words = [
    'npx lib-auth migrate --dry-run',
    optional.length > 0 ? `--with ${optional.join()}` : [],
    ids === 'text' ? [] : `--ids ${ids}`,
  ]
  const isRenamed = [tables, columns, schema].some((each) => each !== undefined)
  return (
    words.flat().join(' ') + (isRenamed ? ', with the options for the names of your tables' : '')
  )
}

/** Nothing with other adapters: their tools know the tables. */
export async function* checkSchema(
  { quote }: DoctorContext,
  adapter?: Adapter & Inspectable,
): AsyncGenerator<Finding> {
  const found = adapter?.[inspectable]
  if (!found) return
  // The adapter does not need a unique index for addresses, so its options do not have it.
  const { db, ...options } = { ...found, uniqueEmail: false }
  const { ok, warning } = topic('schema')
  try {
    const timeoutError = (message: string) => new Error(message)
    const settings = { what: 'The database', timeout: TIMEOUTS.adapter, timeoutError }
    const plan = await withTimeout(planOf(db, options), settings)
    const state = describeState(plan, options, 'configuration')
    if (plan.incomplete.length === 0) yield ok`${state}.`
    else yield warning`${state}. → Print it: ${command(options)}`
  } catch (cause) {
    const advice = isMissingPackage(cause)
      ? 'Run the command of the lib-auth that the application has installed.'
      : 'Run the command where the database can be reached.'
    yield warning`the database cannot be inspected: ${quote(cause)} → ${advice}`
  }
}
