/** How a user from `authorize` is matched to a stored user when sessions are in the database. */
import type { AdapterUser } from '../adapters/index.ts'
import type { ProvisionedUser, UserEvidence } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { AccessDenied, CallbackRouteError } from '../errors/sign-in.ts'
import { createUserByEmail, newUser } from './create-user.ts'
import type { SignedUp } from './create-user.ts'

async function findOrCreate(ctx: DatabaseContext, evidence: UserEvidence): Promise<SignedUp> {
  const { user, account, mayCreate } = evidence
  const { id, email } = user
  // A user without an id has the address as id, which some databases reject as a key.
  const byId = id === undefined || id === email ? null : await ctx.query('getUser', id)
  const existing = byId ?? (email ? await ctx.query('getUserByEmail', email) : null)
  if (existing) return { user: existing, isNew: false }
  const returned = `The user returned by provider ${account.provider}`
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

/** Whether the address was verified after `since`: credentials checked earlier may be those of an evicted user. */
function isVerifiedSince({ emailVerified }: AdapterUser, since: number): boolean {
  const verified = emailVerified?.getTime() ?? 0
  // Some databases store whole seconds.
  return verified % 1000 === 0 ? verified >= since - (since % 1000) : verified > since
}

export async function provisionCredentialsUser(
  ctx: DatabaseContext,
  evidence: UserEvidence,
): Promise<ProvisionedUser> {
  const { user, isNew } = await findOrCreate(ctx, evidence)
  return {
    user,
    account: { ...evidence.account, userId: user.id },
    isNewUser: isNew,
    events: isNew ? [{ event: 'createUser', message: { user } }] : [],
    async confirm() {
      const stored = await ctx.query('getUser', user.id)
      if (
        !stored ||
        stored.email !== user.email ||
        (!user.emailVerified && stored.emailVerified) ||
        isVerifiedSince(stored, evidence.checkedSince)
      )
        throw new AccessDenied('The user was changed or evicted during the sign-in.')
    },
  }
}
