/** Users end their other sessions, within a recent sign-in if the application asks for it. */
import { changeRequirement } from '../assurance/change-requirement.ts'
import type { Answer } from '../call-result.ts'
import type { AuthConfig } from '../config/types.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { keepKnown } from '../limits/known-browser.ts'
import { requireAssured } from '../require-auth.ts'
import { endListed, endOthers, manage } from '../session/manage-sessions.ts'
import type { SessionOwner } from '../session/manage-sessions.ts'

/** Else, who copies the cookie of a session could sign its owner out everywhere. @throws StepUpRequired */
async function requireRecent(
  { ctx, subject }: SessionOwner,
  caller: ReadRequest,
  name: string,
): Promise<void> {
  const options = await changeRequirement(ctx, subject.isStored === true ? subject.id : null)
  if (options) await requireAssured(ctx, caller, { caller: name, options, userId: subject.id })
}

export function revokeOwn(
  caller: ReadRequest,
  config: AuthConfig,
  sid: string,
): Promise<Answer<boolean | null>> {
  return manage(caller, config, 'changes', async (owner) => {
    const { ctx, subject, headers } = owner
    if (sid !== owner.sid) await requireRecent(owner, caller, 'sessions.revoke')
    return endListed(ctx, sid, { userId: subject.id, reason: 'user', headers })
  })
}

export function revokeOtherOwn(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<number | null>> {
  return manage(caller, config, 'changes', async (owner) => {
    const { ctx, subject, sid, headers } = owner
    await requireRecent(owner, caller, 'sessions.revokeOthers')
    const ended = await endOthers(ctx, [sid], { userId: subject.id, reason: 'user', headers })
    await keepKnown(ctx, subject.id)
    return ended
  })
}
