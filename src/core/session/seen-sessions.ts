/** When sessions were last seen, in their entries. */
import { chain } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { SessionUnavailable } from '../errors/classes.ts'
import type { Awaitable } from '../types.ts'
import { entryFor, warnNotListed } from './index-entry.ts'
import { idleTimeoutOf } from './kept-for.ts'
import type { IndexSettings } from './index-entry.ts'

/** Milliseconds after which the record of a session in use is written again; a tenth of a shorter idle timeout. */
const SEEN_EVERY = 15 * 60 * 1000
/** After a failure. */
const RETRY_EVERY = 60 * 1000
/** Milliseconds that a request waits for it. */
const MAX_WAIT = 1_000
const MAX_SEEN = 10_000

/** Returns the milliseconds after which it is due again. */
async function see(
  ctx: SessionContext,
  inner: SessionStrategy,
  { index }: IndexSettings,
): Promise<number> {
  const subject = await inner.subject(ctx)
  if (!subject?.id) return SEEN_EVERY
  const entry = await entryFor(ctx, subject, 0)
  const { lastSeenAt, expires } = entry
  const every = Math.min(SEEN_EVERY, idleTimeoutOf(ctx, subject) * 100)
  const known = await index.find(ctx, subject.id, entry.sid)
  if (known && lastSeenAt - known.lastSeenAt < every) return every
  const order = entry.startedAt ?? lastSeenAt
  const seenNow = known ? { ...known, lastSeenAt, expires } : { ...entry, order }
  // Not if the session ended meanwhile.
  await index.write(ctx, seenNow, known?.value ?? null)
  return every
}

/**
 * Writes that a session was seen when it is read, at most every 15 minutes; a session from before the option is added.
 * Returns the result of the read.
 */
export function sightings(
  inner: SessionStrategy,
  settings: IndexSettings,
): <T>(ctx: SessionContext, result: T) => Awaitable<T> {
  /** When the process writes the entry of a session next, by the identity of the session. */
  const due = new Map<string, number>()
  return (ctx, result) => {
    if (result === null) return result
    return chain(inner.identify(ctx), (identity) => {
      const now = Date.now()
      const next = due.get(identity) ?? 0
      if (identity === '' || (now < next && next - now <= SEEN_EVERY)) return result
      const wait = (time: number) => void setBounded(due, [identity, now + time], MAX_SEEN)
      wait(SEEN_EVERY)
      const deadline = Math.min(ctx.deadline, performance.now() + MAX_WAIT)
      return see({ ...ctx, deadline }, inner, settings).then(
        (every) => {
          wait(every)
          return result
        },
        (error: unknown) => {
          wait(RETRY_EVERY)
          // The session was read.
          if (!(error instanceof SessionUnavailable)) warnNotListed(ctx, error)
          return result
        },
      )
    })
  }
}
