/** How a user from `authorize` is matched to a stored user when sessions are in the database. */
import type { AdapterUser } from '../adapters/index.ts'
import type { Admission, Context } from '../contracts.ts'
import type { UserEvidence } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { AccessDenied, CallbackRouteError } from '../errors/sign-in.ts'
import { createByAddress, newUser } from './new-user.ts'
import type { SignedUp } from './new-user.ts'

async function find(
  ctx: Context,
  database: Database,
  { user: { id, email } }: UserEvidence,
): Promise<AdapterUser | null> {
  // A user without an id has the address as id, which some databases reject as a key.
  const byId = id === undefined || id === email ? null : await database.call(ctx, 'getUser', id)
  return byId ?? (email ? database.call(ctx, 'getUserByEmail', email) : null)
}

async function create(
  ctx: Context,
  database: Database,
  { user, account }: UserEvidence,
): Promise<SignedUp> {
  const row = newUser(user, null)
  if (row.email) return createByAddress(ctx, database, row)
  throw new CallbackRouteError(
    `The user returned by provider ${account.provider} has no email, so it cannot be found at the next sign-in. Return an email, or the id of an existing user.`,
  )
}

/** Whether the address was verified after `since`: credentials checked earlier may be those of an evicted user. */
function isVerifiedSince({ emailVerified }: AdapterUser, since: number): boolean {
  const verified = emailVerified?.getTime() ?? 0
  // Some databases store whole seconds.
  return verified % 1000 === 0 ? verified >= since - (since % 1000) : verified > since
}

export async function admitUser(
  ctx: Context,
  database: Database,
  evidence: UserEvidence,
): Promise<Admission> {
  const { account, mayCreate } = evidence
  const known = await find(ctx, database, evidence)
  if (!known && !mayCreate)
    throw new CallbackRouteError(
      `The user returned by provider ${account.provider} is not in the database. Return the id of an existing user, or set createUser: true on the provider.`,
    )
  const { user, isNew } = known
    ? { user: known, isNew: false }
    : await create(ctx, database, evidence)
  return {
    user,
    account: { ...account, userId: user.id },
    isNewUser: isNew,
    news: isNew ? [{ event: 'createUser', user }] : [],
    async confirm() {
      const now = await database.call(ctx, 'getUser', user.id)
      const isEvicted = now && !user.emailVerified && now.emailVerified
      if (
        !now ||
        now.email !== user.email ||
        isEvicted ||
        isVerifiedSince(now, evidence.checkedSince)
      )
        throw new AccessDenied('The user was changed or evicted during the sign-in.')
    },
  }
}
