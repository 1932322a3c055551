import type { SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'

/** The key of the record with the tokens of a session at a provider. */
export async function recordKey(sid: string, provider: string): Promise<string> {
  return `tokens:${await sha256(JSON.stringify([sid, provider]), 'base64url')}`
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
