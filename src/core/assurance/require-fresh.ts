import type { Context } from '../contracts.ts'
import { StepUpRequired } from '../errors/classes.ts'
import { noteStepUp } from '../errors/failed-step-up.ts'
import { changeRequirement } from './change-requirement.ts'
import { assuranceOf, meets } from './requirement.ts'
import { createStepUp } from './step-up.ts'

/** A session must meet {@link changeRequirement} to get another sign-in method. @throws StepUpRequired */
export async function requireFresh(ctx: Context, returnTo: string): Promise<void> {
  const { account, secondStep, session } = ctx.config
  const subject = (account ?? secondStep) ? await session.subject(ctx) : null
  if (!subject) return
  const need = await changeRequirement(ctx, subject.isStored === true ? subject.id : null)
  if (!need || (await meets(assuranceOf(subject), need))) return
  const error = new StepUpRequired(
    `A sign-in method can be added to a user within ${need.maxAge} seconds after a sign-in (account.freshFor)${need.level === 2 ? ' with both steps' : ''}. The user has to confirm who they are, and repeat it.`,
  )
  noteStepUp(error, await createStepUp(subject, need), returnTo)
  throw error
}
