/** Finds the user of an address, and their password, in the same steps whether there is one or not. */
import type { AdapterUser, StoredPassword } from '../database/adapter.ts'
import type { Database } from '../database/database.ts'
import { AdapterError } from '../errors/classes.ts'
import type { PasswordContext } from './password-context.ts'

export interface Owner {
  readonly user: AdapterUser
  /** `null`: the user has none. */
  readonly password: StoredPassword | null
}

/** Databases whose ids of users are numbers. */
const numbered: WeakSet<Database> = new WeakSet()

/** Reads the password of a user that does not exist, as for one who does. */
async function readNone({ database, query }: PasswordContext): Promise<void> {
  if (!numbered.has(database)) {
    try {
      await query('getPassword', crypto.randomUUID())
      return
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
    }
  }
  // An outage fails again.
  await query('getPassword', '0')
  numbered.add(database)
}

/** `address`: normalized; `null` for one that no user can have. */
export async function findOwner(
  ctx: PasswordContext,
  address: string | null,
): Promise<Owner | null> {
  const user = await ctx.query('getUserByEmail', address ?? 'unknown@localhost.invalid')
  if (address !== null && user) return { user, password: await ctx.query('getPassword', user.id) }
  await readNone(ctx)
  return null
}
