/** The accounts of a user at providers. Those of passkeys are managed with the passkeys. */
import type { AdapterAccount } from '../database/adapter.ts'
import { canSignIn, readMethods } from '../identity/sign-in-methods.ts'
import type { SignInMethods } from '../identity/sign-in-methods.ts'
import { verifiedClaims } from '../logout/keep-hints.ts'
import { listScopes, readTokens } from '../tokens/stored-tokens.ts'
import type { LinkedAccount, LinkedAccountKey } from './account-info.ts'
import type { ManagedUser } from './managed-user.ts'

export function isSameAccount(one: LinkedAccountKey, other: LinkedAccountKey): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId
}

export function withoutAccount(methods: SignInMethods, key: LinkedAccountKey): SignInMethods {
  return { ...methods, accounts: methods.accounts.filter((each) => !isSameAccount(each, key)) }
}

export function describeAccount(row: AdapterAccount, methods: SignInMethods): LinkedAccount {
  const { provider, providerAccountId, type } = row
  const tokens = readTokens(row, row)
  const { email } = verifiedClaims(tokens.id_token)
  return {
    provider,
    providerAccountId,
    type,
    email: typeof email === 'string' ? email : null,
    scope: listScopes(tokens),
    isLast: canSignIn(methods) && !canSignIn(withoutAccount(methods, row)),
  }
}

/** By provider and id, so that the order does not change. */
export async function readAccounts({ ctx, user }: ManagedUser): Promise<readonly AdapterAccount[]> {
  const rows = await ctx.query('listAccounts', user.id)
  const nameOf = (row: AdapterAccount) => `${row.provider}\n${row.providerAccountId}`
  return rows
    .filter(({ type }) => type !== 'webauthn')
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

export async function listAccounts(managed: ManagedUser): Promise<LinkedAccount[]> {
  const rows = await readAccounts(managed)
  const methods = await readMethods(managed.ctx, managed.user)
  return rows.map((row) => describeAccount(row, methods))
}
