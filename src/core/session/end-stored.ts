/** Ends sessions in the database that are not those of the browser. */
import { forEachAtOnce } from '../async/for-each.ts'
import type { SessionContext } from '../contracts.ts'
import type { EndOptions } from './end-options.ts'
import type { ListedSession } from './session-info.ts'
import { storedSessionId } from '../crypto/session-id.ts'
import type { AdapterSession } from '../database/adapter.ts'
import type { Database } from '../database/database.ts'
import { readAppendedFacts } from './facts.ts'
import { removeSession } from './stored-session.ts'

async function listSessions(ctx: SessionContext, database: Database, userId: string) {
  const rows = await database.call(ctx, 'listSessions', userId)
  const now = new Date()
  return rows.filter(({ expires }) => expires > now)
}

/**
 * Newest first, as far as that is known: a hashed token does not show when its session began. A session has two rows
 * while its token is replaced by its hash, and afterwards if that row could not be deleted.
 */
export async function listStored(
  ctx: SessionContext,
  database: Database,
  userId: string,
): Promise<readonly ListedSession[]> {
  const rows = await listSessions(ctx, database, userId)
  const sessions = await Promise.all(
    rows.map(async ({ sessionToken, expires }) => {
      const facts = readAppendedFacts(sessionToken)
      return {
        sid: await storedSessionId(sessionToken),
        startedAt: facts && new Date(facts.startedAt),
        lastSeenAt: null,
        expires,
        via: facts && facts.via,
        device: null,
      }
    }),
  )
  const unique = new Map(sessions.map((session) => [session.sid, session]))
  const time = ({ startedAt, expires }: ListedSession) => (startedAt ?? expires).getTime()
  return [...unique.values()].sort((one, other) => time(other) - time(one))
}

/** @throws MissingAdapterMethods without `listSessions` */
export async function endStored(
  ctx: SessionContext,
  database: Database,
  { userId, sid }: { readonly userId: string; readonly sid: string },
): Promise<boolean> {
  let isFound = false
  for (const { sessionToken } of await listSessions(ctx, database, userId)) {
    if ((await storedSessionId(sessionToken)) !== sid) continue
    await removeSession(ctx, database, { stored: sessionToken })
    isFound = true
  }
  return isFound
}

/** A session whose start is unknown ends with the others. */
function hasStartedBefore({ sessionToken }: AdapterSession, time: Date): boolean {
  const startedAt = readAppendedFacts(sessionToken)?.startedAt
  return startedAt === undefined || startedAt < time.getTime()
}

interface StoredEndOptions extends Omit<EndOptions, 'spare'> {
  readonly userId: string
  /** Session ids. */
  readonly spare: readonly string[]
}

/** Either method is sufficient, but only `listSessions` can spare some. Returns whether the adapter has what is needed. */
export async function endAllStored(
  ctx: SessionContext,
  database: Database,
  { userId, spare, startedBefore }: StoredEndOptions,
): Promise<boolean> {
  const isAll = spare.length === 0 && !startedBefore
  const hasDelete = await database.has('deleteUserSessions')
  if (!(isAll && hasDelete) && (await database.has('listSessions'))) {
    const ending: string[] = []
    for (const session of await database.call(ctx, 'listSessions', userId)) {
      const { sessionToken } = session
      if (startedBefore && !hasStartedBefore(session, startedBefore)) continue
      if (!spare.includes(await storedSessionId(sessionToken))) ending.push(sessionToken)
    }
    await forEachAtOnce(ending, (stored) => removeSession(ctx, database, { stored }))
    return true
  }
  if (startedBefore || !hasDelete) return false
  await database.call(ctx, 'deleteUserSessions', userId)
  return true
}
