/** Users who change their own e-mail address. */
import { answer } from '../call-result.ts'
import type { Answer } from '../call-result.ts'
import type { AuthConfig } from '../config/types.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { requireAssured } from '../require-auth.ts'
import type { PendingEmail } from './account-info.ts'
import { change, findManaged } from './account-owner.ts'
import { cancelEmailChange, findEmailChange, requestEmailChange } from './change-email.ts'
import type { ManagedUser } from './managed-user.ts'

/** Without a confirmation of the current mailbox, the session alone must not be enough. @throws StepUpRequired */
async function requireStrong({ ctx, user }: ManagedUser, caller: ReadRequest): Promise<void> {
  const { account } = ctx.config
  if (account?.changeEmail !== 'new' || !user.emailVerified) return
  const options = { maxAge: account.freshFor, level: 2 } as const
  await requireAssured(ctx, caller, { caller: 'account.changeEmail', options, userId: user.id })
}

export function changeEmailOwn(
  caller: ReadRequest,
  config: AuthConfig,
  to: unknown,
): Promise<Answer<PendingEmail>> {
  return change(caller, config, 'account.changeEmail', async (managed) => {
    await requireStrong(managed, caller)
    return requestEmailChange(managed, to)
  })
}

export function pendingEmailOwn(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<PendingEmail | null>> {
  return answer({ caller, config, access: 'reads' }, async (ctx) => {
    const managed = await findManaged(ctx, await ctx.config.session.readSubject(ctx))
    return managed && findEmailChange(managed)
  })
}

/** Needs no recent sign-in: it only keeps what is. */
export function cancelEmailOwn(caller: ReadRequest, config: AuthConfig): Promise<Answer<boolean>> {
  return answer({ caller, config, access: 'changes' }, async (ctx) => {
    const managed = await findManaged(ctx, await ctx.config.session.readSubject(ctx))
    return managed !== null && cancelEmailChange(managed)
  })
}
