/** Evicts unverified users, and confirms sign-ins, because an eviction may have run during one. */
import type { AdapterAccount, AdapterUser } from '../database/adapter.ts'
import type { EvictMessage } from '../config/callbacks.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import type { AuthError } from '../errors/base.ts'
import {
  AccountNotLinked,
  AdapterError,
  EventError,
  OAuthAccountNotLinked,
  TemporarilyUnavailable,
} from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import { forgetBrowsers } from '../limits/known-browser.ts'
import { findPasswords } from '../checks/find-passwords.ts'
import { mayActFor, storedSubject } from '../checks/stored-subject.ts'
import type { Account } from '../types.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { readTokens } from '../tokens/stored-tokens.ts'
import type { DatabaseContext } from './create-user.ts'
import { verificationTime } from './verification-time.ts'

const SESSIONS_REMAIN = 'sessions of the user cannot be revoked'

export async function markVerified(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  if (!(await ctx.database.has('updateUser'))) return user
  return ctx.query('updateUser', { id: user.id, emailVerified: verificationTime() })
}

/** Lets the application revoke its own credentials; a failure of the handler rejects the sign-in. */
async function emitEvict(ctx: DatabaseContext, message: EvictMessage): Promise<void> {
  ctx.secrets.addKeysOf(message)
  try {
    const run = () => ctx.config.events.evict?.(message)
    await callHook(ctx, { what: 'The evict event handler', run })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) throw cause
    throw new EventError('The evict event handler failed: the sign-in is rejected.', { cause })
  }
}

function notLinked({ type, provider }: Account, reason: string): AuthError {
  const NotLinked = type === 'webauthn' ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked(reason, { provider })
}

/** Unlinks an account. A passkey cannot sign in without it, and is deleted if that is possible. */
async function revokeAccount(ctx: DatabaseAccess, account: Account): Promise<void> {
  await ctx.query('unlinkAccount', account)
  if (account.type === 'webauthn' && (await ctx.database.has('deleteAuthenticator')))
    await ctx.query('deleteAuthenticator', account.providerAccountId)
}

async function removePassword(ctx: DatabaseContext, user: AdapterUser): Promise<void> {
  if (findPasswords(ctx)) await ctx.query('setPassword', user.id, null)
}

/** Revokes the tokens of unlinked accounts, which are of no use here any more. */
async function revokeTokens(ctx: SessionContext, unlinked: readonly Account[]): Promise<void> {
  if (!ctx.config.tokens.isKept || unlinked.length === 0) return
  const { revokeAll: revoke } = await import('../tokens/revoke.ts')
  await revoke(
    ctx,
    unlinked.map((account) => readTokens(account, account)),
  )
}

function warnOfRemainingAccess({ config }: DatabaseContext, reasons: readonly string[]): void {
  if (reasons.length === 0) return
  config.log.warnOnce(
    'eviction-unavailable',
    `An e-mail address was verified for the first time, and earlier access cannot be revoked completely: ${reasons.join('; ')}.`,
  )
}

/**
 * Revokes the sessions and linked accounts of a user who is not signed in to this browser. Concurrent sign-ins and
 * links read ownership again after they have written (`ProvisionedUser.confirm`), so the order matters: accounts before
 * sessions, because a sign-in with an account creates a session; then accounts again, because a session or the
 * unverified address can link a new one.
 */
async function revokeAll(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const { database, config } = ctx
  const endSessions = () => config.session.endAll(ctx, user.id, { spare: 'none' })
  const lacking: string[] = []
  for (const method of ['listAccounts', 'unlinkAccount'] as const)
    if (!(await database.has(method))) lacking.push(`the adapter lacks ${method}`)
  const listAccounts = async (): Promise<readonly AdapterAccount[]> =>
    lacking.length === 0 ? ctx.query('listAccounts', user.id) : []
  const unlinked: Account[] = []
  const unlink = async (accounts: readonly AdapterAccount[]) => {
    for (const account of accounts) {
      await revokeAccount(ctx, account)
      unlinked.push(account)
    }
  }
  try {
    const areEnded = await endSessions()
    const accounts = await listAccounts()
    await emitEvict(ctx, { user, accounts })
    await unlink(accounts)
    await removePassword(ctx, user)
    await endSessions()
    const verified = await markVerified(ctx, user)
    await unlink(await listAccounts())
    await removePassword(ctx, user)
    await endSessions()
    warnOfRemainingAccess(ctx, areEnded ? lacking : [...lacking, SESSIONS_REMAIN])
    return verified
  } finally {
    await revokeTokens(ctx, unlinked)
  }
}

/** Revokes earlier access; if this browser is signed in as the user, only the sessions of other browsers. */
async function revokeEarlierAccess(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const { session } = ctx.config
  if ((await storedSubject(ctx))?.id !== user.id) return revokeAll(ctx, user)
  // This browser is signed in as that user: only sessions of other browsers are deleted.
  const areEnded = await session.endAll(ctx, user.id, { spare: 'current' })
  warnOfRemainingAccess(ctx, areEnded ? [] : [SESSIONS_REMAIN])
  return markVerified(ctx, user)
}

