/** Makes a user with an account: both or neither, with transactions or without. */
import type { AdapterUser } from '../adapters/index.ts'
import { resume } from '../checks/resume.ts'
import type { Context, StoredAccount } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/session.ts'
import type { Untyped, User } from '../types.ts'

/** Who signs up, and with what. */
export interface SignUp {
  readonly user: User
  readonly account: StoredAccount
  readonly emailVerified: Date | null
}

/** A user, and whether this sign-up made it. */
export interface SignedUp {
  readonly user: AdapterUser
  readonly isNew: boolean
}

/** The row of a new user. */
export function newUser(user: User, emailVerified: Date | null): AdapterUser {
  // The contract promises an address, and not every provider tells one.
  const email: Untyped = user.email
  return { ...user, id: crypto.randomUUID(), email, emailVerified }
}

/** What a step that may have failed left behind: the answer of the database may be what got lost. */
async function orNull<T>(search: Promise<T | null>): Promise<T | null> {
  try {
    return await search
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

/**
 * The user that a failed `createUser` has made all the same. It has to be ours: it has the id we chose, or
 * nobody can have signed in as it.
 */
async function leftBehind(
  ctx: Context,
  database: Database,
  row: AdapterUser,
): Promise<AdapterUser | null> {
  const found = row.email ? await orNull(database.userByEmail(ctx, row.email)) : null
  if (!found || found.id === row.id) return found
  if (!database.has('listAccounts') || found.emailVerified) return null
  const accounts = await orNull(database.accountsOf(ctx, found.id))
  return accounts?.length === 0 ? found : null
}

/** Takes a user back; where that fails, the same browser can go on with it. */
async function takeBack(ctx: Context, database: Database, { account }: SignUp, user: AdapterUser) {
  try {
    await database.deleteUser(ctx, user.id)
  } catch {
    ctx.config.log.warn('sign-up-incomplete', 'A user was created whose account was not.')
    await resume.create(ctx, account, user.id)
  }
}

/** Gives the account to the user. That it is theirs already is what a lost answer looks like the next time. */
export async function link(
  ctx: Context,
  database: Database,
  { user, account }: { readonly user: AdapterUser; readonly account: StoredAccount },
): Promise<AdapterUser> {
  try {
    await database.linkAccount(ctx, { ...account, userId: user.id })
    return user
  } catch (error) {
    const owner = await orNull(database.userByAccount(ctx, account))
    if (!owner) throw error
    return owner
  }
}

async function createStepwise(
  ctx: Context,
  database: Database,
  request: SignUp,
): Promise<SignedUp> {
  const row = newUser(request.user, request.emailVerified)
  let user: AdapterUser
  try {
    user = await database.createUser(ctx, row)
  } catch (error) {
    const found = await leftBehind(ctx, database, row)
    if (!found) throw error
    user = found
  }
  let owner: AdapterUser
  try {
    owner = await link(ctx, database, { user, account: request.account })
  } catch (error) {
    await takeBack(ctx, database, request, user)
    throw error
  }
  // The same person, in another tab, was faster.
  if (owner.id !== user.id) await takeBack(ctx, database, request, user)
  return { user: owner, isNew: owner.id === user.id }
}

async function createAtOnce(
  ctx: Context,
  transact: NonNullable<Database['transaction']>,
  { user, account, emailVerified }: SignUp,
): Promise<SignedUp> {
  const made = await transact(ctx, async (inner) => {
    const created = await inner.createUser(ctx, newUser(user, emailVerified))
    await inner.linkAccount(ctx, { ...account, userId: created.id })
    return created
  })
  if (made) return { user: made, isNew: true }
  throw new AdapterError('The adapter method transaction did not return what its work returned.')
}

/**
 * Creates the user and gives it the account.
 *
 * Two sign-ups of the same account at the same time make one user: the one that comes too late finds the owner.
 */
export async function signUp(ctx: Context, database: Database, request: SignUp): Promise<SignedUp> {
  try {
    return database.transaction
      ? await createAtOnce(ctx, database.transaction, request)
      : await createStepwise(ctx, database, request)
  } catch (error) {
    const owner = await orNull(database.userByAccount(ctx, request.account))
    if (owner) return { user: owner, isNew: false }
    throw error
  }
}
