/** What a user can sign in with, so that they keep one of it. */
import { findPasswords } from '../checks/find-passwords.ts'
import type { SessionContext } from '../contracts.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'

/** Passwords count that `Password` stores; the library cannot list others. */
export interface SignInMethods {
  readonly hasPassword: boolean
  /** Whether a link or a code can be sent to a verified address. */
  readonly takesMail: boolean
  /** Accounts of configured providers, without those of passkeys. */
  readonly accounts: readonly AdapterAccount[]
  /** Those that can sign in. */
  readonly passkeys: readonly AdapterAuthenticator[]
}

type MethodsContext = DatabaseAccess & Pick<SessionContext, 'config'>

/** `passkeys`, if they were read before. */
export async function readMethods(
  ctx: MethodsContext,
  user: AdapterUser,
  passkeys?: readonly AdapterAuthenticator[],
): Promise<SignInMethods> {
  const { config, database, query } = ctx
  const { providers } = config
  const hasMail = providers.ids.some((id) => providers.get(id)?.offer.kind === 'email')
  const takesMail = hasMail && user.emailVerified !== null
  const hasPassword =
    findPasswords(ctx) !== undefined &&
    Boolean(user.email) &&
    (await query('getPassword', user.id)) !== null
  const found =
    passkeys ??
    ((await database.has('listAuthenticatorsByUserId'))
      ? await query('listAuthenticatorsByUserId', user.id)
      : [])
  if (!(await database.has('listAccounts')))
    return { hasPassword, takesMail, accounts: [], passkeys: found }
  const accounts = await query('listAccounts', user.id)
  const usable = accounts.filter(({ provider }) => providers.get(provider))
  // A passkey cannot sign in without its account, or its provider.
  const withAccount = new Set(
    usable.filter(({ type }) => type === 'webauthn').map((each) => each.providerAccountId),
  )
  return {
    hasPassword,
    takesMail,
    accounts: usable.filter(({ type }) => type !== 'webauthn'),
    passkeys: found.filter(({ providerAccountId: id }) => withAccount.has(id)),
  }
}

export function canSignIn({ hasPassword, takesMail, accounts, passkeys }: SignInMethods): boolean {
  return hasPassword || takesMail || accounts.length > 0 || passkeys.length > 0
}
