/** Lists and ends sessions, for their user and for the application. */
import { forEachAtOnce } from '../async/for-each.ts'
import { answer } from '../call-result.ts'
import { logError } from '../log/logger.ts'
import type { Answer } from '../call-result.ts'
import { describeValue } from '../config/describe-value.ts'
import { resolve } from '../config/resolve.ts'
import type { AuthConfig } from '../config/types.ts'
import { backgroundContext } from '../context.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import type { ListedSession } from './session-info.ts'
import { InvalidConfiguration, InvalidRequest, MissingAdapterMethods } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { forgetBrowsers } from '../limits/known-browser.ts'
import { deleteRecordsOfUser } from '../tokens/delete-records.ts'
import { reportAllRevoked, reportEnded, reportRevoked } from '../tokens/report-revoked.ts'
import type { EndOfSessions } from '../tokens/report-revoked.ts'
import { expiresAfterUse } from './kept-for.ts'
import type { SessionInfo, SessionPage, SessionPageOptions } from './session-info.ts'

/** The user of a request, and their session. */
export interface SessionOwner {
  readonly ctx: SessionContext
  readonly subject: Subject
  readonly sid: string
  readonly headers: ReadRequest['headers']
}

const PAGE_SIZE = 100
const MAX_SID_LENGTH = 128
const MAX_SPARED = 50

function toInfo(session: ListedSession, current: string | null): SessionInfo {
  return { ...session, isCurrent: session.sid === current }
}

function isSid(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SID_LENGTH
}

/** @throws InvalidRequest */
function pageOf(
  sessions: readonly ListedSession[],
  current: string | null,
  { cursor }: SessionPageOptions,
): SessionPage {
  if (cursor !== undefined && !isSid(cursor))
    throw new InvalidRequest(
      `The cursor of a list of sessions is not the nextCursor of another page (got ${describeValue(cursor)}).`,
    )
  // After a session that has ended meanwhile, the list begins again: none is left out.
  const start = cursor === undefined ? 0 : sessions.findIndex(({ sid }) => sid === cursor) + 1
  const page = sessions.slice(start, start + PAGE_SIZE)
  const isLast = start + PAGE_SIZE >= sessions.length
  return {
    sessions: page.map((session) => toInfo(session, current)),
    nextCursor: isLast ? null : (page.at(-1)?.sid ?? null),
  }
}

/** `null`: signed out. */
export async function manage<T>(
  caller: ReadRequest,
  config: AuthConfig,
  access: 'reads' | 'changes',
  work: (owner: SessionOwner) => Promise<T>,
): Promise<Answer<T | null>> {
  return answer({ caller, config, access }, async (ctx) => {
    const subject = await ctx.config.session.readSubject(ctx)
    // A session without a user has no others.
    return subject?.id
      ? work({ ctx, subject, sid: await subject.sid(), headers: caller.headers })
      : null
  })
}

/** As it is read now: a new session may not be in the list yet, if the store of it was down. */
function withCurrent({ ctx, sid, subject }: SessionOwner, listed: readonly ListedSession[]) {
  if (listed.some((each) => each.sid === sid)) return listed
  const facts = subject.facts()
  const startedAt = facts ? new Date(facts.startedAt) : subject.since
  const expires = expiresAfterUse(ctx, subject)
  const own = { sid, startedAt, lastSeenAt: null, expires, via: facts?.via ?? null, device: null }
  return [own, ...listed]
}

export function listOwn(
  caller: ReadRequest,
  config: AuthConfig,
  options: SessionPageOptions,
): Promise<Answer<SessionPage | null>> {
  return manage(caller, config, 'reads', async (owner) => {
    const { ctx, subject, sid } = owner
    const listed = await ctx.config.session.list(ctx, subject.id)
    return pageOf(withCurrent(owner, listed), sid, options)
  })
}

