import { readId } from './read-column.ts'
import { rejectCall } from './reject-call.ts'

/** Drops rows of other users. Rejects a missing list: treating it as empty could hide accounts from an eviction. */
export function readRows<T extends { readonly userId: string }>(
  rows: T[] | null,
  method: string,
  [userId]: [string],
): T[] {
  const list = Array.isArray(rows) ? rows : rejectCall(method, 'did not return an array')
  return list.filter((row) => readId(row.userId) === userId)
}
