/** How evidence is matched to a user in the database. */
import type { AdapterUser } from '../database/adapter.ts'
import type { Context, Evidence, MatchUser, ProvisionedUser, UserMatch } from '../contracts.ts'
import type { AddressEvidence, UserEvidence } from '../evidence.ts'
import type { DatabaseSource } from '../database/database.ts'
import { anotherUser } from '../assurance/step-up.ts'
import { addressState } from './address-state.ts'
import { isSameAddress } from './case-folding.ts'
import { AccessDenied, CallbackRouteError } from '../errors/classes.ts'
import { matchAccount } from './account-user.ts'
import { createUserByEmail, newUser, nullOnError } from './create-user.ts'
import type { DatabaseContext, SignedUp } from './create-user.ts'
import { evict, markVerified } from './evict.ts'
import { isVerifiedSince, verificationTime } from './verification-time.ts'

/** @throws AccessDenied if a concurrent request has created the user */
async function completeSignUp(
  ctx: DatabaseContext,
  created: NonNullable<AddressEvidence['created']>,
  { user, isNew, row }: SignedUp & { readonly row: AdapterUser },
): Promise<SignedUp> {
  // The response of the insert may have been lost.
  if (!isNew && user.id !== row.id)
    throw new AccessDenied('A user has the address of the sign-up already.')
  try {
    await created(user)
  } catch (error) {
    if (await ctx.database.has('deleteUser')) await nullOnError(ctx.query('deleteUser', user.id))
    throw error
  }
  return { user, isNew: true }
}

async function matchEmail(ctx: DatabaseContext, evidence: AddressEvidence): Promise<UserMatch> {
  const { address, account } = evidence
  const existing = await ctx.query('getUserByEmail', address)

  async function findOrCreate(): Promise<SignedUp> {
    if (!existing && evidence.mayCreate === false) throw anotherUser(account.provider)
    const row = newUser({ ...evidence.user, email: address }, verificationTime())
    const found = existing ? { user: existing, isNew: false } : await createUserByEmail(ctx, row)
    if (evidence.created) return completeSignUp(ctx, evidence.created, { ...found, row })
    if (found.isNew) return found
    // Also a user who signed up with the address in the meantime.
    const user = await (found.user.emailVerified ? markVerified : evict)(ctx, found.user)
    return { user, isNew: false }
  }

  async function provision(): Promise<ProvisionedUser> {
    // Before any other write, so that a failure leaves no partial state; the link itself is restored.
    if (await ctx.database.has('deleteVerificationTokens'))
      await ctx.query('deleteVerificationTokens', address)
    const { user, isNew } = await findOrCreate()
    return {
      user,
      account: { ...account, userId: user.id },
      isNewUser: isNew,
      wasVerified: true,
      events: [{ event: isNew ? 'createUser' : 'updateUser', message: { user } }],
      async confirm() {
        const owner = await ctx.query('getUserByEmail', address)
        const reason = 'The address now belongs to another user than when the link was used.'
        // The event createUser may have changed the address of a new user.
        if (owner ? owner.id !== user.id : !isNew) throw new AccessDenied(reason)
      },
    }
  }
  const user = existing ?? evidence.user
  return { user, account: existing ? { ...account, userId: existing.id } : account, provision }
}

async function findCredentialsUser(
  ctx: DatabaseContext,
  { user, account, mayCreate }: UserEvidence,
): Promise<SignedUp> {
  const { id, email } = user
  // A user without an id has the address as id, which some databases reject as a key.
  const byId = id === undefined || id === email ? null : await ctx.query('getUser', id)
  const returned = `The user returned by provider ${account.provider}`
  // The id may be one of another table, whose users are other persons.
  if (byId && email && !(byId.email && isSameAddress(email, byId.email)))
    throw new CallbackRouteError(
      `${returned} has the id of a user in the database, and not the e-mail address of that user. If the id is that of another table, return only the email. If they are the same user, return the address from the database, or no email.`,
    )
  const existing = byId ?? (email ? await ctx.query('getUserByEmail', email) : null)
  if (existing) return { user: existing, isNew: false }
  if (!mayCreate)
    throw new CallbackRouteError(
      `${returned} is not in the database. Return the id of an existing user, or set createUser: true on the provider.`,
    )
  if (!email)
    throw new CallbackRouteError(
      `${returned} has no email, so it cannot be found at the next sign-in. Return an email, or the id of an existing user.`,
    )
  return createUserByEmail(ctx, newUser(user, null))
}

