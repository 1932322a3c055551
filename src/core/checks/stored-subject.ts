import type { AdapterUser } from '../database/adapter.ts'
import type { SessionContext, Subject } from '../contracts.ts'

const SIGN_IN_AGAIN = 'can neither link accounts nor manage passkeys'

/** The user of the session, with a warning if it is not shown to be in the database. */
export async function sessionSubject(ctx: SessionContext): Promise<Subject | null> {
  const subject = await ctx.config.session.subject(ctx)
  // Without a database, there is nothing to link and no passkey.
  if (!ctx.config.database) return subject
  if (subject === null || subject.isStored === true) return subject
  const isUnknown = subject.isStored === null
  ctx.config.log.warnOnce(
    'session-not-stored',
    isUnknown
      ? `A session of an earlier release or of next-auth, or one with another user than at the sign-in, ${SIGN_IN_AGAIN} until the user signs in again.`
      : `A session of a user whom authorize returned, but who is not in the database with the same id and email, ${SIGN_IN_AGAIN}. Return the id and the email of the stored user from authorize.`,
  )
  return subject
}

/** The user of the session, if linking and passkeys may treat them as a user in the database. */
export async function storedSubject(ctx: SessionContext): Promise<Subject | null> {
  const subject = await sessionSubject(ctx)
  return subject?.isStored === false ? null : subject
}

/** Whether the session is older than the verification of the address: sessions in cookies cannot be revoked. */
function isStale({ since, wasVerified }: Subject, { emailVerified }: AdapterUser): boolean {
  if (!emailVerified || wasVerified === true) return false
  return wasVerified === false || (since !== null && since <= emailVerified)
}

/** Whether the session may link accounts to the user and manage passkeys. */
export function mayActFor(subject: Subject, user: AdapterUser): boolean {
  return subject.isStored === true && !isStale(subject, user)
}
