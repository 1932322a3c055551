import type { AdapterSession, AdapterUser } from '../adapters/index.ts'
import type { SessionCallbackCall } from '../config/callbacks.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { writeChunked } from '../cookies/chunk.ts'
import type { SessionCookie } from '../cookies/names.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/rows.ts'
import { LIMITS } from '../deadline.ts'
import { InvalidConfiguration, MissingAdapterMethods } from '../errors/configuration.ts'
import { AdapterError, SessionUnavailable, SignOutError } from '../errors/session.ts'
import { CallbackRouteError } from '../errors/sign-in.ts'
import { emit } from '../hooks.ts'
import { timestamp } from '../timestamp.ts'
import type { Session, Untyped } from '../types.ts'
import { clearAll, clearFormer, clearRead, renewedCookie } from './cookies.ts'
import { expose } from './expose.ts'
import { MAX_TOKEN_LENGTH, storedTokens } from './stored-tokens.ts'
import type { FoundSession, TokenStorage } from './stored-tokens.ts'

export interface DatabaseSessionSettings {
  readonly database: Database
  /** Idle timeout in seconds. */
  readonly maxAge: number
  /** Seconds after which a session is extended. */
  readonly updateAge: number
  readonly generateSessionToken: () => string
  readonly stored: TokenStorage
}

interface Update {
  readonly trigger?: 'update'
  readonly newSession?: Untyped
}

const SIGN_OUT_ATTEMPTS = 3

function paramsOf({ session, user }: SessionRow, update: Update): SessionCallbackCall {
  return { session: { ...session, user }, user, ...update }
}

function defaultSession({ session, user }: SessionRow): Session {
  const { name, email, image } = user
  return { user: { name, email, image }, expires: timestamp(session.expires) }
}

/** Wraps a failed lookup: a failure must not sign the user out. */
function unreadable(cause: unknown): unknown {
  // Configuration errors of a lazily loaded adapter are reported as such.
  const isKnown = cause instanceof InvalidConfiguration || cause instanceof MissingAdapterMethods
  return isKnown
    ? cause
    : new SessionUnavailable('Session lookup failed: the adapter reported an error.', { cause })
}

function withAllCookies(ctx: SessionContext): SessionContext {
  return { ...ctx, cookies: ctx.config.cookies.both }
}

