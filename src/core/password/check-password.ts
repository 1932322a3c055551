/** The sign-in with an address and a password. */
import type { AdapterUser } from '../database/adapter.ts'
import { AccessDenied, AdapterError, TemporarilyUnavailable } from '../errors/classes.ts'
import { parseAddress } from '../identity/mail-address.ts'
import { findOwner } from './find-owner.ts'
import type { Owner } from './find-owner.ts'
import type { PasswordContext } from './password-context.ts'
import { createHash, verifyStored } from './verify-stored.ts'

/** Replaces the hash unless it has changed meanwhile; without an answer, the next sign-in does it. */
async function upgrade(ctx: PasswordContext, { user, password }: Owner, typed: string) {
  if (!password) return
  const { hash: expected, changed } = password
  try {
    const hash = await createHash(ctx, ctx.settings, typed)
    await ctx.query('setPassword', user.id, { hash, changed }, expected)
  } catch (error) {
    if (!(error instanceof AdapterError || error instanceof TemporarilyUnavailable)) throw error
    ctx.config.log.error(error)
  }
}

export interface CheckedUser {
  readonly user: AdapterUser
  /** When the password was changed last, in milliseconds since the epoch. */
  readonly changed: number | undefined
}

/** A change during the sign-in ends the sessions of the old password, but could not end this one. @throws AccessDenied */
export async function confirmPassword(
  ctx: PasswordContext,
  { user, changed }: CheckedUser,
): Promise<void> {
  const password = await ctx.query('getPassword', user.id)
  if (password?.changed.getTime() === changed) return
  throw new AccessDenied('The password was changed or removed during the sign-in.')
}

/** `null`: there is no such user, or the password is wrong. */
export async function checkPassword(
  ctx: PasswordContext,
  { email, password }: { readonly email?: unknown; readonly password?: unknown },
): Promise<CheckedUser | null> {
  const owner = await findOwner(ctx, typeof email === 'string' ? parseAddress(email) : null)
  const stored = owner?.password?.hash ?? null
  const comparison = await verifyStored(ctx, ctx.settings, password, stored)
  if (!owner || comparison === 'wrong') return null
  if (comparison === 'outdated' && typeof password === 'string') await upgrade(ctx, owner, password)
  return { user: owner.user, changed: owner.password?.changed.getTime() }
}
