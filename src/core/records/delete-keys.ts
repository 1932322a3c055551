import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from './access.ts'

/** Keys in one call, which has five seconds. */
const MAX_KEYS = 1000

/** Deletes any number of records. @throws AdapterError */
export async function deleteKeys(
  ctx: CallContext,
  records: RecordAccess,
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < keys.length; at += MAX_KEYS)
    await records.delete(ctx, { keys: keys.slice(at, at + MAX_KEYS) })
}
