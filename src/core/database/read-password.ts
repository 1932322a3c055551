import type { StoredPassword } from './password-store.ts'
import { readDate, readId } from './read-column.ts'
import { rejectCall } from './reject-call.ts'

/** Validates a password. */
export function readPassword(row: StoredPassword | null, method: string): StoredPassword | null {
  if (row === null) return null
  const { hash } = row
  const reject = (field: string) =>
    rejectCall(method, `returned a password without a valid ${field}`)
  if (typeof hash !== 'string' || hash === '') reject('hash')
  return {
    userId: readId(row.userId) ?? reject('userId'),
    hash,
    changed: readDate(row.changed) ?? reject('changed'),
  }
}
