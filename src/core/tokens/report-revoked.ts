/** What follows the end of a session that its own browser has not ended. */
import type { RevokeSessionMessage } from '../config/callbacks.ts'
import type { AuditFact, SessionContext } from '../contracts.ts'
import { emit } from '../hooks.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { deleteRecords } from './delete-records.ts'

/** Whose sessions end, and why. */
export interface EndOfSessions extends Omit<RevokeSessionMessage, 'sid'> {
  readonly headers: ReadRequest['headers']
  /** Id of the user who acts for the application. */
  readonly actor?: string | undefined
}

export interface RevokedSession extends EndOfSessions {
  readonly sid: string
}

async function record(
  { config, deadline }: SessionContext,
  target: NonNullable<AuditFact['target']>,
  { headers, actor, userId, reason }: EndOfSessions,
): Promise<void> {
  const by = reason === 'user' ? userId : actor
  const fact: AuditFact = {
    type: reason === 'limit' ? 'session.limited' : 'session.ended',
    outcome: 'success',
    reason,
    actor: by === undefined ? { kind: 'application' } : { kind: 'user', id: by },
    target,
  }
  await config.audit?.record({ config, deadline, request: { headers } }, fact)
}

/** Deletes the tokens of the session, and reports its end. */
export async function reportRevoked(ctx: SessionContext, end: RevokedSession): Promise<void> {
  await deleteRecords(ctx, end.sid)
  await reportEnded(ctx, end)
}

/** Reports the end of a session whose tokens are deleted. */
export async function reportEnded(ctx: SessionContext, end: RevokedSession): Promise<void> {
  const { userId, sid, reason } = end
  await emit(ctx, 'revokeSession', { userId, sid, reason })
  await record(ctx, { kind: 'session', id: sid }, end)
}

/** Reports the end of sessions that no list names. */
export async function reportAllRevoked(ctx: SessionContext, end: EndOfSessions): Promise<void> {
  await record(ctx, { kind: 'user', id: end.userId }, end)
}
