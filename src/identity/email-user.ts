/** How the address of a redeemed magic link is matched to a user. */
import type { AddressEvidence, UserMatch } from '../contracts.ts'
import type { DatabaseContext } from './context.ts'
import { AccessDenied } from '../errors/sign-in.ts'
import { createUserByEmail, newUser } from './create-user.ts'
import { evict, markVerified } from './evict.ts'

export async function matchEmail(
  ctx: DatabaseContext,
  evidence: AddressEvidence,
): Promise<UserMatch> {
  const { address, account } = evidence
  const existing = await ctx.query('getUserByEmail', address)

  async function findOrCreate() {
    if (!existing)
      return createUserByEmail(ctx, newUser({ ...evidence.user, email: address }, new Date()))
    // The first verification evicts the user.
    const user = await (existing.emailVerified ? markVerified : evict)(ctx, existing)
    return { user, isNew: false }
  }
  return {
    user: existing ?? evidence.user,
    account: existing ? { ...account, userId: existing.id } : account,
    async provision() {
      // Runs before any other write, so that a failure leaves no partial state; the link itself is restored.
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
          if (owner?.id !== user.id)
            throw new AccessDenied(
              'The address now belongs to another user than when the link was used.',
            )
        },
      }
    },
  }
}
