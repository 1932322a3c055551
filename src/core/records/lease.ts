/** A lock across processes, which ends by itself if its holder does. */
import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from './access.ts'

/** Milliseconds: longer than the work that it protects. */
const DURATION = 15_000

export interface Lease {
  /** In milliseconds since the epoch. */
  readonly expires: number
  release(): Promise<void>
}

/** `null` if another process holds it. @throws AdapterError */
export async function acquireLease(
  ctx: CallContext,
  records: RecordAccess,
  name: string,
): Promise<Lease | null> {
  const key = `lease:${name}`
  const value = crypto.randomUUID()
  const expires = Date.now() + DURATION
  const record = { key, value, owner: null, expires: new Date(expires) }
  if (!(await records.write(ctx, record, null))) return null
  return {
    expires,
    async release() {
      // Only if it is still ours: a late holder must not end the lease of the next one.
      const ended = { ...record, expires: new Date(0) }
      await records.write(ctx, ended, value)
    },
  }
}
