/** What the first step of a sign-in relies on. */
import type { Context } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { MissingAdapter } from '../errors/classes.ts'
import type { FactorContext } from './accept-code.ts'

export async function withDatabase(ctx: Context): Promise<Context & FactorContext> {
  const database = await ctx.config.database?.()
  if (!database) throw new MissingAdapter('Second factors are stored in a database. Set adapter.')
  const query: DatabaseAccess['query'] = (method, ...args) => database.call(ctx, method, ...args)
  return { ...ctx, database, query }
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
