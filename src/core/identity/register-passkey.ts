/** Stores a new passkey: for the signed-in user, or for a new one. */
import type { AdapterAccountKey, AdapterUser } from '../database/adapter.ts'
import { requireFresh } from '../assurance/require-fresh.ts'
import { deleteSealedCookie } from '../checks/sealed-cookie.ts'
import type { ProvisionedUser, UserEvent, UserMatch } from '../contracts.ts'
import type { NewPasskey, PasskeyProof } from '../evidence.ts'
import { cannotAddPasskey } from '../checks/stored-subject.ts'
import type { Database } from '../database/database.ts'
import { existingUser } from '../database/methods.ts'
import { AccountNotLinked, AdapterError } from '../errors/classes.ts'
import {
  createUserById,
  insertOrRead,
  isIncomplete,
  newUser,
  nullOnError,
  rememberSignUp,
  undoSignUp,
} from './create-user.ts'
import type { DatabaseContext } from './create-user.ts'
import { checkLink, checkLinkFromSession, checkSignUp, currentUser } from './evict.ts'
import type { LinkCheck } from './evict.ts'

interface Registration extends DatabaseContext {
  readonly evidence: PasskeyProof
  readonly passkey: NewPasskey
}

function notLinked(ctx: Registration, reason: string, details?: object): AccountNotLinked {
  return new AccountNotLinked(reason, { provider: ctx.evidence.account.provider, ...details })
}

async function linked(
  ctx: Registration,
  user: AdapterUser,
  check: LinkCheck,
): Promise<ProvisionedUser> {
  const account = { ...ctx.evidence.account, userId: user.id }
  const event: UserEvent = { event: 'linkAccount', message: { user, account, profile: user } }
  const wasVerified = user.emailVerified !== null
  const confirm = await checkLink(ctx, { user, account }, check)
  return { user, account, isNewUser: false, wasVerified, events: [event], confirm }
}

/** The rows of the passkey, for a user who exists. */
async function insertPasskey(
  { evidence, passkey, ...ctx }: Registration,
  database: Database,
  { id: userId }: AdapterUser,
): Promise<void> {
  await database.call(ctx, 'linkAccount', { ...evidence.stored, userId })
  await database.call(ctx, 'createAuthenticator', { ...passkey.authenticator, userId })
}

async function unlinkPasskey(ctx: Registration): Promise<void> {
  if (!(await ctx.database.has('unlinkAccount'))) return
  await nullOnError(ctx.query('unlinkAccount', ctx.evidence.account))
}

/**
 * Does what {@link insertPasskey} does, for adapters without transactions. Of concurrent calls with the same response, in
 * any process, the one that links the account succeeds. Returns its owner if another call has linked it, else `null`.
 */
async function insertInSteps(
  ctx: Registration,
  { id: userId }: AdapterUser,
): Promise<AdapterUser | null> {
  const { evidence, passkey } = ctx
  try {
    await ctx.query('linkAccount', { ...evidence.stored, userId })
  } catch (error) {
    const owner = await nullOnError(ctx.query('getUserByAccount', evidence.account))
    if (owner) return owner
    throw error
  }
  const row = { ...passkey.authenticator, userId }
  try {
    await insertOrRead<unknown>(
      ctx.query('createAuthenticator', row).then(() => row),
      () => ctx.query('getAuthenticator', row.credentialID),
    )
    return null
  } catch (error) {
    await unlinkPasskey(ctx)
    throw error
  }
}

const TAKEN = 'The passkey is registered already.'

async function addToCurrentUser(ctx: Registration, user: AdapterUser) {
  if (await ctx.database.has('transaction'))
    await ctx.database.transaction(ctx, (inner) => insertPasskey(ctx, inner, user))
  else if (await insertInSteps(ctx, user)) throw notLinked(ctx, TAKEN)
  return linked(ctx, user, checkLinkFromSession)
}

/** The key of a sign-up that can be repeated: a new attempt has another passkey, but the same address. */
function signUpKey({ account: { provider }, user }: PasskeyProof): AdapterAccountKey {
  return { provider, providerAccountId: user.email ?? '' }
}

