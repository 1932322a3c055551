import type { AdapterSession } from '../database/adapter.ts'
import type { SessionContext, SessionStrategy, Subject } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/methods.ts'
import { lazily } from '../async/cache.ts'
import { TIMEOUTS } from '../async/timeout.ts'
import {
  AdapterError,
  InvalidConfiguration,
  MissingAdapterMethods,
  SessionUnavailable,
  SignOutError,
} from '../errors/classes.ts'
import { emit } from '../hooks.ts'
import type { Session } from '../types.ts'
import { clearAll, clearRead, renewedCookie, setSessionCookie } from './cookies.ts'
import { readAppendedFacts } from './facts.ts'
import type { SessionFacts } from './facts.ts'
import { nextExpiry, sessionTerms } from './terms.ts'
import type { LifetimeSettings } from './terms.ts'
import { sessionId } from '../crypto/session-id.ts'
import { expose } from './expose.ts'
import { newToken } from './new-token.ts'
import type { TokenSettings } from './new-token.ts'
import {
  discardSession,
  findSession,
  removeSession,
  sentTokens,
  storedForms,
} from './stored-session.ts'
import type { FoundSession } from './stored-session.ts'

export interface DatabaseSessionSettings extends LifetimeSettings, TokenSettings {
  readonly database: Database
}

interface SessionUpdate {
  readonly trigger?: 'update'
  readonly newSession?: unknown
}

const SIGN_OUT_ATTEMPTS = 3

const endings = lazily(() => import('./end-stored.ts'))

function defaultSession({ session, user }: SessionRow): Session {
  const { name, email, image } = user
  return { user: { name, email, image }, expires: session.expires.toISOString() }
}

/** Wraps a failed lookup: a failure must not sign the user out. */
function lookupError(cause: unknown): unknown {
  // Configuration errors of a lazily loaded adapter are reported as such.
  const isKnown = cause instanceof InvalidConfiguration || cause instanceof MissingAdapterMethods
  return isKnown
    ? cause
    : new SessionUnavailable('Session lookup failed: the adapter reported an error.', { cause })
}

function allSentTokens({ jar, config }: SessionContext): readonly string[] {
  return Array.from(sentTokens({ jar, cookies: config.cookies.both }), ({ token }) => token)
}

/** Extends a session (sliding expiration). If that fails, the session stays valid until its current expiry. */
async function extend(
  ctx: SessionContext,
  found: FoundSession,
  settings: DatabaseSessionSettings,
): Promise<FoundSession> {
  const { session, token, stored, cookie } = found
  const { idle, end, updateAge, keep } = sessionTerms(readAppendedFacts(token), settings)
  const current = session.expires.getTime()
  const next = idle === null ? current : nextExpiry({ end }, idle)
  const isOld = idle !== null && current - (idle - updateAge) * 1000 <= Date.now()
  const isDue = isOld && (next < end || current < end)
  const renewed = renewedCookie(ctx, cookie)
  if (!isDue && cookie === renewed) return found
  const expires = isDue ? new Date(next) : session.expires
  try {
    if (isDue) await settings.database.call(ctx, 'updateSession', { sessionToken: stored, expires })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.warn(
      'session-not-extended',
      'The expiry of a session could not be extended; the session stays valid until its current expiry.',
    )
    return found
  }
  if (isDue) await ctx.config.logout?.extend(ctx, () => sessionId(token))
  ctx.config.log.debug?.('session extended', { expires: expires.toISOString() })
  setSessionCookie(ctx, renewed, { value: token, expires: keep ? expires : null })
  return { ...found, session: { ...session, expires } }
}

interface NewSession {
  readonly userId: string
  readonly proofId: string | undefined
  readonly facts: SessionFacts | undefined
}

async function createRow(
  ctx: SessionContext,
  settings: DatabaseSessionSettings,
  { userId, proofId, facts }: NewSession,
) {
  const { database, maxAge } = settings
  const { token, sessionToken } = await newToken(ctx, settings, { proofId, facts })
  const terms = sessionTerms(facts ?? null, settings)
  const expires = new Date(nextExpiry(terms, terms.idle ?? maxAge))
  const row = await database.call(ctx, 'createSession', { sessionToken, userId, expires })
  // An adapter may replace the proposed token.
  const isKept = row.sessionToken === sessionToken
  return { value: isKept ? token : row.sessionToken, expires: terms.keep ? row.expires : null }
}

