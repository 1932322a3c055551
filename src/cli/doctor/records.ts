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

/** A store that can report when it deletes records before they expire. */
interface Store extends Partial<RecordStore> {
  [evictionPolicy]?: () => Awaitable<unknown>
}

/** Reads one record; nothing without a store. */
export async function* checkRecords(
  { config, quote }: DoctorContext,
  adapter?: Adapter,
): AsyncGenerator<Finding> {
  const store: Store | undefined = config.store ?? adapter
  if (!store || !storesRecords({ adapter: store })) return
  const { warning } = topic('records')
  try {
    await callStore(store.readRecords?.([UNKNOWN]))
    const policy = await callStore(store[evictionPolicy]?.())
    if (typeof policy === 'string' && policy !== 'noeviction')
      yield warning`maxmemory-policy of Redis is ${policy}: when its memory is full, it deletes rows before they expire, so that limits start over and a passkey response can be used again. → Run: redis-cli config set maxmemory-policy noeviction`
  } catch (cause) {
    const reason = quote(cause)
    // The message of the adapter for Kysely names the command itself.
    yield reason.includes('npx lib-auth')
      ? quoted('warning', 'records', `the store cannot be read. ${reason}`)
      : warning`the store cannot be read: ${reason} → If the table is missing, create it: npx lib-auth migrate --with records, or print it for Drizzle or Prisma: npx lib-auth schema --with records`
  }
}
