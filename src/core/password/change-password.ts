/** A signed-in user changes their password, sets the first one, or removes it. */
import { changeRequirement } from '../assurance/change-requirement.ts'
import { mayActFor, onlyStored } from '../checks/stored-subject.ts'
import type { Reply, Subject } from '../contracts.ts'
import type { AdapterUser, StoredPassword } from '../database/adapter.ts'
import {
  AccountNotLinked,
  AdapterError,
  CredentialsSignin,
  InvalidConfiguration,
  LastSignInMethod,
  PasswordRejected,
  SessionRequired,
} from '../errors/classes.ts'
import { pageUrl } from '../http/path.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { canSignIn, readMethods } from '../identity/sign-in-methods.ts'
import { consumePassword, readIdentity } from '../limits/password.ts'
import { requireAssured } from '../require-auth.ts'
import { acceptPassword } from './accept-password.ts'
import type { PasswordContext } from './password-context.ts'
import { replacePassword } from './replace-password.ts'
import { verifyStored } from './verify-stored.ts'

export interface SignedInOwner {
  readonly user: AdapterUser
  readonly password: StoredPassword | null
  readonly current: Subject
}

/** @param page - which a visitor who is signed out returns to @throws SessionRequired, AccountNotLinked */
export async function requireOwner(
  ctx: PasswordContext,
  page: 'change' | 'methods' = 'change',
): Promise<SignedInOwner> {
  const read = await ctx.config.session.subject(ctx)
  if (!read) {
    const url = pageUrl('signIn', ctx)
    url.searchParams.set('callbackUrl', `${ctx.origin}${ctx.config.basePath}/password/${page}`)
    throw new SessionRequired('The visitor is not signed in.', { url: url.href })
  }
  const subject = onlyStored(ctx, read)
  const user = subject && (subject.user ?? (await ctx.query('getUser', subject.id)))
  if (subject && user && mayActFor(subject, user))
    return { user, password: await ctx.query('getPassword', user.id), current: subject }
  throw new AccountNotLinked(
    'The session does not show that its user is in the database, or is older than the verification of the e-mail address. Sign in again.',
    { code: 'session_cannot_link' },
  )
}

/** Without a password to check, the sign-in has to be recent, and to have both steps if there are two. @throws StepUpRequired */
export async function requireRecent(
  ctx: PasswordContext,
  { id }: AdapterUser,
  caller: string,
): Promise<void> {
  const options = await changeRequirement(ctx, id)
  if (!options)
    throw new InvalidConfiguration(
      `${caller} changes how a user signs in, which needs a recent sign-in. Set account: {}.`,
    )
  await requireAssured(ctx, ctx.request, { caller, options, userId: id })
}

/** The password is one step: a user with a second factor proves both. @throws StepUpRequired */
async function requireBothSteps(
  ctx: PasswordContext,
  { id }: AdapterUser,
  caller: string,
): Promise<void> {
  const options = await changeRequirement(ctx, id)
  if (options?.level) await requireAssured(ctx, ctx.request, { caller, options, userId: id })
}

/** Wrong passwords are limited together with those of sign-ins. @throws CredentialsSignin, TooManyAttempts */
async function checkCurrent(
  ctx: PasswordContext,
  { user, password }: SignedInOwner,
  stored: StoredPassword,
): Promise<void> {
  const { id } = ctx.settings
  const email = user.email || user.id
  const config = { id, name: id, type: 'credentials', credentials: { email: {} } } as const
  const claimed = [['email', email]]
  const identity = readIdentity(ctx, { config, credentials: { email }, claimed })
  const charged = ctx.config.protection && (await consumePassword(ctx, id, identity))
  const comparison = await verifyStored(
    ctx,
    ctx.settings,
    ctx.request.body['current'],
    password === null ? null : stored.hash,
  )
  if (comparison === 'wrong') {
    const error = new CredentialsSignin('The current password is wrong.')
    error.code = 'current_password'
    throw error
  }
  await charged?.refund()
}

/**
 * Whether the user was evicted or deleted since. Only an unverified user is evicted, and verified by it, if the adapter can do
 * that; in an outage, they count as evicted.
 */
async function isEvicted(
  { database, query }: PasswordContext,
  { id, emailVerified }: AdapterUser,
): Promise<boolean> {
  try {
    const now = await query('getUser', id)
    if (!now || emailVerified) return !now
    return Boolean(now.emailVerified) || !(await database.has('updateUser'))
  } catch (error) {
    if (error instanceof AdapterError) return !emailVerified
    throw error
  }
}

/**
 * An eviction may have deleted the password before this one was stored, and an attacker may have signed in with it since. A
 * session that has ended in another way, such as by a sign-out in another tab, keeps the password. Returns whether the user
 * is still signed in.
 *
 * @throws AccountNotLinked, SessionRequired
 */
async function confirmOwner(ctx: PasswordContext, user: AdapterUser): Promise<boolean> {
  try {
    await requireOwner(ctx)
    return true
  } catch (error) {
    if (!(await isEvicted(ctx, user))) return false
    await ctx.query('setPassword', user.id, null)
    await endSessions(ctx, { userId: user.id, spare: 'none', change: 'A user was evicted' })
    throw error
  }
}

/** The fields `current` and `password`; without a password, no `current` is needed. */
export async function changePassword(ctx: PasswordContext): Promise<Reply> {
  const owner = await requireOwner(ctx)
  const { user, password: before } = owner
  if (before) {
    await requireBothSteps(ctx, user, 'password.change')
    await checkCurrent(ctx, owner, before)
  } else await requireRecent(ctx, user, 'password.change')
  if (!user.email)
    throw new PasswordRejected('A user without an e-mail address cannot sign in with a password.', {
      code: 'unusable',
    })
  const { email, name = null } = user
  const password = await acceptPassword(ctx, ctx.request.body['password'], { email, name })
  const actor = { kind: 'user', id: user.id } as const
  let isSignedIn = true
  async function confirm() {
    isSignedIn = await confirmOwner(ctx, user)
  }
  await replacePassword(ctx, { user, before, password, spare: 'current', confirm }, actor)
  const page = isSignedIn ? 'change?done=1' : 'done'
  return { status: 302, redirect: `${ctx.origin}${ctx.config.basePath}/password/${page}` }
}

function lastMethod(): LastSignInMethod {
  return new LastSignInMethod('The password is the last sign-in method of its user.', {
    code: 'password',
  })
}

/** A user keeps another method. @throws LastSignInMethod */
export async function removePassword(ctx: PasswordContext): Promise<Reply> {
  const { user, password: before } = await requireOwner(ctx)
  await requireRecent(ctx, user, 'password.remove')
  const redirect = `${ctx.origin}${ctx.config.basePath}/password/change`
  if (!before) return { status: 302, redirect }
  const methods = await readMethods(ctx, user)
  if (!canSignIn({ ...methods, hasPassword: false })) throw lastMethod()
  const { hash, changed } = before
  async function confirm() {
    try {
      // A concurrent request may have removed the others: of several requests, at least the last one finds none.
      if (!canSignIn(await readMethods(ctx, user))) throw lastMethod()
    } catch (error) {
      await ctx.query('setPassword', user.id, { hash, changed }, null)
      // An eviction removes them as well.
      await confirmOwner(ctx, user)
      throw error
    }
  }
  const actor = { kind: 'user', id: user.id } as const
  await replacePassword(ctx, { user, before, password: null, spare: 'current', confirm }, actor)
  return { status: 302, redirect }
}
