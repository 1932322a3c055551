/** Session tokens as the database has them, and the session that a browser has a token of. */
import type { AdapterSession } from '../adapters/index.ts'
import { chain, isPromise } from '../awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import type { SessionCookie } from '../cookies/names.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/rows.ts'
import { AdapterError } from '../errors/session.ts'
import { timestamp } from '../timestamp.ts'
import type { Awaitable } from '../types.ts'

/** What is stored of a token: the token, or its hash. */
export type TokenStorage = 'token' | 'hash'

/** A token that the browser has. */
export interface HeldToken {
  readonly token: string
  readonly cookie: SessionCookie
}

/** The session that it finds. */
export interface FoundSession extends HeldToken, SessionRow {
  /** As the database has the token. */
  readonly stored: string
}

/** A session, and how the database has its token. */
type Stored = SessionRow & Pick<FoundSession, 'stored'>

/** Finds sessions by the tokens of browsers. */
export interface StoredTokens {
  /** The tokens that the browser has, best first. */
  held(ctx: SessionContext): readonly HeldToken[]
  /** What a new session is stored with. */
  stored(token: string): Awaitable<string>
  /** Everything that the session of a token may be stored with. */
  forms(token: string): Promise<readonly string[]>
  /** The session of the browser, if there is one that is not over. */
  find(ctx: SessionContext): Promise<FoundSession | null>
  /** Deletes the session of a token. Nobody waits for long, and nobody is refused for it. */
  discard(ctx: SessionContext, token: string): Promise<void>
}

/** In front of hashes: what is read in the database is told from a token, and is none. */
const HASHED = 'sha256:'
/** Longer values are no tokens, and not worth a question to the database. */
export const MAX_TOKEN_LENGTH = 1024
/** Cookies of the same name that are looked at: a browser with more of them asks too much of the database. */
const MAX_TOKENS = 5
/** Milliseconds for what a read cleans up on the way. */
const CLEAN_UP_LIMIT = 1_000

function mayBeToken(value: string): boolean {
  return value.length <= MAX_TOKEN_LENGTH && !value.startsWith(HASHED)
}

/** The best token of the browser but for those; the others are not looked for, because the first is mostly enough. */
function bestBut(
  before: readonly HeldToken[],
  { jar, cookies }: SessionContext,
): HeldToken | undefined {
  if (before.length === MAX_TOKENS) return undefined
  for (const cookie of cookies.sessionTokens)
    for (const token of jar.getAll(cookie.name))
      if (mayBeToken(token) && !before.some((each) => each.token === token))
        return { token, cookie }
  return undefined
}

function foundAs(row: SessionRow | null, stored: string): Stored | null {
  return row && { session: row.session, user: row.user, stored }
}

function isOver({ session }: SessionRow): boolean {
  return session.expires.getTime() <= Date.now()
}

/** The row without what the database itself has named it by. */
function withoutId(session: AdapterSession & { readonly id?: unknown }): AdapterSession {
  const { id: _id, ...rest } = session
  return rest
}

/** Tokens that are stored as they are, or as hashes. */
export function storedTokens(database: Database, storage: TokenStorage): StoredTokens {
  const isHashed = storage === 'hash'

  function hash(token: string): Awaitable<string> {
    return chain(sha256(token, 'hex'), (digest) => HASHED + digest)
  }

  function stored(token: string): Awaitable<string> {
    return isHashed ? hash(token) : token
  }

  async function forms(token: string): Promise<readonly string[]> {
    return isHashed ? [await hash(token), token] : [token]
  }

  function held(ctx: SessionContext): readonly HeldToken[] {
    const all: HeldToken[] = []
    for (let each = bestBut(all, ctx); each; each = bestBut(all, ctx)) all.push(each)
    return all
  }

  async function discard(ctx: SessionContext, token: string): Promise<void> {
    try {
      for (const form of await forms(token))
        if (await database.deleteSession(ctx, form, CLEAN_UP_LIMIT)) return
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn(
        'session-left-behind',
        'An expired or replaced session could not be deleted from the database.',
      )
    }
  }

  /** Stores a session from before tokens were hashed once more; where that fails it is good as it is. */
  async function adopt(
    ctx: SessionContext,
    row: SessionRow,
    { token, sessionToken }: { readonly token: string; readonly sessionToken: string },
  ): Promise<boolean> {
    try {
      await database.createSession(ctx, { ...withoutId(row.session), sessionToken })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      // Either another request was faster, or nothing can be written right now.
      if (!(await database.session(ctx, sessionToken))) return false
    }
    try {
      await database.deleteSession(ctx, token, CLEAN_UP_LIMIT)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn(
        'session-not-hashed',
        'A session token could not be replaced by its hash in the database.',
      )
    }
    return true
  }

  /** The session that a token finds by its hash, or did before tokens were hashed; over or not. */
  async function lookForHash(ctx: SessionContext, token: string): Promise<Stored | null> {
    const form = hash(token)
    const sessionToken = isPromise(form) ? await form : form
    const row = await database.session(ctx, sessionToken)
    if (row) return foundAs(row, sessionToken)
    const old = await database.session(ctx, token)
    if (old && (isOver(old) || !(await adopt(ctx, old, { token, sessionToken }))))
      return foundAs(old, token)
    // Also where there is none: another request may have stored it anew since the first look.
    return foundAs(await database.session(ctx, sessionToken), sessionToken)
  }

  async function find(ctx: SessionContext): Promise<FoundSession | null> {
    const asked: HeldToken[] = []
    for (let each = bestBut(asked, ctx); each; each = bestBut(asked, ctx)) {
      asked.push(each)
      const { token, cookie } = each
      const found = isHashed
        ? await lookForHash(ctx, token)
        : foundAs(await database.session(ctx, token), token)
      if (found && !isOver(found)) {
        const { session, user, stored: form } = found
        return { session, user, stored: form, token, cookie }
      }
      ctx.config.log.debug?.('session rejected', {
        name: cookie.name,
        reason: found ? `expired at ${timestamp(found.session.expires)}` : 'not in the database',
      })
      if (found) await discard(ctx, token)
    }
    return null
  }

  return { held, stored, forms, find, discard }
}