/** Deletes a session under all stored forms of its token; a lost response must not leave the user signed in. */
async function endSession(
  ctx: SessionContext,
  database: Database,
  { token, until }: { readonly token: string; readonly until: number },
): Promise<AdapterSession | null> {
  const end = async (stored: string): Promise<AdapterSession | null> => {
    for (let left = SIGN_OUT_ATTEMPTS; ; left--)
      try {
        return await removeSession(ctx, database, { stored, timeout: until - performance.now() })
      } catch (cause) {
        if (left > 1 && cause instanceof AdapterError && performance.now() < until) continue
        throw new SignOutError('The session could not be deleted and remains valid.', { cause })
      }
  }
  let ended: AdapterSession | null = null
  for (const stored of await storedForms(token)) ended = (await end(stored)) ?? ended
  return ended
}

interface ReadSession {
  readonly session: Session
  readonly found: FoundSession
}

async function readStoredSession(
  ctx: SessionContext,
  settings: DatabaseSessionSettings,
  update: SessionUpdate,
): Promise<ReadSession | null> {
  let found: FoundSession | null
  try {
    found = await findSession(ctx, settings)
  } catch (cause) {
    throw lookupError(cause)
  }
  const { callbacks, log } = ctx.config
  if (!found) {
    if (log.debug && [...sentTokens(ctx)].length === 0) log.debug('no session cookie')
    clearRead(ctx)
    return null
  }
  log.debug?.('session read', { name: found.cookie.name })
  const current = await extend(ctx, found, settings)
  const {
    token: value,
    cookie,
    session: { expires },
  } = current
  // Frameworks render pages again only if the response sets a cookie.
  if (update.trigger) {
    const { keep = true } = readAppendedFacts(value) ?? {}
    setSessionCookie(ctx, renewedCookie(ctx, cookie), { value, expires: keep ? expires : null })
  }
  const { session: row, user } = current
  const exposed = defaultSession(current)
  const session = callbacks.session
    ? await expose(ctx, { session: { ...row, user }, user, ...update }, exposed)
    : exposed
  if (!session) return null
  await emit(ctx, 'session', { session })
  return { session, found: current }
}

function toSubject({ token, user }: FoundSession): Subject {
  const { id, email } = user
  return {
    id,
    sid: () => sessionId(token),
    facts: () => readAppendedFacts(token),
    since: null,
    wasVerified: null,
    isStored: true,
    isUser: false,
    label: email || user.name || null,
    user,
  }
}

export function databaseSessions(settings: DatabaseSessionSettings): SessionStrategy {
  const { database } = settings

  return {
    isRevocable: true,
    read: async (ctx) => (await readStoredSession(ctx, settings, {}))?.session ?? null,

    async readSubject(ctx) {
      const reading = await readStoredSession(ctx, settings, {})
      return reading && toSubject(reading.found)
    },

    async readAssured(ctx) {
      const reading = await readStoredSession(ctx, settings, {})
      return reading && { session: reading.session, subject: toSubject(reading.found) }
    },

    async update(ctx, data) {
      const update = { trigger: 'update', newSession: data } as const
      return (await readStoredSession(ctx, settings, update))?.session ?? null
    },

    async create(ctx, { user, proofId, session: facts }, confirm) {
      const before = allSentTokens(ctx)
      const { id } = user
      if (id === undefined) throw new AdapterError('The adapter returned a user without an id.')
      const issued = await createRow(ctx, settings, { userId: id, proofId, facts })
      try {
        await confirm(() => sessionId(issued.value))
      } catch (error) {
        await discardSession(ctx, database, issued.value)
        throw error
      }
      for (const token of before) await discardSession(ctx, database, token)
      setSessionCookie(ctx, ctx.cookies.sessionToken, issued)
      clearAll(ctx, ctx.cookies.sessionToken)
      return issued.value
    },

    async destroy(ctx) {
      const until = performance.now() + TIMEOUTS.adapter
      let userId: string | null = null
      for (const token of allSentTokens(ctx)) {
        const session = await endSession(ctx, database, { token, until })
        ctx.config.log.debug?.('session deleted')
        userId ??= session?.userId ?? null
        await emit(ctx, 'signOut', { session })
      }
      clearAll(ctx)
      return userId
    },

    async subject(ctx) {
      const found = await findSession(ctx, settings)
      return found && toSubject(found)
    },

    isListed: true,
    list: async (ctx, userId) => (await endings()).listStored(ctx, database, userId),

    endOne: async (ctx, userId, sid) => (await endings()).endStored(ctx, database, { userId, sid }),

    async endAll(ctx, userId, { spare, ...options }) {
      const current = spare === 'current' ? await findSession(ctx, settings) : null
      const own = current ? [await sessionId(current.token)] : []
      const sids = typeof spare === 'string' ? own : spare
      return (await endings()).endAllStored(ctx, database, { ...options, userId, spare: sids })
    },

    async identify(ctx) {
      const [first] = sentTokens(ctx)
      return first?.token ?? ''
    },
  }
}
