import type { AdapterUser } from '../database/adapter.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import { AccountNotLinked, AdapterError } from '../errors/classes.ts'

const SIGN_IN_AGAIN = 'can neither link accounts nor manage passkeys'

/** @returns the user of the session, after a warning if it is not shown to be in the database */
function reportUnstored(ctx: SessionContext, subject: Subject | null): Subject | null {
  // Without a database, there is nothing to link and no passkey.
  if (!ctx.config.database) return subject
  if (subject === null || subject.isStored === true) return subject
  const isUnknown = subject.isStored === null
  ctx.config.log.warnOnce(
    'session-not-stored',
    isUnknown
      ? `A session of an earlier release or of next-auth, or one with another user than at the sign-in, ${SIGN_IN_AGAIN} until the user signs in again.`
      : `A session of a user whom authorize returned, but who is not in the database with the same id and email, or whose sub the jwt callback removed, ${SIGN_IN_AGAIN}. Return the id and the email of the stored user from authorize, and keep sub.`,
  )
  return subject
}

export async function sessionSubject(ctx: SessionContext): Promise<Subject | null> {
  return reportUnstored(ctx, await ctx.config.session.subject(ctx))
}

/** The user of the session, if linking, passkeys and tokens may treat them as a user in the database. */
export function onlyStored(ctx: SessionContext, read: Subject | null): Subject | null {
  const subject = reportUnstored(ctx, read)
  return subject?.isStored === false ? null : subject
}

export async function storedSubject(ctx: SessionContext): Promise<Subject | null> {
  return onlyStored(ctx, await ctx.config.session.subject(ctx))
}

type GetUser = (id: string) => Promise<AdapterUser | null>

/**
 * Whether the session is one of a user, who adds to their user and does not sign up: not that of a guest, who has no
 * address and whose id no user has, nor that of a deleted user.
 */
export async function isOfUser(ctx: SessionContext, getUser: GetUser): Promise<boolean> {
  const subject = await sessionSubject(ctx)
  if (subject === null) return false
  const { id, isStored, isUser } = subject
  if (isUser) return true
  try {
    return (await getUser(id)) !== null
  } catch (error) {
    // Ids of another table are an error in some databases, for example in a column of type uuid.
    if (isStored === false && error instanceof AdapterError) return false
    throw error
  }
}

export function cannotAddPasskey(provider: string): AccountNotLinked {
  return new AccountNotLinked(
    'The session is older than the verification of the e-mail address, or does not show that its user is in the database. So the passkey is not added, and no second user is created. Sign in again, then add a passkey. If the user is from authorize, return the id and the email of the stored user, and keep sub in the jwt callback; to sign up with a passkey, sign out first.',
    { provider, code: 'session_cannot_link' },
  )
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
