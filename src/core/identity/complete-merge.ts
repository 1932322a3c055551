/** The end of a merge: the other user has signed in, with both steps if they have a second factor. */
import { anotherUser, sameUser } from '../assurance/step-up.ts'
import { mayActFor, storedSubject } from '../checks/stored-subject.ts'
import { withDatabase } from '../checks/with-database.ts'
import type { Context, ProvisionedUser } from '../contracts.ts'
import { InvalidCheck } from '../errors/classes.ts'
import type { Proved, StepUp } from '../evidence.ts'
import { mergeUsers, requireMergeable } from './merge-users.ts'

interface MergeProof {
  readonly evidence: Proved
  readonly provisioned: ProvisionedUser
  readonly stepUp: StepUp
}

/** The session stays as it is. @throws InvalidCheck, StepUpRequired, AccountMergeError */
export async function completeMerge(
  request: Context,
  { evidence, provisioned, stepUp }: MergeProof,
): Promise<void> {
  const ctx = await withDatabase(request, 'Users are merged in a database.')
  const { provider } = provisioned.account
  if (Date.now() > (stepUp.mergesUntil ?? 0))
    throw new InvalidCheck('The merge of two users has expired. Begin it again.')
  const subject = await storedSubject(ctx)
  const user = subject && (await ctx.query('getUser', subject.id))
  if (!user || user.id !== stepUp.user || !mayActFor(subject, user))
    throw new InvalidCheck('The user of the session is not the one who has begun the merge.')
  await requireMergeable({ ctx })
  const { id } = provisioned.user
  // A user from `authorize` may have an id of another table.
  const isStored = provisioned.wasVerified !== null && id !== undefined
  const from = isStored ? await ctx.query('getUser', id) : null
  if (!from) throw anotherUser(provider)
  if (from.id === user.id) throw sameUser(provider)
  await provisioned.confirm?.()
  await evidence.recheck?.()
  await mergeUsers({ ctx, user, from })
}