function isUnevicted(stored: AdapterUser, user: AdapterUser, since: number): boolean {
  const isSame = stored.email === user.email && (user.emailVerified || !stored.emailVerified)
  return isSame && !isVerifiedSince(stored.emailVerified, since)
}

async function provisionCredentialsUser(
  ctx: DatabaseContext,
  evidence: UserEvidence,
): Promise<ProvisionedUser> {
  const { user, isNew } = await findCredentialsUser(ctx, evidence)
  /** The new user, as the handler of the event createUser left it. */
  let handled: AdapterUser | null = null
  return {
    user,
    account: { ...evidence.account, userId: user.id },
    isNewUser: isNew,
    events: isNew ? [{ event: 'createUser', message: { user } }] : [],
    async settle() {
      if (isNew && ctx.config.events.createUser) handled = await ctx.query('getUser', user.id)
    },
    async confirm() {
      const stored = await ctx.query('getUser', user.id)
      const isKept = handled
        ? stored && addressState(stored) === addressState(handled)
        : stored && isUnevicted(stored, user, evidence.checkedSince)
      if (!isKept) throw new AccessDenied('The user was changed or evicted during the sign-in.')
    },
  }
}

/** The row with the id of the user whom `authorize` returned; `null` unless it has the same address, too. */
async function findStated(
  ctx: DatabaseContext,
  { user: { id, email } }: UserEvidence,
): Promise<AdapterUser | null> {
  if (id === undefined || !email || !(await ctx.database.has('getUser'))) return null
  // Ids of another table are an error in some databases, for example in a column of type uuid.
  const stored = await nullOnError(ctx.query('getUser', id))
  return stored?.email && isSameAddress(email, stored.email) ? stored : null
}

/** A user from `authorize` whose session is not in the database: the id may be one of another table. */
async function matchStatedUser(ctx: DatabaseContext, evidence: UserEvidence): Promise<UserMatch> {
  const { user, account, isNewUser } = evidence
  async function provision(): Promise<ProvisionedUser> {
    const stored = await findStated(ctx, evidence)
    const verified = stored && stored.emailVerified
    const wasVerified =
      stored && verified !== null && !isVerifiedSince(verified, evidence.checkedSince)
    return { user, account, ...(isNewUser !== undefined && { isNewUser }), events: [], wasVerified }
  }
  return { user, account, provision }
}

async function matchStoredUser(ctx: DatabaseContext, evidence: Evidence): Promise<UserMatch> {
  if (evidence.proves === 'account') return matchAccount(ctx, evidence)
  if (evidence.proves === 'address') return matchEmail(ctx, evidence)
  if (evidence.proves === 'passkey') return evidence.match(ctx)
  const { user, account } = evidence
  return { user, account, provision: () => provisionCredentialsUser(ctx, evidence) }
}

/** Without an adapter, every authenticated visitor is a user. */
async function matchUnstoredUser(_ctx: Context, evidence: Evidence): Promise<UserMatch> {
  const { user, account, isNewUser } = evidence
  const provisioned = { user, account, events: [], ...(isNewUser !== undefined && { isNewUser }) }
  return { user, account, provision: async () => provisioned }
}

/** `credentials`: whether users from `authorize` must be in the database, like their sessions. */
export function userMatcher(
  load: DatabaseSource | undefined,
  credentials: 'stated' | 'stored',
): MatchUser {
  if (!load) return matchUnstoredUser
  return async (request, evidence) => {
    const database = await load()
    const ctx: DatabaseContext = {
      ...request,
      database,
      query: (method, ...args) => database.call(request, method, ...args),
    }
    return evidence.proves === 'user' && credentials === 'stated'
      ? matchStatedUser(ctx, evidence)
      : matchStoredUser(ctx, evidence)
  }
}
