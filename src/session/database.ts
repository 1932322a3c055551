import type { AdapterSession, AdapterUser } from '../adapters/index.ts'
import type { SessionCallbackCall } from '../config/callbacks.ts'
import type { SessionContext, SessionStrategy } from '../contracts.ts'
import { deleteChunked, writeChunked } from '../cookies/chunk.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/rows.ts'
import { CallbackRouteError } from '../errors/sign-in.ts'
import { AdapterError, SessionUnavailable, SignOutError } from '../errors/session.ts'
import { emit } from '../log/emit.ts'
import type { Awaitable, CookieOption, Session, Untyped } from '../types.ts'
import { expose } from './expose.ts'

/** What the strategy needs to know. */
export interface DatabaseSessionSettings {
  readonly database: Database
  /** Seconds a session lasts without being used. */
  readonly maxAge: number
  /** Seconds after which a session that is used is extended. */
  readonly updateAge: number
  readonly generateSessionToken: () => string
  /** What is stored of a token: the token, or its hash. */
  readonly stored: 'token' | 'hash'
}

/** What the browser wants to change, if anything. */
interface Update {
  readonly trigger?: 'update'
  readonly newSession?: Untyped
}

interface Held {
  /** As the browser has it. */
  readonly token: string
  readonly cookie: CookieOption
}

interface Found extends SessionRow, Held {}

/** Longer values are no tokens, and not worth a question to the database. */
const MAX_TOKEN_LENGTH = 1024
/** Milliseconds for what a read cleans up on the way. */
const CLEAN_UP_LIMIT = 1_000
const SIGN_OUT_ATTEMPTS = 3

/** What the `session` callback is told, and by default what the browser sees. */
function paramsOf({ session, user }: SessionRow, update: Update): SessionCallbackCall {
  const expires = session.expires.toISOString()
  return { session: { ...session, expires, user }, user, ...update }
}

function defaultSession({ session, user }: SessionRow): Session {
  const { name, email, image } = user
  return { user: { name, email, image }, expires: session.expires.toISOString() }
}

