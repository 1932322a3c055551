/** Creates users. Without a transaction, a user is inserted before the account, and deleted if that fails. */
import type { AdapterAccountKey, AdapterUser } from '../database/adapter.ts'
import { deleteSealedCookie, readResumeCookie, setResumeCookie } from '../checks/sealed-cookie.ts'
import type { Context } from '../contracts.ts'
import type { AccountEvidence, StoredAccount } from '../evidence.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { existingUser } from '../database/methods.ts'
import { AuthError } from '../errors/base.ts'
import { AdapterError } from '../errors/classes.ts'
import type { User } from '../types.ts'
import { verificationTime } from './verification-time.ts'

export interface DatabaseContext extends Context, DatabaseAccess {}

export function newUser(user: User, emailVerified: Date | null): AdapterUser {
  // `AdapterUser` requires an address, but not every provider returns one.
  const email = user.email as string
  return { ...user, id: crypto.randomUUID(), email, emailVerified }
}

/** A failed insert may be committed although its response was lost, or fail because of a concurrent one. */
export async function insertOrRead<T>(
  insert: Promise<T>,
  read: () => Promise<T | null>,
): Promise<T> {
  try {
    return await insert
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    const row = await nullOnError(read())
    if (row === null) throw error
    return row
  }
}

/** For lookups after an error: if they fail too, the caller reports the original error. */
export async function nullOnError<T>(lookup: Promise<T | null>): Promise<T | null> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

export interface SignedUp {
  /** An existing user if a concurrent sign-up with the same address was faster. */
  readonly user: AdapterUser
  readonly isNew: boolean
}

export async function createUserByEmail(ctx: DatabaseContext, row: AdapterUser): Promise<SignedUp> {
  let isNew = true
  const user = await insertOrRead(ctx.query('createUser', row), () => {
    isNew = false
    return ctx.query('getUserByEmail', row.email)
  })
  return { user, isNew }
}

function resumeName({ provider, providerAccountId }: AdapterAccountKey): readonly string[] {
  return ['account', provider, providerAccountId]
}

/** A text that changes when the address is verified: from then on, the user may belong to another person. */
function describeState({ id, emailVerified }: AdapterUser): string {
  return JSON.stringify([id, emailVerified !== null])
}

/** Lets this browser repeat a sign-up whose user could not be deleted, or may be inserted after the error. */
export async function rememberSignUp(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<void> {
  await setResumeCookie(ctx, resumeName(account), describeState(user))
}

/** Whether an incomplete sign-up with this account in this browser created the user, who is unchanged since. */
export async function isIncomplete(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<boolean> {
  return (await readResumeCookie(ctx, resumeName(account))) === describeState(user)
}

/** Returns the owner, who is another user if a concurrent request has linked the account. */
export async function linkAccount(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: StoredAccount,
): Promise<AdapterUser> {
  const insert = ctx.query('linkAccount', { ...account, userId: user.id })
  return insertOrRead(
    insert.then(() => user),
    () => ctx.query('getUserByAccount', account),
  )
}

/** Deletes the user, unless the address was verified in the meantime. A user who is not found may still be inserted. */
export async function undoSignUp(
  ctx: DatabaseContext,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<void> {
  const { log } = ctx.config
  try {
    const stored = await ctx.query('getUser', user.id)
    if (stored && describeState(stored) === describeState(user))
      await ctx.query('deleteUser', user.id)
    if (stored) return
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    log.debug?.('user not deleted', { reason: error.message })
    log.warn(
      'sign-up-incomplete',
      'A user was created, but linking its account failed. The same browser can repeat the sign-up.',
    )
  }
  // The next sign-in with the same account in this browser links the account to that user.
  await rememberSignUp(ctx, user, account)
}

/** Looks up a lost insert by the proposed id, because a user with the same address may be another person. */
export async function createUserById(ctx: DatabaseContext, row: AdapterUser): Promise<AdapterUser> {
  return insertOrRead(ctx.query('createUser', row), async () => {
    const stored = await ctx.query('getUser', row.id)
    return stored && describeState(stored) === describeState(row) ? stored : null
  })
}

/** `incomplete`: the user of an incomplete sign-up with this account. */
export async function signUp(
  ctx: DatabaseContext,
  evidence: AccountEvidence,
  incomplete: AdapterUser | null,
): Promise<SignedUp> {
  const { stored: account } = evidence
  const row = newUser(evidence.user, evidence.emailVerified ? verificationTime() : null)

  async function createInSteps(): Promise<SignedUp> {
    let user = incomplete ?? row
    let owner: AdapterUser | undefined
    try {
      user = incomplete ?? (await createUserById(ctx, row))
      owner = await linkAccount(ctx, user, account)
      return { user: owner, isNew: owner.id === user.id }
    } finally {
      if (owner?.id !== user.id) await undoSignUp(ctx, user, account)
    }
  }

  async function createInTransaction(): Promise<SignedUp> {
    const created = await ctx.database.transaction(ctx, async (inner) => {
      const user = await inner.call(ctx, 'createUser', row)
      await inner.call(ctx, 'linkAccount', { ...account, userId: user.id })
      return user
    })
    return { user: existingUser(created, 'transaction'), isNew: true }
  }

  const isAtomic = incomplete === null && (await ctx.database.has('transaction'))
  const signedUp = await (isAtomic ? createInTransaction() : createInSteps())
  deleteSealedCookie(ctx, 'resume')
  return signedUp
}
