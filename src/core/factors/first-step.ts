/** What the first step of a sign-in relies on. */
import { withDatabase } from '../checks/with-database.ts'
import type { Context } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { FactorContext } from './accept-code.ts'

export function withFactors(ctx: Context): Promise<Context & FactorContext> {
  return withDatabase(ctx, 'Second factors are stored in a database.')
}

/** Changes with what the first step relies on, so that a reset or an eviction ends a sign-in that waits. */
export async function describeState(ctx: FactorContext, userId: string): Promise<string | null> {
  const user = await ctx.query('getUser', userId)
  if (!user) return null
  const hasPasswords = await ctx.database.has('getPassword')
  const password = hasPasswords ? await ctx.query('getPassword', userId) : null
  const { email, emailVerified } = user
  const parts = [email, emailVerified?.getTime() ?? null, password?.changed.getTime() ?? null]
  return sha256(JSON.stringify(parts), 'base64url')
}
