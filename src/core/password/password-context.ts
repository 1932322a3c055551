import type { PasswordSettings } from '../config/password-options.ts'
import type { Context } from '../contracts.ts'
import type { DatabaseAccess, DatabaseSource } from '../database/database.ts'

/** A request about passwords. */
export interface PasswordContext extends Context, DatabaseAccess {
  readonly settings: PasswordSettings
}

export async function withPasswords(
  request: Context,
  source: DatabaseSource,
  settings: PasswordSettings,
): Promise<PasswordContext> {
  const database = await source()
  return {
    ...request,
    database,
    settings,
    query: (method, ...args) => database.call(request, method, ...args),
  }
}
