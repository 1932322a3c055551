import type { SessionContext } from '../contracts.ts'
import type { DatabaseAccess } from '../database/database.ts'
import { MissingAdapter } from '../errors/classes.ts'

/** The context with calls of the adapter. @throws MissingAdapter, with why it is needed, without one */
export async function withDatabase<C extends SessionContext>(
  ctx: C,
  reason: string,
): Promise<C & DatabaseAccess> {
  const database = await ctx.config.database?.()
  if (!database) throw new MissingAdapter(`${reason} Set adapter in the configuration.`)
  return { ...ctx, database, query: (method, ...args) => database.call(ctx, method, ...args) }
}
