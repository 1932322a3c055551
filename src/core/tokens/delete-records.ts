import type { SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'

const PREFIX = 'tokens:'

/** The key of the record with the tokens of a session at a provider. */
export async function recordKey(sid: string, provider: string): Promise<string> {
  return `${PREFIX}${await sha256(JSON.stringify([sid, provider]), 'base64url')}`
}

/** The ids of the providers that issue tokens. */
export function tokenProviders({ config: { providers } }: SessionContext): readonly string[] {
  return providers.ids.filter((id) => providers.get(id)?.tokens)
}

/** Deletes the records of a session that has ended or ends. Never rejects: they expire. */
export async function deleteRecords(ctx: SessionContext, sid: string): Promise<void> {
  const { log, records, tokens } = ctx.config
  const ids = tokens.isKept ? tokenProviders(ctx) : []
  try {
    if (ids.length === 0 || !(await records?.adapter())) return
    await records?.delete(ctx, { keys: await Promise.all(ids.map((id) => recordKey(sid, id))) })
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
}

/**
 * Deletes the records of all sessions of a user but for some, also of sessions that are in no list. Never rejects: they
 * expire, and cannot be opened without their session.
 */
export async function deleteRecordsOfUser(
  ctx: SessionContext,
  userId: string,
  spare: readonly string[],
): Promise<void> {
  const { log, records, tokens } = ctx.config
  try {
    if (!tokens.isKept || !records || !(await records.adapter())) return
    const ids = tokenProviders(ctx)
    const kept = await Promise.all(spare.flatMap((sid) => ids.map((id) => recordKey(sid, id))))
    const found = await records.list(ctx, `user:${userId}`)
    const keys = found
      .map(({ key }) => key)
      .filter((key) => key.startsWith(PREFIX) && !kept.includes(key))
    if (keys.length > 0) await records.delete(ctx, { keys })
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
}
