/** When sessions were last seen, in their entries. */
import { chain } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { SessionUnavailable } from '../errors/classes.ts'
import type { Awaitable } from '../types.ts'
import { entryFor, warnNotListed } from './index-entry.ts'
import type { IndexSettings } from './index-entry.ts'

/** Milliseconds after which the record of a session in use is written again. */
const SEEN_EVERY = 15 * 60 * 1000
/** After a failure. */
const RETRY_EVERY = 60 * 1000
/** Milliseconds that a request waits for it. */
const MAX_WAIT = 1_000
const MAX_SEEN = 10_000

async function see(
  ctx: SessionContext,
  inner: SessionStrategy,
  { index, maxAge }: IndexSettings,
): Promise<void> {
  const subject = await inner.subject(ctx)
  if (!subject?.id) return
  const entry = await entryFor(subject, { order: 0, maxAge })
  const known = await index.find(ctx, subject.id, entry.sid)
  if (known && Date.now() - known.lastSeenAt < SEEN_EVERY) return
  const { lastSeenAt, expires } = entry
  const order = entry.startedAt ?? lastSeenAt
  const seenNow = known ? { ...known, lastSeenAt, expires } : { ...entry, order }
  // Not if the session ended meanwhile.
  await index.write(ctx, seenNow, known?.value ?? null)
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
        () => result,
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
