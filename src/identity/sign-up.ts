/** Makes a user with an account: both or neither, with transactions or without. */
import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import { resume } from '../checks/resume.ts'
import type { ResumeName } from '../checks/resume.ts'
import type { Context, StoredAccount } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { knownUser } from '../database/rows.ts'
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

async function hasNoAccounts(ctx: Context, database: Database, { id }: AdapterUser) {
  return (await orNull(database.accountsOf(ctx, id)))?.length === 0
}

/**
 * The user that a failed `createUser` has made all the same. It has to be ours: it has the id we chose, or the
 * moment at which we said the address was verified, or nobody can have signed in as it.
 */
async function leftBehind(
  ctx: Context,
  database: Database,
  row: AdapterUser,
): Promise<AdapterUser | null> {
  const found = row.email ? await orNull(database.userByEmail(ctx, row.email)) : null
  if (!found || found.id === row.id) return found
  const [ours, theirs] = [row.emailVerified?.getTime(), found.emailVerified?.getTime()]
  // Some databases count in seconds.
  const isSame = ours === undefined ? theirs === undefined : Math.abs(ours - (theirs ?? 0)) < 1000
  if (!isSame) return null
  if (!database.has('listAccounts')) return ours === undefined ? null : found
  return (await hasNoAccounts(ctx, database, found)) ? found : null
}

/** Milliseconds to wait before each look for somebody who is signing up at this moment. */
const PAUSES = [0, 100, 300]

/** Whether there may be a user whose account is about to follow. */
async function isUnderWay(ctx: Context, database: Database, { email }: User): Promise<boolean> {
  if (database.transaction || !email) return false
  const user = await orNull(database.userByEmail(ctx, email))
  if (!user) return false
  return !database.has('listAccounts') || hasNoAccounts(ctx, database, user)
}

/** Who has the account by now: the same person may be signing up in another tab, step by step. */
export async function ownerByNow(
  ctx: Context,
  database: Database,
  { user, account }: Pick<SignUp, 'user'> & { readonly account: AdapterAccountKey },
): Promise<AdapterUser | null> {
  for (const pause of PAUSES) {
    if (pause > 0) await new Promise((resolve) => void setTimeout(resolve, pause))
    const mayFollow = await isUnderWay(ctx, database, user)
    const owner = await orNull(database.userByAccount(ctx, account))
    if (owner || !mayFollow) return owner
  }
  return null
}

/** Who has the address now: a new user, or one that was made in the meantime. */
export async function createByAddress(
  ctx: Context,
  database: Database,
  row: AdapterUser,
): Promise<SignedUp> {
  try {
    return { user: await database.createUser(ctx, row), isNew: true }
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // The same person was faster with another attempt; or the answer of the database got lost.
    const found = await database.userByEmail(ctx, row.email)
    if (!found) throw error
    return { user: found, isNew: false }
  }
}

/** Names a sign-up that broke off. */
export function nameOf({ provider, providerAccountId }: AdapterAccountKey): ResumeName {
  return ['account', provider, providerAccountId]
}

/** What becomes of a user who has no account. */
type Undo = (
  ctx: Context,
  database: Database,
  step: { readonly account: StoredAccount; readonly user: AdapterUser },
) => Promise<void>

/** The same browser can go on with the user. */
const leave: Undo = async (ctx, _database, { account, user }) => {
  ctx.config.log.warn('sign-up-incomplete', 'A user was created whose account was not.')
  await resume.create(ctx, nameOf(account), user.id)
}

const takeBack: Undo = async (ctx, database, step) => {
  try {
    await database.deleteUser(ctx, step.user.id)
  } catch {
    await leave(ctx, database, step)
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
  // What another tab may have made is not taken back.
  let undo: Undo = takeBack
  try {
    user = await database.createUser(ctx, row)
  } catch (error) {
    const found = await leftBehind(ctx, database, row)
    if (!found) throw error
    user = found
    undo = leave
  }
  let owner: AdapterUser
  try {
    owner = await link(ctx, database, { user, account: request.account })
  } catch (error) {
    await undo(ctx, database, { account: request.account, user })
    throw error
  }
  // The same person, in another tab, was faster.
  if (owner.id !== user.id) await undo(ctx, database, { account: request.account, user })
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
  return { user: knownUser(made, 'transaction'), isNew: true }
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
    const owner = await ownerByNow(ctx, database, request)
    if (owner) return { user: owner, isNew: false }
    throw error
  }
}
