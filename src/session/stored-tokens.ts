import type { AdapterSession } from '../adapters/index.ts'
import { chain, isPromise } from '../awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import type { SessionCookie } from '../cookies/names.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/rows.ts'
import { LIMITS } from '../deadline.ts'
import { AdapterError } from '../errors/session.ts'
import { timestamp } from '../timestamp.ts'
import type { Awaitable } from '../types.ts'

export type TokenStorage = 'token' | 'hash'

export interface HeldToken {
  readonly token: string
  readonly cookie: SessionCookie
}

export interface FoundSession extends HeldToken, SessionRow {
  /** The token in its stored form. */
  readonly stored: string
}

type Stored = SessionRow & Pick<FoundSession, 'stored'>

export interface StoredTokens {
  /** Returns the tokens of the browser in order of precedence. */
  held(ctx: SessionContext): readonly HeldToken[]
  stored(token: string): Awaitable<string>
  /** Returns all forms in which the token may be stored. */
  forms(token: string): Promise<readonly string[]>
  find(ctx: SessionContext): Promise<FoundSession | null>
  /** Deletes the session with this form of a token; returns the row if the adapter does. `limit` in milliseconds. */
  remove(ctx: SessionContext, form: string, limit?: number): Promise<AdapterSession | null>
  /** Deletes the session of a token; best effort within a short time limit. */
  discard(ctx: SessionContext, token: string): Promise<void>
}

/** Prefix of stored hashes. Cookies with it are rejected, so that a stored hash is not a valid token. */
const HASHED = 'sha256:'
/** Longer values are not tokens and are not looked up. */
export const MAX_TOKEN_LENGTH = 1024
/** Limit of lookups for a browser that sends many cookies of the same name. */
const MAX_TOKENS = 5
/** Timeout in milliseconds for best-effort deletes during a read. */
const CLEAN_UP_LIMIT = 1_000

function mayBeToken(value: string): boolean {
  return value.length <= MAX_TOKEN_LENGTH && !value.startsWith(HASHED)
}

/** Returns the next token of the browser. Evaluated lazily, because the first one is usually valid. */
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

/** Removes the primary key of the row, which must not be copied to a new one. */
function withoutId(session: AdapterSession & { readonly id?: unknown }): AdapterSession {
  const { id: _id, ...rest } = session
  return rest
}

/** A plain token and the hash that replaces it. */
interface Adoption {
  readonly token: string
  readonly sessionToken: string
}

/** Stores tokens in plain text or hashed; also finds sessions that a process with the other setting has stored. */
export function storedTokens(database: Database, storage: TokenStorage): StoredTokens {
  const isHashed = storage === 'hash'

  function hash(token: string): Awaitable<string> {
    return chain(sha256(token, 'hex'), (digest) => HASHED + digest)
  }

  function stored(token: string): Awaitable<string> {
    return isHashed ? hash(token) : token
  }

  /** Plain token first: a concurrent migration then detects that the token is gone, and deletes the hash. */
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
    limit: number = LIMITS.adapter,
  ): Promise<AdapterSession | null> {
    const deadline = Math.min(ctx.deadline, Date.now() + limit)
    try {
      return await database.call({ ...ctx, deadline }, 'deleteSession', form)
    } catch (error) {
      // Some adapters throw if the row does not exist.
      const isGone = await database.call(ctx, 'getSessionAndUser', form).then(
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

  /** Best-effort removal of a plain token; the session continues under its hash. */
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
   * Whether the plain token still exists. Deletes the hash if a sign-out or an eviction deleted the token meanwhile.
   */
  async function isKept(ctx: SessionContext, { token, sessionToken }: Adoption): Promise<boolean> {
    let isFound = false
    try {
      isFound = (await database.call(ctx, 'getSessionAndUser', token)) !== null
    } finally {
      if (!isFound) await remove(ctx, sessionToken)
    }
    return isFound
  }

  /** Migrates a session with a plain token to its hash. */
  async function adopt(ctx: SessionContext, row: SessionRow, adoption: Adoption): Promise<void> {
    const { token, sessionToken } = adoption
    try {
      await database.call(ctx, 'createSession', { ...withoutId(row.session), sessionToken })
    } catch (error) {
      if (
        !(error instanceof AdapterError) ||
        !(await database.call(ctx, 'getSessionAndUser', sessionToken))
      )
        throw error
      // A concurrent request deletes the token, or the response was lost. Expired here instead of deleted, because the
      // other request would mistake a deletion for a sign-out.
      await retire(ctx, () =>
        database.call(ctx, 'updateSession', { sessionToken: token, expires: new Date() }),
      )
      return
    }
    if (await isKept(ctx, adoption)) await retire(ctx, () => remove(ctx, token, CLEAN_UP_LIMIT))
  }

  /** Finds a session by the hash of its token, or by a plain token, which it migrates; may return an expired one. */
  async function lookForHash(ctx: SessionContext, token: string): Promise<Stored | null> {
    const form = hash(token)
    const sessionToken = isPromise(form) ? await form : form
    const row = await database.call(ctx, 'getSessionAndUser', sessionToken)
    if (row) return foundAs(row, sessionToken)
    const old = await database.call(ctx, 'getSessionAndUser', token)
    if (old && isOver(old)) return foundAs(old, token)
    try {
      if (old) await adopt(ctx, old, { token, sessionToken })
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      // The database accepts no writes: the plain token stays valid.
      return foundAs(await database.call(ctx, 'getSessionAndUser', token), token)
    }
    // Also if no plain token was found: another request may have migrated the session since the first lookup.
    return foundAs(await database.call(ctx, 'getSessionAndUser', sessionToken), sessionToken)
  }

  /** Finds a session by its plain token, or by the hash that a process with `hashTokens` has stored. */
  async function lookForToken(ctx: SessionContext, token: string): Promise<Stored | null> {
    const row = await database.call(ctx, 'getSessionAndUser', token)
    if (row && !isOver(row)) return foundAs(row, token)
    const sessionToken = await hash(token)
    const hashed = await database.call(ctx, 'getSessionAndUser', sessionToken)
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
