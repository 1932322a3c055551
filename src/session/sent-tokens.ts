import type { SessionContext } from '../contracts.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import type { Database } from '../database/database.ts'
import { timestamp } from '../timestamp.ts'
import {
  discardSession,
  findByHash,
  findByToken,
  hasExpired,
  HASH_PREFIX,
} from './stored-session.ts'
import type { StoredSession } from './stored-session.ts'

export type TokenStorage = 'token' | 'hash'

export interface SentToken {
  readonly token: string
  readonly cookie: SessionCookie
}

export interface FoundSession extends SentToken, StoredSession {}

/** Longer values are not tokens and are not looked up. */
export const MAX_TOKEN_LENGTH = 1024
/** Limit of lookups for a browser that sends many cookies of the same name. */
const MAX_TOKENS = 5

/** The tokens that the browser sent, in order of precedence. */
export function* sentTokens({
  jar,
  cookies,
}: Pick<SessionContext, 'jar' | 'cookies'>): Generator<SentToken> {
  const seen = new Set<string>()
  for (const cookie of cookies.sessionTokens)
    for (const token of jar.getAll(cookie.name)) {
      const isToken = token.length <= MAX_TOKEN_LENGTH && !token.startsWith(HASH_PREFIX)
      if (!isToken || seen.has(token)) continue
      if (seen.size === MAX_TOKENS) return
      seen.add(token)
      yield { token, cookie }
    }
}

/** Finds the session of the first valid token. Deletes expired ones. */
export async function findSession(
  ctx: SessionContext,
  { database, stored: storage }: { readonly database: Database; readonly stored: TokenStorage },
): Promise<FoundSession | null> {
  const find = storage === 'hash' ? findByHash : findByToken
  for (const { token, cookie } of sentTokens(ctx)) {
    const found = await find(ctx, database, token)
    if (found && !hasExpired(found)) {
      // Copied by name: a spread takes as long as the rest of a session read.
      const { session, user, stored } = found
      return { session, user, stored, token, cookie }
    }
    ctx.config.log.debug?.('session rejected', {
      name: cookie.name,
      reason: found ? `expired at ${timestamp(found.session.expires)}` : 'not in the database',
    })
    if (found) await discardSession(ctx, database, token)
  }
  return null
}
