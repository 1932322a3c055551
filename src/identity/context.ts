import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'
import type { Arguments, Method, Result } from '../database/methods.ts'

/** A sign-in on a site with an adapter. */
export interface DatabaseContext extends Context {
  readonly database: Database
  /** Calls a method of the adapter. @throws AdapterError */
  readonly query: <M extends Method>(method: M, ...args: Arguments<M>) => Promise<Result<M>>
}

export function withDatabase(ctx: Context, database: Database): DatabaseContext {
  return { ...ctx, database, query: (method, ...args) => database.call(ctx, method, ...args) }
}
