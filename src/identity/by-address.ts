import type { AdapterUser } from '../adapters/index.ts'
import type { Admission, Context, Recognition } from '../contracts.ts'
import type { AddressEvidence } from '../evidence.ts'
import type { Database } from '../database/database.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { evict } from './evict.ts'
import { createByAddress, newUser } from './new-user.ts'

export async function recognizeAddress(
  ctx: Context,
  database: Database,
  { user, account, address }: AddressEvidence,
): Promise<Recognition> {
  const known = await database.call(ctx, 'getUserByEmail', address)
  return { known, user: known ?? user, account: known ? { ...account, userId: known.id } : account }
}

/** Marks the address as verified; the first time, evicts the user (see {@link evict}). */
async function verify(ctx: Context, database: Database, user: AdapterUser): Promise<AdapterUser> {
  const markVerified = () =>
    database.call(ctx, 'updateUser', { id: user.id, emailVerified: new Date() })
  return user.emailVerified ? markVerified() : evict(ctx, database, { user, markVerified })
}

export async function admitAddress(
  ctx: Context,
  database: Database,
  { evidence, known }: { readonly evidence: AddressEvidence; readonly known: AdapterUser | null },
): Promise<Admission> {
  // Runs before any other write, so that a failure leaves no partial state; the link itself is restored.
  if (await database.has('deleteVerificationTokens'))
    await database.call(ctx, 'deleteVerificationTokens', evidence.address)
  const { user: created, isNew } = known
    ? { user: known, isNew: false }
    : await createByAddress(
        ctx,
        database,
        newUser({ ...evidence.user, email: evidence.address }, new Date()),
      )
  const user = isNew ? created : await verify(ctx, database, created)
  const account = { ...evidence.account, userId: user.id }
  return {
    user,
    account,
    isNewUser: isNew,
    wasVerified: true,
    news: [{ event: isNew ? 'createUser' : 'updateUser', user }],
    async confirm() {
      const owner = await database.call(ctx, 'getUserByEmail', evidence.address)
      if (owner?.id !== user.id)
        throw new AccessDenied(
          'The address now belongs to another user than when the link was used.',
        )
    },
  }
}
