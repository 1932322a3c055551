/** Sessions in the database by their token, which is stored in plain text or hashed. */
import type { AdapterSession } from '../database/adapter.ts'
import type { SessionContext } from '../contracts.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import { sha256 } from '../crypto/digest.ts'
import { HASH_PREFIX } from '../crypto/session-id.ts'
import type { Database } from '../database/database.ts'
import type { SessionRow } from '../database/methods.ts'
import { TIMEOUTS } from '../async/timeout.ts'
import { AdapterError } from '../errors/classes.ts'
import { readAppendedFacts } from './facts.ts'
import { sessionTerms } from './terms.ts'
import type { LifetimeSettings } from './terms.ts'

interface StoredSession extends SessionRow {
  readonly stored: string
}

/** Timeout in milliseconds for best-effort deletes during a read. */
const CLEAN_UP_TIMEOUT = 1_000

function hasExpired({ session }: SessionRow): boolean {
  return session.expires.getTime() <= Date.now()
}

export async function hashToken(token: string): Promise<string> {
  return HASH_PREFIX + (await sha256(token, 'hex'))
}

/** Plain token first: a concurrent migration then detects that the token is gone, and deletes the hash. */
export async function storedForms(token: string): Promise<readonly string[]> {
  return [token, await hashToken(token)]
}

/** Deletes the session with this form of a token; returns the row if the adapter does. `timeout` in milliseconds. */
export async function removeSession(
  ctx: SessionContext,
  database: Database,
  { stored, timeout = TIMEOUTS.adapter }: { readonly stored: string; readonly timeout?: number },
): Promise<AdapterSession | null> {
  const deadline = Math.min(ctx.deadline, performance.now() + timeout)
  try {
    return await database.call({ ...ctx, deadline }, 'deleteSession', stored)
  } catch (error) {
    // Some adapters throw if the row does not exist.
    const isGone = await database.call(ctx, 'getSessionAndUser', stored).then(
      (row) => row === null,
      () => false,
    )
    if (isGone) return null
    throw error
  }
}

async function bestEffort(
  { config }: SessionContext,
  warning: readonly ['session-left-behind' | 'session-not-hashed', text: string],
  step: () => Promise<unknown>,
): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    config.log.warn(...warning)
  }
}

/** Deletes the session of a token; best effort within a short time limit. */
export async function discardSession(
  ctx: SessionContext,
  database: Database,
  token: string,
): Promise<void> {
  const text = 'An expired or replaced session could not be deleted from the database.'
  await bestEffort(ctx, ['session-left-behind', text], async () => {
    for (const stored of await storedForms(token))
      if (await removeSession(ctx, database, { stored, timeout: CLEAN_UP_TIMEOUT })) return
  })
}

/** Replaces a session with a plain token by one with its hash, unless a sign-out or an eviction deletes it meanwhile. */
async function migrateToHash(
  ctx: SessionContext,
  database: Database,
  { session, token, stored }: { session: AdapterSession; token: string; stored: string },
): Promise<void> {
  const text = 'A session token could not be replaced by its hash in the database.'
  const retire = (step: () => Promise<unknown>) =>
    bestEffort(ctx, ['session-not-hashed', text], step)
  // The primary key of the row must not be copied to a new one.
  const { id: _id, ...row }: AdapterSession & { readonly id?: unknown } = session
  try {
    await database.call(ctx, 'createSession', { ...row, sessionToken: stored })
  } catch (error) {
    const isCreated =
      error instanceof AdapterError && (await database.call(ctx, 'getSessionAndUser', stored))
    if (!isCreated) throw error
    // A concurrent request deletes the token, or the response was lost. Expired here instead of deleted, because the
    // other request would mistake a deletion for a sign-out.
    const expired = { sessionToken: token, expires: new Date() }
    await retire(() => database.call(ctx, 'updateSession', expired))
    return
  }
  let isFound = false
  try {
    isFound = (await database.call(ctx, 'getSessionAndUser', token)) !== null
  } finally {
    if (!isFound) await removeSession(ctx, database, { stored })
  }
  if (isFound)
    await retire(() => removeSession(ctx, database, { stored: token, timeout: CLEAN_UP_TIMEOUT }))
}

async function findStored(
  ctx: SessionContext,
  database: Database,
  stored: string,
): Promise<StoredSession | null> {
  const row = await database.call(ctx, 'getSessionAndUser', stored)
  return row && { session: row.session, user: row.user, stored }
}

/** Finds a session by the hash of its token, or by a plain token, which it migrates; may return an expired one. */
async function findByHash(
  ctx: SessionContext,
  database: Database,
  token: string,
): Promise<StoredSession | null> {
  const stored = await hashToken(token)
  const found = await findStored(ctx, database, stored)
  if (found) return found
  const plain = await findStored(ctx, database, token)
  if (plain && hasExpired(plain)) return plain
  try {
    if (plain) await migrateToHash(ctx, database, { session: plain.session, token, stored })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // The database accepts no writes: the plain token stays valid.
    return findStored(ctx, database, token)
  }
  // Also if no plain token was found: another request may have migrated the session since the first lookup.
  return findStored(ctx, database, stored)
}

/** Finds a session by its plain token, or by the hash that a process with `hashTokens` has stored. */
async function findByToken(
  ctx: SessionContext,
  database: Database,
  token: string,
): Promise<StoredSession | null> {
  const found = await findStored(ctx, database, token)
  if (found && !hasExpired(found)) return found
  return (await findStored(ctx, database, await hashToken(token))) ?? found
}

export type TokenStorage = 'token' | 'hash'

interface SentToken {
  readonly token: string
  readonly cookie: SessionCookie
}

export interface FoundSession extends SentToken, StoredSession {}

/** Longer values are not tokens and are not looked up. */
export const MAX_TOKEN_LENGTH = 1024
/** Limit of lookups for a browser that sends many cookies of the same name. */
const MAX_TOKENS = 5

export function* sentTokens({
  jar,
  cookies,
}: Pick<SessionContext, 'jar' | 'cookies'>): Generator<SentToken> {
  const seen = new Set<string>()
  for (const cookie of cookies.sessionTokens)
    for (const token of jar.getAll(cookie.name)) {
      // A stored hash is not a valid token.
      const isToken = token.length <= MAX_TOKEN_LENGTH && !token.startsWith(HASH_PREFIX)
      if (!isToken || seen.has(token)) continue
      if (seen.size === MAX_TOKENS) return
      seen.add(token)
      yield { token, cookie }
    }
}

function describeExpiry(found: StoredSession): string {
  if (!hasExpired(found)) return 'its absolute timeout has passed'
  return `expired at ${found.session.expires.toISOString()}`
}

/** Finds the session of the first valid token. Deletes expired ones. */
export async function findSession(
  ctx: SessionContext,
  settings: LifetimeSettings & { readonly database: Database; readonly stored: TokenStorage },
): Promise<FoundSession | null> {
  const { database, stored: storage } = settings
  const find = storage === 'hash' ? findByHash : findByToken
  for (const { token, cookie } of sentTokens(ctx)) {
    const found = await find(ctx, database, token)
    // The row may be older than the absolute timeout of the configuration.
    const { end } = sessionTerms(readAppendedFacts(token), settings)
    if (found && !hasExpired(found) && end > Date.now()) {
      // Copied by name: a spread takes as long as the rest of a session read.
      const { session, user, stored } = found
      return { session, user, stored, token, cookie }
    }
    ctx.config.log.debug?.('session rejected', {
      name: cookie.name,
      reason: found ? describeExpiry(found) : 'not in the database',
    })
    if (found) await discardSession(ctx, database, token)
  }
  return null
}
