/** How a user from `authorize` is matched to a stored user when sessions are in the database. */
import type { AdapterUser } from '../adapters/index.ts'
import type { ProvisionedUser, UserEvidence } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { AccessDenied, CallbackRouteError } from '../errors/sign-in.ts'
import { createUserByEmail, newUser } from './create-user.ts'

async function findUser(
  ctx: DatabaseContext,
  { user: { id, email } }: UserEvidence,
): Promise<AdapterUser | null> {
  // A user without an id has the address as id, which some databases reject as a key.
  const byId = id === undefined || id === email ? null : await ctx.query('getUser', id)
  return byId ?? (email ? ctx.query('getUserByEmail', email) : null)
}

async function createUser(
  ctx: DatabaseContext,
  { user, account: { provider }, mayCreate }: UserEvidence,
) {
  if (!mayCreate)
    throw new CallbackRouteError(
      `The user returned by provider ${provider} is not in the database. Return the id of an existing user, or set createUser: true on the provider.`,
    )
  if (!user.email)
    throw new CallbackRouteError(
      `The user returned by provider ${provider} has no email, so it cannot be found at the next sign-in. Return an email, or the id of an existing user.`,
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
  const existing = await findUser(ctx, evidence)
  const { user, isNew } = existing
    ? { user: existing, isNew: false }
    : await createUser(ctx, evidence)
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
