import type { StoredFactor } from './factor-store.ts'
import { readBoolean, readCounter, readDate, readId } from './read-column.ts'
import { rejectCall } from './reject-call.ts'

/** Validates a factor. One that cannot be read is an error: without it, its user could sign in with one factor. */
export function readFactor(row: StoredFactor | null, method: string): StoredFactor | null {
  if (row === null) return null
  const reject = (field: string) => rejectCall(method, `returned a factor without a valid ${field}`)
  const { type, secret } = row
  if (type !== 'totp' && type !== 'recovery') reject('type')
  if (typeof secret !== 'string' || secret === '') reject('secret')
  return {
    id: readId(row.id) ?? reject('id'),
    userId: readId(row.userId) ?? reject('userId'),
    type,
    secret,
    name: row.name ?? null,
    lastStep:
      (row.lastStep ?? null) === null ? null : (readCounter(row.lastStep) ?? reject('lastStep')),
    confirmed: readBoolean(row.confirmed) ?? reject('confirmed'),
    created: readDate(row.created) ?? reject('created'),
  }
}
