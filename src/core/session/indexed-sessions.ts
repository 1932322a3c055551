/** Sessions that are listed, and limited in number: a session strategy around another one. */
import { chain } from '../async/awaitable.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { AdapterError, SessionUnavailable } from '../errors/classes.ts'
import type { IndexedSession } from '../records/session-index.ts'
import { beginIndexed } from './begin-indexed.ts'
import { clearAll } from './cookies.ts'
import { newestFirst, warnNotListed } from './index-entry.ts'
import type { IndexSettings } from './index-entry.ts'
import { sightings } from './seen-sessions.ts'
import type { ListedSession } from './session-info.ts'

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
  const { index, maxPerUser } = settings
  const see = sightings(inner, settings)

  async function forget(ctx: SessionContext, sids: readonly string[]): Promise<void> {
    try {
      if (sids.length > 0) await index.delete(ctx, sids)
    } catch (error) {
      warnNotListed(ctx, error)
    }
  }

  return {
    ...inner,
    read: (ctx) => chain(inner.read(ctx), (session) => see(ctx, session)),
    readSubject: async (ctx) => see(ctx, await inner.readSubject(ctx)),
    readAssured: async (ctx) => see(ctx, await inner.readAssured(ctx)),

    async create(ctx, facts, confirm) {
      const replaced = await inner.subject(ctx).catch(() => null)
      const identity = await inner.create(ctx, facts, confirm)
      const subject = identity === '' ? null : await inner.subject(ctx)
      if (!subject?.id) return identity
      try {
        await beginIndexed(ctx, inner, settings, { subject, headers: facts.headers })
      } catch (cause) {
        if (maxPerUser === undefined) {
          warnNotListed(ctx, cause)
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
        warnNotListed(ctx, error)
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
        warnNotListed(ctx, error)
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
