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
  /** Deletes the session with this form of a token, if it is there; returns what it was, if the adapter says. */
  remove(ctx: SessionContext, form: string, limit?: number): Promise<AdapterSession | null>
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

/** A token, and its hash, under which the session is stored from now on. */
interface Adoption {
  readonly token: string
  readonly sessionToken: string
}

/** Tokens that are stored as they are, or as hashes; what another process has stored in the other way is found, too. */
export function storedTokens(database: Database, storage: TokenStorage): StoredTokens {
  const isHashed = storage === 'hash'

  function hash(token: string): Awaitable<string> {
    return chain(sha256(token, 'hex'), (digest) => HASHED + digest)
  }

  function stored(token: string): Awaitable<string> {
    return isHashed ? hash(token) : token
  }

  /** The token first: what stores its hash meanwhile finds that the token is gone, and takes the hash back. */
  async function forms(token: string): Promise<readonly string[]> {
    return [token, await hash(token)]
  }

  function held(ctx: SessionContext): readonly HeldToken[] {
    const all: HeldToken[] = []
    for (let each = bestBut(all, ctx); each; each = bestBut(all, ctx)) all.push(each)
    return all
  }

  async function remove(
    ctx: SessionContext,
    form: string,
    limit?: number,
  ): Promise<AdapterSession | null> {
    try {
      return await database.deleteSession(ctx, form, limit)
    } catch (error) {
      // Some adapters throw when there is nothing to delete.
      const isGone = await database.session(ctx, form).then(
        (row) => row === null,
        () => false,
      )
      if (isGone) return null
      throw error
    }
  }

  async function discard(ctx: SessionContext, token: string): Promise<void> {
    try {
      for (const form of await forms(token)) if (await remove(ctx, form, CLEAN_UP_LIMIT)) return
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn(
        'session-left-behind',
        'An expired or replaced session could not be deleted from the database.',
      )
    }
  }

  /** Makes a token useless in the database; the session goes on under its hash. */
  async function retire(ctx: SessionContext, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.warn(
        'session-not-hashed',
        'A session token could not be replaced by its hash in the database.',
      )
    }
  }

  /**
   * Whether the session still exists under its token. A sign-out or an eviction may have deleted it before its hash was
   * stored, and then the hash is deleted again.
   */
  async function isKept(ctx: SessionContext, { token, sessionToken }: Adoption): Promise<boolean> {
    let isFound = false
    try {
      isFound = (await database.session(ctx, token)) !== null
    } finally {
      if (!isFound) await remove(ctx, sessionToken)
    }
    return isFound
  }

  /** Stores a session from before tokens were hashed once more, under the hash. */
  async function adopt(ctx: SessionContext, row: SessionRow, adoption: Adoption): Promise<void> {
    const { token, sessionToken } = adoption
    try {
      await database.createSession(ctx, { ...withoutId(row.session), sessionToken })
    } catch (error) {
      if (!(error instanceof AdapterError) || !(await database.session(ctx, sessionToken)))
        throw error
      // Another request was faster, and deletes the token; or the answer got lost. If the token were deleted here, the
      // other request would take it for a sign-out.
      await retire(ctx, () =>
        database.extendSession(ctx, { sessionToken: token, expires: new Date() }),
      )
      return
    }
    if (await isKept(ctx, adoption)) await retire(ctx, () => remove(ctx, token, CLEAN_UP_LIMIT))
  }

  /** The session that a token finds by its hash, or did before tokens were hashed; over or not. */
  async function lookForHash(ctx: SessionContext, token: string): Promise<Stored | null> {
    const form = hash(token)
    const sessionToken = isPromise(form) ? await form : form
    const row = await database.session(ctx, sessionToken)
    if (row) return foundAs(row, sessionToken)
    const old = await database.session(ctx, token)
    if (old && isOver(old)) return foundAs(old, token)
    try {
      if (old) await adopt(ctx, old, { token, sessionToken })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      // Nothing can be written right now: the session is good as it is.
      return foundAs(await database.session(ctx, token), token)
    }
    // Also where there is none: another request may have stored it anew since the first look.
    return foundAs(await database.session(ctx, sessionToken), sessionToken)
  }

  /** The session that a token finds as it is, or by the hash that a process with `hashTokens` has stored. */
  async function lookForToken(ctx: SessionContext, token: string): Promise<Stored | null> {
    const row = await database.session(ctx, token)
    if (row && !isOver(row)) return foundAs(row, token)
    const sessionToken = await hash(token)
    const hashed = await database.session(ctx, sessionToken)
    return hashed ? foundAs(hashed, sessionToken) : foundAs(row, token)
  }

  async function find(ctx: SessionContext): Promise<FoundSession | null> {
    const asked: HeldToken[] = []
    for (let each = bestBut(asked, ctx); each; each = bestBut(asked, ctx)) {
      asked.push(each)
      const { token, cookie } = each
      const found = await (isHashed ? lookForHash : lookForToken)(ctx, token)
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

  return { held, stored, forms, find, remove, discard }
}