async function signUpInSteps(
  ctx: Registration,
  row: AdapterUser,
  incomplete: AdapterUser | null,
): Promise<AdapterUser> {
  const key = signUpKey(ctx.evidence)
  let user = incomplete ?? row
  let owner: AdapterUser | null = null
  try {
    user = incomplete ?? (await createUserById(ctx, row))
    owner = await insertInSteps(ctx, user)
    if (owner) throw notLinked(ctx, TAKEN)
    return user
  } catch (error) {
    // Another call completes the sign-up of this user.
    await (owner?.id === user.id ? rememberSignUp : undoSignUp)(ctx, user, key)
    throw error
  }
}

async function signUpAtOnce(ctx: Registration, row: AdapterUser) {
  const created = await ctx.database.transaction(ctx, async (inner) => {
    const user = await inner.call(ctx, 'createUser', row)
    await insertPasskey(ctx, inner, user)
    return user
  })
  return existingUser(created, 'transaction')
}

async function signUp(ctx: Registration): Promise<ProvisionedUser> {
  const { user: profile } = ctx.evidence
  const key = signUpKey(ctx.evidence)
  const row = { ...newUser(profile, null), id: profile.id ?? crypto.randomUUID() }
  const sameEmail = profile.email ? await ctx.query('getUserByEmail', profile.email) : null
  const incomplete = sameEmail && (await isIncomplete(ctx, sameEmail, key)) ? sameEmail : null
  if (sameEmail && !incomplete)
    throw notLinked(ctx, 'Another user has the e-mail address. Sign in, then add a passkey.')
  const isAtomic = incomplete === null && (await ctx.database.has('transaction'))
  const user = await (isAtomic ? signUpAtOnce(ctx, row) : signUpInSteps(ctx, row, incomplete))
  deleteSealedCookie(ctx, 'resume')
  const provisioned = await linked(ctx, user, checkSignUp)
  const created: UserEvent = { event: 'createUser', message: { user } }
  return { ...provisioned, isNewUser: true, events: [created, ...provisioned.events] }
}

/** Reports a passkey, or an address, that a concurrent registration has stored as a conflict instead of an outage. */
async function orConflict(
  ctx: Registration,
  registration: Promise<ProvisionedUser>,
): Promise<ProvisionedUser> {
  const { passkey, evidence } = ctx
  const { email } = evidence.user
  try {
    return await registration
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    const { credentialID } = passkey.authenticator
    const stored = await nullOnError(ctx.query('getAuthenticator', credentialID))
    const sameEmail = email ? await nullOnError(ctx.query('getUserByEmail', email)) : null
    if (stored) throw notLinked(ctx, TAKEN, { cause: error })
    if (sameEmail && !(await isIncomplete(ctx, sameEmail, signUpKey(evidence))))
      throw notLinked(
        ctx,
        'A user with the e-mail address was created during the registration.',
        error,
      )
    throw error
  }
}

export async function matchNew(ctx: Registration): Promise<UserMatch> {
  const { evidence, passkey } = ctx
  // Also a passkey of the same user: a registration never signs in with an existing passkey (WebAuthn §7.1).
  if (await ctx.query('getAuthenticator', passkey.authenticator.credentialID))
    throw notLinked(ctx, TAKEN)
  if (passkey.isFor === null)
    return {
      user: evidence.user,
      account: evidence.account,
      provision: () => orConflict(ctx, signUp(ctx)),
    }
  const current = await currentUser(ctx, null)
  if (!current) throw notLinked(ctx, 'The session ended during the registration.')
  if (!current.mayLink) throw cannotAddPasskey(evidence.account.provider)
  const { user } = current
  // The application may have assigned the session to another user (impersonation).
  if (!(await passkey.isFor(user.id)))
    throw notLinked(ctx, 'Another user is signed in than when the registration began.')
  await requireFresh(ctx, evidence.returnTo)
  const account = { ...evidence.account, userId: user.id }
  return { user, account, provision: () => orConflict(ctx, addToCurrentUser(ctx, user)) }
}
