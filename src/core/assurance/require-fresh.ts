import type { Context } from '../contracts.ts'
import { StepUpRequired } from '../errors/classes.ts'
import { noteStepUp } from '../errors/failed-step-up.ts'
import { assuranceOf, meets } from './requirement.ts'
import { createStepUp } from './step-up.ts'

/** With the option `account`, a session must be recent to get another sign-in method. @throws StepUpRequired */
export async function requireFresh(ctx: Context, returnTo: string): Promise<void> {
  const { account, session } = ctx.config
  const subject = account && (await session.subject(ctx))
  if (!subject) return
  const need = { maxAge: account.freshFor }
  if (await meets(assuranceOf(subject), need)) return
  const error = new StepUpRequired(
    `A sign-in method can be added to a user within ${account.freshFor} seconds after a sign-in (account.freshFor). The user has to confirm who they are, and repeat it.`,
  )
  noteStepUp(error, await createStepUp(subject, need), returnTo)
  throw error
}