export function databaseSessions(settings: DatabaseSessionSettings): SessionStrategy {
  const { database, maxAge, updateAge, generateSessionToken } = settings
  const tokens = storedTokens(database, settings.stored)

  function expiry(): Date {
    return new Date(Date.now() + maxAge * 1000)
  }

  function setCookie(
    ctx: SessionContext,
    cookie: SessionCookie,
    { token, expires }: { readonly token: string; readonly expires: Date },
  ): void {
    const { name, options } = cookie
    const value = { value: token, contents: {} }
    writeChunked(ctx.jar, { name, options: { ...options, expires } }, value)
    clearFormer(ctx, cookie)
  }

  /** Extends a session (sliding expiration). If that fails, the session stays valid until its current expiry. */
  async function extend(ctx: SessionContext, found: FoundSession): Promise<FoundSession> {
    const { session, token, stored, cookie } = found
    const isDue = session.expires.getTime() - (maxAge - updateAge) * 1000 <= Date.now()
    const renewed = renewedCookie(ctx, cookie)
    if (!isDue && cookie === renewed) return found
    const expires = isDue ? expiry() : session.expires
    try {
      if (isDue) await database.call(ctx, 'updateSession', { sessionToken: stored, expires })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn(
        'session-not-extended',
        'The expiry of a session could not be extended; the session stays valid until its current expiry.',
      )
      return found
    }
    ctx.config.log.debug?.('session extended', { expires: timestamp(expires) })
    setCookie(ctx, renewed, { token, expires })
    return { ...found, session: { ...session, expires } }
  }

  async function refresh(ctx: SessionContext, update: Update): Promise<Session | null> {
    let found: FoundSession | null
    try {
      found = await tokens.find(ctx)
    } catch (cause) {
      throw unreadable(cause)
    }
    const { log } = ctx.config
    if (!found) {
      if (log.debug && tokens.held(ctx).length === 0) log.debug('no session cookie')
      clearRead(ctx)
      return null
    }
    log.debug?.('session read', { name: found.cookie.name })
    const current = await extend(ctx, found)
    // Frameworks render pages again only if the response sets a cookie.
    if (update.trigger)
      setCookie(ctx, renewedCookie(ctx, current.cookie), {
        token: current.token,
        expires: current.session.expires,
      })
    const { callbacks, events } = ctx.config
    const shown = defaultSession(current)
    const session = callbacks.session ? await expose(ctx, paramsOf(current, update), shown) : shown
    if (events.session && session) await emit(ctx, 'session', { session })
    return session
  }

  async function createRow(ctx: SessionContext, user: Pick<AdapterUser, 'id'>) {
    const token = generateSessionToken()
    if (typeof token !== 'string' || !token || token.length > MAX_TOKEN_LENGTH)
      throw new CallbackRouteError(
        `session.generateSessionToken did not return a string of 1 to ${MAX_TOKEN_LENGTH} characters.`,
      )
    const sessionToken = await tokens.stored(token)
    const row = { sessionToken, userId: user.id, expires: expiry() }
    const session = await database.call(ctx, 'createSession', row)
    // An adapter may replace the proposed token.
    return { token: session.sessionToken === sessionToken ? token : session.sessionToken, session }
  }

  async function end(
    ctx: SessionContext,
    form: string,
    until: number,
  ): Promise<AdapterSession | null> {
    for (let left = SIGN_OUT_ATTEMPTS; ; left--)
      try {
        return await tokens.remove(ctx, form, until - Date.now())
      } catch (cause) {
        if (left > 1 && cause instanceof AdapterError && Date.now() < until) continue
        throw new SignOutError('The session could not be deleted and remains valid.', { cause })
      }
  }

  /** Deletes a session under all stored forms of its token; a lost response must not leave the user signed in. */
  async function endAll(
    ctx: SessionContext,
    token: string,
    until: number,
  ): Promise<AdapterSession | null> {
    let ended: AdapterSession | null = null
    for (const form of await tokens.forms(token)) ended = (await end(ctx, form, until)) ?? ended
    return ended
  }

  return {
    read: (ctx) => refresh(ctx, {}),

    update: (ctx, data) => refresh(ctx, { trigger: 'update', newSession: data }),

    async create(ctx, { user }, confirm) {
      const before = tokens.held(withAllCookies(ctx))
      const { id } = user
      if (id === undefined) throw new AdapterError('The adapter returned a user without an id.')
      const { token, session } = await createRow(ctx, { id })
      try {
        await confirm()
      } catch (error) {
        await tokens.discard(ctx, token)
        throw error
      }
      for (const old of before) await tokens.discard(ctx, old.token)
      const { sessionToken } = ctx.cookies
      setCookie(ctx, sessionToken, { token, expires: session.expires })
      clearAll(ctx, sessionToken)
      return token
    },

    async destroy(ctx) {
      const { log } = ctx.config
      const until = Date.now() + LIMITS.adapter
      for (const { token } of tokens.held(withAllCookies(ctx))) {
        const session = await endAll(ctx, token, until)
        log.debug?.('session deleted')
        await emit(ctx, 'signOut', { session })
      }
      clearAll(ctx)
    },

    async subject(ctx) {
      const { user } = (await tokens.find(ctx)) ?? {}
      return user ? { id: user.id, since: null, wasVerified: null } : null
    },

    async endAll(ctx, userId, spare) {
      if (spare === 'current' && (await database.has('listSessions'))) {
        const current = (await tokens.find(ctx))?.stored
        for (const { sessionToken } of await database.call(ctx, 'listSessions', userId))
          if (sessionToken !== current) await database.call(ctx, 'deleteSession', sessionToken)
        return true
      }
      if (!(await database.has('deleteUserSessions'))) return false
      await database.call(ctx, 'deleteUserSessions', userId)
      return true
    },

    identify: async (ctx) => tokens.held(ctx)[0]?.token ?? '',
  }
}
