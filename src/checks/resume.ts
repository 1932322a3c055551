/**
 * A sign-up that broke off half-way and could not be taken back: there is a user, and the account is not theirs
 * yet. The next attempt with the same account may go on where this one stopped.
 */
import type { Context } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'

const SALT = 'lib.resume'

/** Whose sign-up it is. */
interface AccountKey {
  readonly provider: string
  readonly providerAccountId: string
}

/** Remembers the user that was left behind, in the browser that tried. */
async function create(ctx: Context, key: AccountKey, userId: string): Promise<void> {
  const { jar, cookies, config } = ctx
  const { provider, providerAccountId } = key
  const maxAge = cookies.resume.options.maxAge ?? 0
  const value = await seal(
    { provider, providerAccountId, userId },
    { secrets: config.secrets, salt: SALT, maxAge },
  )
  jar.set({ ...cookies.resume, value })
}

/** The id of the user that an attempt with this account has left behind; `null`: none. */
async function find(ctx: Context, key: AccountKey): Promise<string | null> {
  const { jar, cookies, config } = ctx
  const value = jar.get(cookies.resume.name)
  if (value === undefined) return null
  const claims = await open(value, { secrets: config.secrets, salt: SALT })
  const { provider, providerAccountId, userId } = claims ?? {}
  const isSame = provider === key.provider && providerAccountId === key.providerAccountId
  return isSame && typeof userId === 'string' ? userId : null
}

/** Forgets it, once the sign-up is complete. */
function forget({ jar, cookies }: Context): void {
  if (jar.get(cookies.resume.name) !== undefined) jar.delete(cookies.resume)
}

/** Sign-ups that broke off. */
export const resume: {
  readonly create: typeof create
  readonly find: typeof find
  readonly forget: typeof forget
} = { create, find, forget }
