/** Sessions that are listed, and limited in number: a session strategy around another one. */
import { chain } from '../async/awaitable.ts'
import { setBounded } from '../async/cache.ts'
import type { SessionContext, SessionStrategy, SignInFacts, Subject } from '../contracts.ts'
import type { ListedSession } from './session-info.ts'
import { AdapterError, SessionUnavailable } from '../errors/classes.ts'
import type { IndexedSession, SessionIndex } from '../records/session-index.ts'
import type { Awaitable } from '../types.ts'
import { clearAll } from './cookies.ts'
import { describeDevice } from './device.ts'

export interface IndexSettings {
  readonly index: SessionIndex
  /** Whether user agent and address are stored. */
  readonly describes: boolean
  /** @default no limit */
  readonly maxPerUser: number | undefined
  /** Seconds. */
  readonly maxAge: number
  /** Called for each session that ended because the user has too many. */
  readonly onLimited: (
    ctx: SessionContext,
    ended: { readonly userId: string; readonly sid: string; readonly headers: Headers },
  ) => Promise<void>
}

/** Milliseconds after which the record of a session in use is written again. */
const SEEN_EVERY = 15 * 60 * 1000
/** After a failure. */
const RETRY_EVERY = 60 * 1000
/** Milliseconds that a request waits for it. */
const MAX_WAIT = 1_000
const MAX_SEEN = 10_000
/** Milliseconds after which a sign-in has written its entry, or has failed. */
const SETTLED_AFTER = 5 * 60 * 1000

type Ranked = Pick<IndexedSession, 'sid' | 'order'>

/** Newest first; the ids decide between those that began together, so that all processes agree. */
function newestFirst(one: Ranked, other: Ranked): number {
  return other.order - one.order || (other.sid < one.sid ? -1 : 1)
}

function toListed(
  { sid, startedAt, lastSeenAt, via, userAgent, address }: IndexedSession,
  expires: Date,
): ListedSession {
  return {
    sid,
    startedAt: startedAt === null ? null : new Date(startedAt),
    lastSeenAt: new Date(lastSeenAt),
    expires,
    via,
    device: userAgent === null && address === null ? null : { userAgent, address },
  }
}

