/** What follows the end of a session that its own browser has not ended. */
import type { RevokeSessionMessage } from '../config/callbacks.ts'
import type { AuditFact, SessionContext } from '../contracts.ts'
import { emit } from '../hooks.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { deleteRecords } from './delete-records.ts'

export interface RevokedSession extends RevokeSessionMessage {
  readonly headers: ReadRequest['headers']
}

/** Deletes the tokens of the session, and reports its end. */
export async function reportRevoked(
  ctx: SessionContext,
  { headers, ...message }: RevokedSession,
): Promise<void> {
  const { userId, sid, reason } = message
  await deleteRecords(ctx, sid)
  await emit(ctx, 'revokeSession', message)
  const isOfUser = reason === 'user'
  const fact: AuditFact = {
    type: reason === 'limit' ? 'session.limited' : 'session.ended',
    outcome: 'success',
    reason,
    actor: isOfUser ? { kind: 'user', id: userId } : { kind: 'application' },
    target: { kind: 'session', id: sid },
  }
  const { config, deadline } = ctx
  await config.audit?.record({ config, deadline, request: { headers } }, fact)
}
