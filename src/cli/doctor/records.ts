/** Whether the store of records can be read, and keeps them until they expire. */
import type { Adapter, RecordStore } from '../../core/database/adapter.ts'
import { storesRecords } from '../../core/config/adapter.ts'
import { evictionPolicy } from '../../core/symbols.ts'
import { TIMEOUTS, withTimeout } from '../../core/async/timeout.ts'
import type { Awaitable } from '../../core/types.ts'
import { quoted, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** A record that does not exist. */
const UNKNOWN = 'doctor:unknown'

async function callStore<T>(work: Awaitable<T>): Promise<T> {
  const timeoutError = (message: string) => new Error(message)
  return withTimeout(work, { what: 'The store', timeout: TIMEOUTS.adapter, timeoutError })
}

async function readPolicy(store: object): Promise<unknown> {
  const { [evictionPolicy]: read } = store as { [evictionPolicy]?: () => Awaitable<unknown> }
  return read ? callStore(read.call(store)) : null
}

/** Reads one record; nothing without a store. */
export async function checkRecords(
  { config, quote }: DoctorContext,
  adapter?: Adapter,
): Promise<readonly Finding[]> {
  const store: Partial<RecordStore> | undefined = config.store ?? adapter
  if (!store || !storesRecords({ adapter: store })) return []
  const { warning } = topic('records')
  try {
    await callStore(store.readRecords?.([UNKNOWN]))
    const policy = await readPolicy(store)
    if (typeof policy !== 'string' || policy === 'noeviction') return []
    return [
      warning`maxmemory-policy of Redis is ${policy}: when its memory is full, it deletes rows before they expire, so that limits start over and a passkey response can be used again. → Run: redis-cli config set maxmemory-policy noeviction`,
    ]
  } catch (cause) {
    const reason = quote(cause)
    // The message of the adapter for Kysely names the command itself.
    if (reason.includes('npx lib-auth'))
      return [quoted('warning', 'records', `the store cannot be read. ${reason}`)]
    return [
      warning`the store cannot be read: ${reason} → If the table is missing, create it: npx lib-auth migrate --with records, or print it for Drizzle or Prisma: npx lib-auth schema --with records`,
    ]
  }
}
