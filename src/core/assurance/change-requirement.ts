import { FRESH_FOR } from '../config/defaults.ts'
import type { SessionContext } from '../contracts.ts'
import type { AuthRequirement } from './assured.ts'

/** Whether the sign-in of a stored user has a second step. @throws AdapterError */
async function hasFactor(ctx: SessionContext, userId: string): Promise<boolean> {
  const database = await ctx.config.database?.()
  if (!database || (!ctx.config.secondStep && !(await database.has('listFactors')))) return false
  return (await database.call(ctx, 'listFactors', userId)).some(({ confirmed }) => confirmed)
}

/**
 * What a session has to meet to change how its user signs in; `null`: no option asks for it.
 *
 * @param userId - of a stored user; `null`: another one, who has no factor
 */
export async function changeRequirement(
  ctx: SessionContext,
  userId: string | null,
): Promise<AuthRequirement | null> {
  const { account, secondStep } = ctx.config
  if (!account && !secondStep) return null
  const maxAge = account?.freshFor ?? FRESH_FOR
  return userId !== null && (await hasFactor(ctx, userId)) ? { maxAge, level: 2 } : { maxAge }
}