/** Ends a session that is listed: others are not known to be sessions of the user. */
export async function endListed(
  ctx: SessionContext,
  sid: unknown,
  end: EndOfSessions,
): Promise<boolean> {
  const { session } = ctx.config
  const { userId } = end
  if (!isSid(sid)) return false
  if (!(await session.list(ctx, userId)).some((each) => each.sid === sid)) return false
  if (!(await session.endOne(ctx, userId, sid))) return false
  await reportRevoked(ctx, { ...end, sid })
  return true
}

/** Of sessions that were to end, reports those that a call which has failed then has ended: a repeated one does not find them. */
async function reportGone(
  ctx: SessionContext,
  ending: readonly ListedSession[],
  end: EndOfSessions,
): Promise<void> {
  const left = await ctx.config.session.list(ctx, end.userId).catch(() => ending)
  const stay = new Set(left.map(({ sid }) => sid))
  const gone = ending.filter(({ sid }) => !stay.has(sid))
  await forEachAtOnce(gone, ({ sid }) => reportRevoked(ctx, { ...end, sid }))
}

/** Ends the sessions of a user but for some; returns how many of them were listed. */
export async function endOthers(
  ctx: SessionContext,
  spare: readonly string[],
  end: EndOfSessions,
): Promise<number | null> {
  const { session } = ctx.config
  const { userId } = end
  const listed = session.isListed ? await session.list(ctx, userId) : null
  const ending = listed?.filter(({ sid }) => !spare.includes(sid)) ?? []
  const isSupported = await session.endAll(ctx, userId, { spare }).catch(async (error: unknown) => {
    if (ending.length > 0) await reportGone(ctx, ending, end)
    throw error
  })
  if (!isSupported)
    throw session.isRevocable
      ? new MissingAdapterMethods(
          'The adapter has neither listSessions nor deleteUserSessions, one of which ending all sessions of a user needs.',
        )
      : new InvalidConfiguration(
          'Sessions in cookies do not end before they expire. Set session.revocation to {}, and store to where records are stored.',
        )
  await forgetBrowsers(ctx, userId)
  await deleteRecordsOfUser(ctx, userId, spare)
  if (!listed) {
    await reportAllRevoked(ctx, end)
    return null
  }
  await forEachAtOnce(ending, ({ sid }) => reportEnded(ctx, { ...end, sid }))
  return ending.length
}

async function govern<T>(
  config: AuthConfig,
  userId: unknown,
  work: (ctx: SessionContext, end: EndOfSessions) => Promise<T>,
): Promise<T> {
  try {
    if (typeof userId !== 'string' || userId === '')
      throw new InvalidConfiguration(
        `The id of the user is not a text (got ${describeValue(userId)}).`,
      )
    const end = { userId, reason: 'application', headers: new Headers() } as const
    return await work(backgroundContext(resolve(config)), end)
  } catch (error) {
    throw logError(error, config)
  }
}

export function listOf(
  config: AuthConfig,
  userId: string,
  options: SessionPageOptions,
): Promise<SessionPage> {
  return govern(config, userId, async (ctx) =>
    pageOf(await ctx.config.session.list(ctx, userId), null, options),
  )
}

export function revokeOf(config: AuthConfig, userId: string, sid: string): Promise<boolean> {
  return govern(config, userId, (ctx, end) => endListed(ctx, sid, end))
}

interface EndAll {
  /** Of sessions that stay. */
  readonly except: unknown
  /** Id of the user who acts for the application. */
  readonly actor?: string | undefined
}

export function revokeAllOf(
  config: AuthConfig,
  userId: string,
  { except, actor }: EndAll,
): Promise<number | null> {
  return govern(config, userId, async (ctx, end) => {
    const spare: unknown[] = Array.isArray(except) ? except : [except]
    if (spare.length > MAX_SPARED || !spare.every(isSid))
      throw new InvalidConfiguration(
        `The option except of revokeAll is not a list of at most ${MAX_SPARED} session ids (got ${describeValue(except)}).`,
      )
    return endOthers(ctx, spare, { ...end, actor })
  })
}
