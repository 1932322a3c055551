import type { Context } from '../contracts.ts'
import type { Database } from '../database/database.ts'

/** A request on a site with an adapter. */
export interface DatabaseContext extends Context {
  readonly database: Database
}