/** Sessions that live in the database; the browser has a random token that finds them. */
export function databaseSessions(settings: DatabaseSessionSettings): SessionStrategy {
  const { database, maxAge, updateAge, generateSessionToken } = settings

  function storedToken(token: string): Awaitable<string> {
    return settings.stored === 'hash' ? sha256(token, 'hex') : token
  }

  function expiry(): Date {
    return new Date(Date.now() + maxAge * 1000)
  }

  /** The tokens that the browser holds, best first. */
  function tokens({ jar, cookies }: SessionContext): readonly Held[] {
    const held: Held[] = []
    for (const cookie of cookies.sessionTokens)
      if (jar.mentions(cookie.name))
        for (const token of jar.getAll(cookie.name))
          if (token.length <= MAX_TOKEN_LENGTH) held.push({ token, cookie })
    return held
  }

  function clear({ jar, cookies }: SessionContext): void {
    for (const cookie of cookies.sessionTokens) deleteChunked(jar, cookie)
  }

  function setCookie(ctx: SessionContext, token: string, expires: Date): void {
    const { name, options } = ctx.cookies.sessionToken
    const value = { value: token, contents: {} }
    writeChunked(ctx.jar, { name, options: { ...options, expires } }, value)
    for (const cookie of ctx.cookies.sessionTokens)
      if (cookie.name !== name) deleteChunked(ctx.jar, cookie)
  }

  /** Deletes a session that is over. Nobody waits for long, and nobody is refused for it. */
  async function discard(ctx: SessionContext, stored: string): Promise<void> {
    try {
      await database.deleteSession(ctx, stored, CLEAN_UP_LIMIT)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn('session-left-behind', 'A session that is over could not be deleted.')
    }
  }

  /** A session from before tokens were hashed: it is stored anew, and can be found from now on. */
  async function adopt(ctx: SessionContext, token: string): Promise<SessionRow | null> {
    const row = settings.stored === 'hash' ? await database.session(ctx, token) : null
    if (!row) return null
    const sessionToken = await storedToken(token)
    const session = await database.createSession(ctx, { ...row.session, sessionToken })
    await discard(ctx, token)
    return { ...row, session }
  }

  async function find(ctx: SessionContext): Promise<Found | null> {
    for (const { token, cookie } of tokens(ctx)) {
      const stored = await storedToken(token)
      const row = (await database.session(ctx, stored)) ?? (await adopt(ctx, token))
      if (row && row.session.expires.getTime() > Date.now()) {
        const { session, user } = row
        return { session, user, token, cookie }
      }
      if (row) await discard(ctx, stored)
    }
    return null
  }

  async function findForRead(ctx: SessionContext): Promise<Found | null> {
    try {
      return await find(ctx)
    } catch (cause) {
      // Not knowing is never "signed out".
      throw new SessionUnavailable('The database did not say who is signed in.', { cause })
    }
  }

  /** Moves the end of a session that is used; what cannot be moved is good until it was over anyway. */
  async function extend(ctx: SessionContext, found: Found): Promise<Found> {
    const { session, token, cookie } = found
    const isDue = session.expires.getTime() - (maxAge - updateAge) * 1000 <= Date.now()
    if (!isDue && cookie === ctx.cookies.sessionToken) return found
    const expires = isDue ? expiry() : session.expires
    try {
      if (isDue)
        await database.extendSession(ctx, { sessionToken: await storedToken(token), expires })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn('session-not-extended', 'The session is used as it is.')
      return found
    }
    setCookie(ctx, token, expires)
    return { ...found, session: { ...session, expires } }
  }

  async function refresh(ctx: SessionContext, update: Update): Promise<Session | null> {
    const found = await findForRead(ctx)
    if (!found) {
      clear(ctx)
      return null
    }
    const current = await extend(ctx, found)
    const { callbacks, events, log } = ctx.config
    const session = callbacks.session
      ? await expose(ctx, paramsOf(current, update))
      : defaultSession(current)
    if (events.session) await emit(log, 'session', () => events.session?.({ session }), session)
    return session
  }

  async function createRow(ctx: SessionContext, user: Pick<AdapterUser, 'id'>) {
    const token = generateSessionToken()
    if (typeof token !== 'string' || !token || token.length > MAX_TOKEN_LENGTH)
      throw new CallbackRouteError(
        `session.generateSessionToken has to return 1 to ${MAX_TOKEN_LENGTH} characters.`,
      )
    const sessionToken = await storedToken(token)
    const row = { sessionToken, userId: user.id, expires: expiry() }
    const session = await database.createSession(ctx, row)
    // An adapter may choose another token than ours, which then is what finds the session.
    return { token: session.sessionToken === sessionToken ? token : session.sessionToken, session }
  }

  /** Ends a session for good: somebody who signs out must not stay signed in because of one lost answer. */
  async function end(ctx: SessionContext, stored: string): Promise<AdapterSession | null> {
    for (let left = SIGN_OUT_ATTEMPTS; ; left--)
      try {
        return await database.deleteSession(ctx, stored)
      } catch (cause) {
        if (left > 1 && cause instanceof AdapterError && Date.now() < ctx.deadline) continue
        throw new SignOutError('The session could not be deleted, so it goes on.', { cause })
      }
  }

  return {
    read: (ctx) => refresh(ctx, {}),

    update: (ctx, data) => refresh(ctx, { trigger: 'update', newSession: data }),

    async create(ctx, { user }) {
      const before = tokens(ctx)
      const { id } = user
      if (id === undefined) throw new AdapterError('There is a user without an id.')
      const { token, session } = await createRow(ctx, { id })
      for (const old of before) await discard(ctx, await storedToken(old.token))
      setCookie(ctx, token, session.expires)
      return token
    },

    async destroy(ctx) {
      const { events, log } = ctx.config
      for (const { token } of tokens(ctx)) {
        const session = await end(ctx, await storedToken(token))
        if (events.signOut) await emit(log, 'signOut', () => events.signOut?.({ session }), session)
      }
      clear(ctx)
    },

    subject: async (ctx) => (await find(ctx))?.user.id ?? null,

    identify: async (ctx) => tokens(ctx)[0]?.token ?? '',
  }
}
