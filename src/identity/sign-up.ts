import type { AdapterAccountKey, AdapterUser } from '../adapters/index.ts'
import { resume } from '../checks/resume.ts'
import type { ResumeName } from '../checks/resume.ts'
import type { Context } from '../contracts.ts'
import type { StoredAccount } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { existingUser } from '../database/rows.ts'
import { AuthError } from '../errors/base.ts'
import { OAuthAccountNotLinked } from '../errors/sign-in.ts'
import type { User } from '../types.ts'
import { orNull, ownerByNow } from './left-behind.ts'
import { newUser } from './new-user.ts'
import type { SignedUp } from './new-user.ts'

export interface SignUp {
  readonly user: User
  readonly account: StoredAccount
  readonly emailVerified: Date | null
}

/** Names an interrupted sign-up. */
function attemptOf({ provider, providerAccountId }: AdapterAccountKey): ResumeName {
  return ['account', provider, providerAccountId]
}

/** State of an incomplete user. If the address was verified since, the user may belong to another person. */
function stateOf({ id, emailVerified }: AdapterUser): string {
  // Some databases store whole seconds.
  const verified = emailVerified && Math.floor(emailVerified.getTime() / 1000)
  return JSON.stringify([id, verified])
}

/** Whether a sign-up with this account in this browser was interrupted, and the user is unchanged since. */
export async function isLeftBehind(
  ctx: Context,
  user: AdapterUser,
  account: AdapterAccountKey,
): Promise<boolean> {
  return (await resume.find(ctx, attemptOf(account))) === stateOf(user)
}

/** Whether another user has the address, except one from an interrupted sign-up in this browser. */
async function isTaken(
  ctx: Context,
  database: Database,
  { user: { email }, account }: SignUp,
): Promise<boolean> {
  const twin = email ? await orNull(database.call(ctx, 'getUserByEmail', email)) : null
  return twin !== null && !(await isLeftBehind(ctx, twin, account))
}

/** What happens to a user whose account could not be linked. */
type Undo = (
  ctx: Context,
  database: Database,
  step: { readonly account: StoredAccount; readonly user: AdapterUser },
) => Promise<void>

/** Sets a resume cookie, so that the same browser can continue the sign-up. */
const leave: Undo = async (ctx, _database, { account, user }) => {
  ctx.config.log.warn(
    'sign-up-incomplete',
    'A user was created, but linking its account failed. The same browser can repeat the sign-up.',
  )
  await resume.create(ctx, attemptOf(account), stateOf(user))
}

/** Deletes the user, unless its owner has verified the address meanwhile: then it is no longer ours. */
const takeBack: Undo = async (ctx, database, step) => {
  try {
    const now = await database.call(ctx, 'getUser', step.user.id)
    if (!now || stateOf(now) !== stateOf(step.user)) return
    await database.call(ctx, 'deleteUser', step.user.id)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    ctx.config.log.debug?.('user not deleted', { reason: error.message })
    await leave(ctx, database, step)
  }
}

/** Returns the owner. An existing link to this user means that an earlier insert committed but its response was lost. */
export async function link(
  ctx: Context,
  database: Database,
  { user, account }: { readonly user: AdapterUser; readonly account: StoredAccount },
): Promise<AdapterUser> {
  try {
    await database.call(ctx, 'linkAccount', { ...account, userId: user.id })
    return user
  } catch (error) {
    const owner = await orNull(database.call(ctx, 'getUserByAccount', account))
    if (!owner) throw error
    return owner
  }
}

/** Looks a lost insert up by the proposed id: a user with the same address may be another person. */
async function create(
  ctx: Context,
  database: Database,
  { user, account, emailVerified }: SignUp,
): Promise<AdapterUser> {
  const row = newUser(user, emailVerified)
  try {
    return await database.call(ctx, 'createUser', row)
  } catch (error) {
    const found = await orNull(database.call(ctx, 'getUser', row.id))
    if (found) return found
    // The insert may still commit.
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
  // A concurrent sign-up has linked the account to another user.
  if (owner.id !== user.id) await takeBack(ctx, database, { account: request.account, user })
  return { user: owner, isNew: owner.id === user.id }
}

async function createAtOnce(
  ctx: Context,
  database: Database,
  { user, account, emailVerified }: SignUp,
): Promise<SignedUp> {
  const made = await database.transaction(ctx, async (inner) => {
    const created = await inner.call(ctx, 'createUser', newUser(user, emailVerified))
    await inner.call(ctx, 'linkAccount', { ...account, userId: created.id })
    return created
  })
  return { user: existingUser(made, 'transaction'), isNew: true }
}

/** Of two concurrent sign-ups with one account, the second signs in to the user of the first. */
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
