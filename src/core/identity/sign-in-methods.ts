/** What a user can sign in with, so that they keep one of it. */
import type { SessionContext } from '../contracts.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'

/** Passwords do not count: the library cannot list them. */
export interface SignInMethods {
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
  { config: { providers }, database, query }: MethodsContext,
  user: AdapterUser,
  passkeys?: readonly AdapterAuthenticator[],
): Promise<SignInMethods> {
  const hasMail = providers.ids.some((id) => providers.get(id)?.offer.kind === 'email')
  const takesMail = hasMail && user.emailVerified !== null
  const found =
    passkeys ??
    ((await database.has('listAuthenticatorsByUserId'))
      ? await query('listAuthenticatorsByUserId', user.id)
      : [])
  if (!(await database.has('listAccounts'))) return { takesMail, accounts: [], passkeys: found }
  const accounts = await query('listAccounts', user.id)
  const usable = accounts.filter(({ provider }) => providers.get(provider))
  // A passkey cannot sign in without its account, or its provider.
  const withAccount = new Set(
    usable.filter(({ type }) => type === 'webauthn').map((each) => each.providerAccountId),
  )
  return {
    takesMail,
    accounts: usable.filter(({ type }) => type !== 'webauthn'),
    passkeys: found.filter(({ providerAccountId: id }) => withAccount.has(id)),
  }
}

export function canSignIn({ takesMail, accounts, passkeys }: SignInMethods): boolean {
  return takesMail || accounts.length > 0 || passkeys.length > 0
}
