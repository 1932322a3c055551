/** How the address of a redeemed magic link is matched to a user. */
import type { AdapterUser } from '../adapters/index.ts'
import type { AddressEvidence, ProvisionedUser, UserMatch } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { createUserByEmail, newUser } from './create-user.ts'
import { evict } from './evict.ts'

export async function matchEmail(
  ctx: DatabaseContext,
  evidence: AddressEvidence,
): Promise<UserMatch> {
  const existing = await ctx.query('getUserByEmail', evidence.address)
  const { account } = evidence
  return {
    user: existing ?? evidence.user,
    account: existing ? { ...account, userId: existing.id } : account,
    provision: () => provision(ctx, { evidence, existing }),
  }
}

async function provision(
  ctx: DatabaseContext,
  {
    evidence,
    existing,
  }: { readonly evidence: AddressEvidence; readonly existing: AdapterUser | null },
): Promise<ProvisionedUser> {
  const { address, account } = evidence
  // Runs before any other write, so that a failure leaves no partial state; the link itself is restored.
  if (await ctx.database.has('deleteVerificationTokens'))
    await ctx.query('deleteVerificationTokens', address)
  const { user: found, isNew } = existing
    ? { user: existing, isNew: false }
    : await createUserByEmail(ctx, newUser({ ...evidence.user, email: address }, new Date()))
  const user = isNew ? found : await verify(ctx, found)
  return {
    user,
    account: { ...account, userId: user.id },
    isNewUser: isNew,
    wasVerified: true,
    events: [{ event: isNew ? 'createUser' : 'updateUser', message: { user } }],
    async confirm() {
      const owner = await ctx.query('getUserByEmail', address)
      if (owner?.id !== user.id)
        throw new AccessDenied(
          'The address now belongs to another user than when the link was used.',
        )
    },
  }
}

/** Marks the address as verified; the first time, evicts the user (see {@link evict}). */
async function verify(ctx: DatabaseContext, user: AdapterUser): Promise<AdapterUser> {
  const markVerified = () => ctx.query('updateUser', { id: user.id, emailVerified: new Date() })
  return user.emailVerified ? markVerified() : evict(ctx, { user, markVerified })
}
