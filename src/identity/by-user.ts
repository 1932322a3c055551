/** The application has said who somebody is, and sessions are kept in the database. */
import type { AdapterUser } from '../adapters/index.ts'
import type { Admission, Context, UserEvidence } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import { CallbackRouteError } from '../errors/sign-in.ts'
import { newUser } from './sign-up.ts'

async function find(
  ctx: Context,
  database: Database,
  { user: { id, email } }: UserEvidence,
): Promise<AdapterUser | null> {
  const byId = id === undefined ? null : await database.user(ctx, id)
  return byId ?? (email ? database.userByEmail(ctx, email) : null)
}

/** Lets in the user that the application means: the one with that id, else with that address. */
export async function admitUser(
  ctx: Context,
  database: Database,
  evidence: UserEvidence,
): Promise<Admission> {
  const { account, mayCreate } = evidence
  const known = await find(ctx, database, evidence)
  if (!known && !mayCreate)
    throw new CallbackRouteError(
      `The user that provider ${account.provider} returned is not in the database, so there can be no session for them. Return a user with the id of one that is, or set createUser: true on the provider.`,
    )
  const user = known ?? (await database.createUser(ctx, newUser(evidence.user, null)))
  return {
    user,
    account: { ...account, userId: user.id },
    isNewUser: !known,
    news: known ? [] : [{ event: 'createUser', user }],
  }
}