/** Marks the address of an unverified user as verified, and revokes earlier access (account pre-hijacking). */
export async function evict(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const verified = await revokeEarlierAccess(ctx, user)
  await forgetBrowsers(ctx, user.id)
  await ctx.config.audit?.record(ctx, {
    type: 'session.ended',
    outcome: 'success',
    reason: 'eviction',
    actor: { kind: 'application' },
    target: { kind: 'user', id: user.id },
  })
  return verified
}

export interface CurrentUser {
  readonly user: AdapterUser
  /** Whether the session may link accounts. */
  readonly mayLink: boolean
}

/** The stored user of the session; `null` if signed out or deleted. */
export async function currentUser(
  ctx: SessionContext & DatabaseAccess,
  owner: AdapterUser | null,
): Promise<CurrentUser | null> {
  return userOfSubject(ctx, await storedSubject(ctx), owner)
}

/** As {@link currentUser}, for a session that was read before. */
export async function userOfSubject(
  { query }: Pick<DatabaseAccess, 'query'>,
  subject: Subject | null,
  owner: AdapterUser | null,
): Promise<CurrentUser | null> {
  if (subject === null) return null
  const known = subject.id === owner?.id ? owner : subject.user
  const user = known ?? (await query('getUser', subject.id))
  return user && { user, mayLink: mayActFor(subject, user) }
}

/** An account, and the user to whom it is linked. */
export interface Ownership {
  readonly user: AdapterUser
  readonly account: Account
}

/** @throws OAuthAccountNotLinked, AccountNotLinked if the account is no longer linked to the user */
export async function confirmOwner(ctx: DatabaseContext, link: Ownership): Promise<void> {
  const { user, account } = link
  const { provider, providerAccountId } = account
  // A case-insensitive collation may return another account by key; the list contains the exact ids.
  const isSame = (each: AdapterAccount) =>
    each.provider === provider && each.providerAccountId === providerAccountId
  const isOwner = (await ctx.database.has('listAccounts'))
    ? (await ctx.query('listAccounts', user.id)).some(isSame)
    : (await ctx.query('getUserByAccount', account))?.id === user.id
  if (isOwner) return
  const reason = 'The account was unlinked, or linked to another user, during the sign-in.'
  throw notLinked(account, reason)
}

/** Unlinks a new account: an eviction that listed the accounts before it was linked did not find it. */
async function unlinkEvicted(
  ctx: SessionContext & DatabaseAccess,
  account: Account,
  {
    reason,
    endSessions,
  }: { readonly reason: string; readonly endSessions?: () => Promise<unknown> },
): Promise<never> {
  const canUnlink = await ctx.database.has('unlinkAccount')
  try {
    if (canUnlink) await revokeAccount(ctx, account)
  } finally {
    await endSessions?.()
  }
  if (canUnlink) await revokeTokens(ctx, [account])
  throw notLinked(account, reason)
}

/** Rejects a link that an eviction may have missed; runs after the account was linked, and before the events. */
export type LinkCheck = (ctx: DatabaseContext, link: Ownership) => Promise<void>

/** Checks an account that was linked from a session: the session may have ended since. */
export async function checkLinkFromSession(
  ctx: SessionContext & DatabaseAccess,
  link: Ownership,
): Promise<void> {
  const current = await currentUser(ctx, null)
  const reason =
    'The session ended, or the e-mail address was verified, while the account was linked.'
  if (current?.user.id !== link.user.id || !current.mayLink)
    await unlinkEvicted(ctx, link.account, { reason })
}

/** Checks an account that was linked to a new user: without a transaction, the address may have been verified before. */
export async function checkSignUp(ctx: DatabaseContext, link: Ownership): Promise<void> {
  if (await ctx.database.has('transaction')) return
  const { user, account } = link
  await confirmOwner(ctx, link)
  const owner = await ctx.query('getUserByAccount', account)
  if (owner?.id === user.id && Boolean(owner.emailVerified) === Boolean(user.emailVerified)) return
  const reason = 'The e-mail address was verified by its owner during the sign-up.'
  // The account may have signed in elsewhere while it was linked.
  const endSessions = () => ctx.config.session.endAll(ctx, user.id, { spare: 'none' })
  await unlinkEvicted(ctx, account, { reason, endSessions })
}

/**
 * Runs a check, and returns the confirmation that follows the events. The verification of the address is checked before
 * them, because their handlers may set `emailVerified` themselves; from then on, an eviction finds the account and
 * unlinks it. An outage is reported by the confirmation: the rows exist, so their events are due.
 */
export async function checkLink(
  ctx: DatabaseContext,
  link: Ownership,
  check: LinkCheck,
): Promise<() => Promise<void>> {
  let outage: AdapterError | undefined
  try {
    await check(ctx, link)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    outage = error
  }
  return async () => {
    if (outage) throw outage
    await confirmOwner(ctx, link)
  }
}
