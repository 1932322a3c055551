/** Whether the tables of second factors and passwords can be read. */
import type { Adapter, FactorStore, PasswordStore } from '../../core/database/adapter.ts'
import { TIMEOUTS, withTimeout } from '../../core/async/timeout.ts'
import type { Awaitable } from '../../core/types.ts'
import { quoted, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** The id of a user that does not exist, in a form that columns of UUIDs accept. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** Whether the adapter has the table of second factors. */
export function storesFactors(
  adapter: Adapter,
): adapter is Adapter & Pick<FactorStore, 'listFactors'> {
  return typeof adapter.listFactors === 'function'
}

/** Whether the adapter has the table of passwords. */
export function storesPasswords(
  adapter: Adapter,
): adapter is Adapter & Pick<PasswordStore, 'getPassword'> {
  return typeof adapter.getPassword === 'function'
}

async function* checkTable(
  { quote }: DoctorContext,
  table: 'factors' | 'passwords',
  read: () => Awaitable<unknown>,
): AsyncGenerator<Finding> {
  const timeoutError = (message: string) => new Error(message)
  const { warning } = topic(table)
  try {
    await withTimeout(read(), { what: 'The database', timeout: TIMEOUTS.adapter, timeoutError })
  } catch (cause) {
    const reason = quote(cause)
    // The message of the adapter for Kysely names the command itself.
    yield reason.includes('npx lib-auth')
      ? quoted('warning', table, `the table cannot be read. ${reason}`)
      : warning`the table cannot be read: ${reason} → If it is missing, create it: npx lib-auth migrate --with ${table}, or print it for Drizzle or Prisma: npx lib-auth schema --with ${table}`
  }
}

/** Reads one row of each table that the adapter uses. */
export async function* checkCredentials(
  context: DoctorContext,
  adapter: Adapter,
): AsyncGenerator<Finding> {
  if (storesFactors(adapter))
    yield* checkTable(context, 'factors', () => adapter.listFactors(UNKNOWN))
  if (storesPasswords(adapter))
    yield* checkTable(context, 'passwords', () => adapter.getPassword(UNKNOWN))
}
