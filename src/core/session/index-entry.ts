/** What is stored of a session, to list it. */
import type { SessionContext, Subject } from '../contracts.ts'
import { AdapterError } from '../errors/classes.ts'
import type { IndexedSession, SessionIndex } from '../records/session-index.ts'
import { expiresAfterUse } from './kept-for.ts'

export interface IndexSettings {
  readonly index: SessionIndex
  /** Whether user agent and address are stored. */
  readonly describes: boolean
  /** @default no limit */
  readonly maxPerUser: number | undefined
  /** Called for each session that ended because the user has too many. */
  readonly onLimited: (
    ctx: SessionContext,
    ended: { readonly userId: string; readonly sid: string; readonly headers: Headers },
  ) => Promise<void>
}

/** What identifies the entry of a session, and orders it among those of its user. */
export type Ranked = Pick<IndexedSession, 'sid' | 'order'>

/** Newest first; the ids decide between those that began together, so that all processes agree. */
export function newestFirst(one: Ranked, other: Ranked): number {
  return other.order - one.order || (other.sid < one.sid ? -1 : 1)
}

export async function entryFor(
  ctx: SessionContext,
  subject: Subject,
  order: number,
): Promise<IndexedSession> {
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
    expires: expiresAfterUse(ctx, subject),
  }
}

/** For an entry that the session does not need. Throws other errors again. */
export function warnNotListed({ config }: SessionContext, error: unknown): void {
  if (!(error instanceof AdapterError)) throw error
  config.log.warn(
    'session-not-listed',
    'The record of a session could not be written or deleted: lists of sessions are not up to date.',
  )
}
