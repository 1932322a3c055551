/**
 * States that any process has used, for the audit log: a replayed response is reported as one. Records are not needed to
 * prevent a replay, because the cookie is deleted and the provider accepts a code once; so an outage is not an error.
 */
import type { Context } from '../contracts.ts'
import { TIMEOUTS, unavailable, withTimeout } from '../async/timeout.ts'

/** Milliseconds; longer than the lifetime of a transaction. */
const USED_FOR: number = 15 * 60_000

const keyOf = (hash: string) => `state:${hash}`

async function ask(
  ctx: Context,
  run: (records: NonNullable<Context['config']['records']>) => Promise<boolean>,
): Promise<boolean> {
  const { records, audit, log } = ctx.config
  if (!records || !audit) return false
  const work = async () => (await records.adapter()) !== null && run(records)
  try {
    return await withTimeout(work(), {
      what: 'The record store',
      timeout: TIMEOUTS.limit,
      timers: 10,
      timeoutError: unavailable,
    })
  } catch (error) {
    log.debug?.('replay not checked', { reason: error instanceof Error ? error.message : '' })
    return false
  }
}

/** Marks a state as used in all processes, and returns whether one of them has used it before. */
export function useState(ctx: Context, hash: string): Promise<boolean> {
  const expires = new Date(Date.now() + USED_FOR)
  const record = { key: keyOf(hash), value: '', owner: null, expires }
  return ask(ctx, async (records) => !(await records.write(ctx, record, null)))
}

export function wasStateUsed(ctx: Context, hash: string): Promise<boolean> {
  return ask(ctx, async (records) => (await records.read(ctx, [keyOf(hash)])).size > 0)
}
