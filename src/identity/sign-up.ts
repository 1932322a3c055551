/** Makes a user with an account: both or neither, with transactions or without. */
import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import { resume } from '../checks/resume.ts'
import type { ResumeName } from '../checks/resume.ts'
import type { Context } from '../contracts.ts'
import type { StoredAccount } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { knownUser } from '../database/rows.ts'
import { AuthError } from '../errors/base.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import type { User } from '../types.ts'
import { orNull, ownerByNow } from './left-behind.ts'
import { newUser } from './new-user.ts'
import type { SignedUp } from './new-user.ts'

/** Who signs up, and with what. */
export interface SignUp {
  readonly user: User
  readonly account: StoredAccount
  readonly emailVerified: Date | null
}

/** Names a sign-up that broke off. */
function attemptOf({ provider, providerAccountId }: AdapterAccountKey): ResumeName {
  return ['account', provider, providerAccountId]
}

/** A user as it was left behind: with another address, or verified since, it is somebody else's. */
function stateOf({ id, emailVerified }: AdapterUser): string {
  // Some databases count in seconds.
  const verified = emailVerified && Math.floor(emailVerified.getTime() / 1000)
  return JSON.stringify([id, verified])
}

/** Whether an attempt with this account, in this browser, has left this user behind as it is now. */
export async function isLeftBehind(
  ctx: Context,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<boolean> {
  return (await resume.find(ctx, attemptOf(account))) === stateOf(user)
}

/** Whether another user has the address: one that this browser has not left behind. */
async function isTaken(
  ctx: Context,
  database: Database,
  { user: { email }, account }: SignUp,
): Promise<boolean> {
  const twin = email ? await orNull(database.userByEmail(ctx, email)) : null
  return twin !== null && !(await isLeftBehind(ctx, twin, account))
}

/** What becomes of a user who has no account. */
type Undo = (
  ctx: Context,
  database: Database,
  step: { readonly account: StoredAccount; readonly user: AdapterUser },
) => Promise<void>

/** The same browser can go on with the user. */
const leave: Undo = async (ctx, _database, { account, user }) => {
  ctx.config.log.warn(
    'sign-up-incomplete',
    'A user was created, but linking its account failed. The same browser can repeat the sign-up.',
  )
  await resume.create(ctx, attemptOf(account), stateOf(user))
}

const takeBack: Undo = async (ctx, database, step) => {
  try {
    await database.deleteUser(ctx, step.user.id)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    ctx.config.log.debug?.('user not deleted', { reason: error.message })
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

/**
 * Creates the user. When the answer of the database gets lost, the row is found by the id that was proposed: one that is
 * found by its address may belong to somebody else.
 */
async function create(
  ctx: Context,
  database: Database,
  { user, account, emailVerified }: SignUp,
): Promise<AdapterUser> {
  const row = newUser(user, emailVerified)
  try {
    return await database.createUser(ctx, row)
  } catch (error) {
    const found = await orNull(database.user(ctx, row.id))
    if (found) return found
    // It may be there all the same, or arrive late.
    await resume.create(ctx, attemptOf(account), stateOf(row))
    throw error
  }
}

async function createStepwise(
  ctx: Context,
  database: Database,
  request: SignUp,
): Promise<SignedUp> {
  const user = await create(ctx, database, request)
  let owner: AdapterUser
  try {
    owner = await link(ctx, database, { user, account: request.account })
  } catch (error) {
    await takeBack(ctx, database, { account: request.account, user })
    throw error
  }
  // The same person, in another tab, was faster.
  if (owner.id !== user.id) await takeBack(ctx, database, { account: request.account, user })
  return { user: owner, isNew: owner.id === user.id }
}

async function createAtOnce(
  ctx: Context,
  database: Database,
  { user, account, emailVerified }: SignUp,
): Promise<SignedUp> {
  const made = await database.transaction(ctx, async (inner) => {
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
    return (await database.has('transaction'))
      ? await createAtOnce(ctx, database, request)
      : await createStepwise(ctx, database, request)
  } catch (error) {
    const owner = await ownerByNow(ctx, database, request)
    if (owner) return { user: owner, isNew: false }
    if (!(await isTaken(ctx, database, request))) throw error
    throw new OAuthAccountNotLinked('A user with the same e-mail address was created meanwhile.', {
      provider: request.account.provider,
      ...(error instanceof Error && { cause: error }),
    })
  }
}