export function indexedSessions(inner: SessionStrategy, settings: IndexSettings): SessionStrategy {
  const { index, describes, maxPerUser, maxAge, onLimited } = settings
  /** When the record of a session was written by this process, by its identity. */
  const seen = new Map<string, number>()

  function warn({ config }: SessionContext, error: unknown): void {
    if (!(error instanceof AdapterError)) throw error
    config.log.warn(
      'session-not-listed',
      'The record of a session could not be written or deleted: lists of sessions are not up to date.',
    )
  }

  async function entryFor(subject: Subject, order: number): Promise<IndexedSession> {
    const facts = subject.facts()
    return {
      sid: await subject.sid(),
      userId: subject.id,
      startedAt: facts?.startedAt ?? subject.since?.getTime() ?? null,
      order,
      lastSeenAt: Date.now(),
      via: facts?.via ?? null,
      userAgent: null,
      address: null,
      expires: new Date(Date.now() + (facts?.idle ?? maxAge) * 1000),
    }
  }

  async function see(ctx: SessionContext): Promise<void> {
    const subject = await inner.subject(ctx)
    if (!subject?.id) return
    const entry = await entryFor(subject, 0)
    const known = await index.find(ctx, subject.id, entry.sid)
    if (known && Date.now() - known.lastSeenAt < SEEN_EVERY) return
    const { lastSeenAt, expires } = entry
    const order = entry.startedAt ?? lastSeenAt
    const seenNow = known ? { ...known, lastSeenAt, expires } : { ...entry, order }
    // Not if the session ended meanwhile.
    await index.write(ctx, seenNow, known?.value ?? null)
  }

  /** Writes that the session was seen, at most every 15 minutes; a session from before the option is added. */
  function seeWhenDue<T>(ctx: SessionContext, result: T): Awaitable<T> {
    if (result === null) return result
    return chain(inner.identify(ctx), (identity) => {
      const now = Date.now()
      const next = seen.get(identity) ?? 0
      if (identity === '' || (now < next && next - now <= SEEN_EVERY)) return result
      const wait = (time: number) => void setBounded(seen, [identity, now + time], MAX_SEEN)
      wait(SEEN_EVERY)
      const deadline = Math.min(ctx.deadline, performance.now() + MAX_WAIT)
      return see({ ...ctx, deadline }).then(
        () => result,
        (error: unknown) => {
          wait(RETRY_EVERY)
          // The session was read.
          if (!(error instanceof SessionUnavailable)) warn(ctx, error)
          return result
        },
      )
    })
  }

  /** Rows without an entry, as of a session from before the option; `list` knows of no others. */
  async function unindexed(
    ctx: SessionContext,
    userId: string,
    known: readonly IndexedSession[],
  ): Promise<readonly Ranked[]> {
    if (!inner.isListed) return []
    // A sign-in of another process may not have written its entry yet, without which its rank is unknown.
    const before = Date.now() - SETTLED_AFTER
    const sids = new Set(known.map(({ sid }) => sid))
    const rows = await inner.list(ctx, userId)
    return rows.flatMap(({ sid, startedAt }) =>
      sids.has(sid) || startedAt === null || startedAt.getTime() > before
        ? []
        : [{ sid, order: startedAt.getTime() }],
    )
  }

  async function limit(
    ctx: SessionContext,
    own: IndexedSession,
    facts: SignInFacts,
  ): Promise<void> {
    const { userId } = own
    const others = (await index.list(ctx, userId)).filter(({ sid }) => sid !== own.sid)
    const known = [own, ...others]
    const ranked: Ranked[] = [...known, ...(await unindexed(ctx, userId, known))]
    for (const { sid } of ranked.sort(newestFirst).slice(maxPerUser)) {
      if (await inner.endOne(ctx, userId, sid))
        await onLimited(ctx, { userId, sid, headers: facts.headers })
      await index.delete(ctx, [sid])
    }
  }

  /** Writes the record of a session that has begun. */
  async function begin(ctx: SessionContext, subject: Subject, facts: SignInFacts): Promise<void> {
    const entry = await entryFor(subject, Date.now())
    const device = describes ? describeDevice(facts.headers, ctx.config) : {}
    if (maxPerUser === undefined) return index.write(ctx, { ...entry, ...device })
    const orders = (await index.list(ctx, subject.id)).map(({ order }) => order)
    // After all others, also if the clock of this process is behind: else the new session would be the oldest.
    const order = Math.max(entry.order, ...orders.map((each) => each + 1))
    const own = { ...entry, ...device, order }
    await index.write(ctx, own)
    await limit(ctx, own, facts)
  }

  async function forget(ctx: SessionContext, sids: readonly string[]): Promise<void> {
    try {
      if (sids.length > 0) await index.delete(ctx, sids)
    } catch (error) {
      warn(ctx, error)
    }
  }

  return {
    ...inner,
    read: (ctx) => chain(inner.read(ctx), (session) => seeWhenDue(ctx, session)),
    readSubject: async (ctx) => seeWhenDue(ctx, await inner.readSubject(ctx)),

    async create(ctx, facts, confirm) {
      const replaced = await inner.subject(ctx).catch(() => null)
      const identity = await inner.create(ctx, facts, confirm)
      const subject = identity === '' ? null : await inner.subject(ctx)
      if (!subject?.id) return identity
      try {
        await begin(ctx, subject, facts)
      } catch (cause) {
        if (maxPerUser === undefined) {
          warn(ctx, cause)
          return identity
        }
        // Without a count, there is no limit. Its cookie is not sent.
        await inner.endOne(ctx, subject.id, await subject.sid()).catch(() => false)
        clearAll(ctx)
        if (!(cause instanceof AdapterError)) throw cause
        throw new SessionUnavailable(
          'The sessions of the user cannot be counted, which session.maxPerUser needs.',
          { cause },
        )
      }
      if (replaced) await forget(ctx, [await replaced.sid()])
      return identity
    },

    async destroy(ctx) {
      const subject = await inner.subject(ctx).catch(() => null)
      const id = await inner.destroy(ctx)
      if (subject) await forget(ctx, [await subject.sid()])
      return id
    },

    async endOne(ctx, userId, sid) {
      const isEnded = await inner.endOne(ctx, userId, sid)
      let entry: IndexedSession | null = null
      try {
        entry = await index.find(ctx, userId, sid)
        if (entry) await index.delete(ctx, [sid])
      } catch (error) {
        warn(ctx, error)
      }
      // Without an entry, a session in a cookie is not known to be one of this user.
      return isEnded && (inner.isListed || entry !== null)
    },

    async endAll(ctx, userId, options) {
      const { spare, startedBefore } = options
      const current = spare === 'current' ? await inner.subject(ctx) : null
      const kept = typeof spare === 'string' ? [await current?.sid()] : spare
      const isSupported = await inner.endAll(ctx, userId, options)
      try {
        const ended = (await index.list(ctx, userId)).filter(
          ({ sid, startedAt }) =>
            !kept.includes(sid) &&
            !(startedBefore && startedAt !== null && startedAt >= startedBefore.getTime()),
        )
        await forget(
          ctx,
          ended.map(({ sid }) => sid),
        )
      } catch (error) {
        warn(ctx, error)
      }
      return isSupported
    },

    async list(ctx, userId) {
      const indexed = [...(await index.list(ctx, userId))].sort(newestFirst)
      if (!inner.isListed) return indexed.map((entry) => toListed(entry, entry.expires))
      const known = new Map(indexed.map((each) => [each.sid, each]))
      // The rows decide which sessions there are.
      return (await inner.list(ctx, userId)).map((row) => {
        const entry = known.get(row.sid)
        return entry ? toListed(entry, row.expires) : row
      })
    },

    isListed: true,
  }
}
