/** The stored hash of a magic link, and the cookie of the browser that requested it. */
import type { VerificationToken } from '../../database/adapter.ts'
import { createTransaction } from '../../checks/transaction.ts'
import type { Transaction, TransactionKey } from '../../checks/transaction.ts'
import type { EmailConfig } from '../../config/email.ts'
import type { Context } from '../../contracts.ts'
import type { AddressEvidence } from '../../evidence.ts'
import { sha256 } from '../../crypto/digest.ts'
import type { Database } from '../../database/database.ts'
import type { Fetch } from '../../types.ts'

export interface EmailProvider {
  readonly id: string
  readonly config: EmailConfig
  readonly database: Database
  readonly fetch: Fetch
}

export type LinkKey = Pick<VerificationToken, 'identifier' | 'token'>

/** Returns the keys under which a link may be stored, one for each secret; links are created with the first. */
export async function linkKeys(
  { config: { secrets } }: Context,
  { config: { secret } }: EmailProvider,
  { address, token }: { readonly address: string; readonly token: string },
): Promise<[LinkKey, ...LinkKey[]]> {
  const keyFor = async (each: string) => {
    return { identifier: address, token: await sha256(token + each, 'hex') }
  }
  const [current = '', ...former] = secret ? [secret] : secrets
  return Promise.all([keyFor(current), ...former.map(keyFor)])
}

/** Uses the keyed hash: an unkeyed hash of a short custom token could be brute-forced from the cookie. */
export function transactionKey({ id }: EmailProvider, { token }: LinkKey): TransactionKey {
  return { provider: id, state: token, from: 'same-site' }
}

/** Sets a transaction cookie, so that this browser can use the link without confirmation. */
export async function rememberLink(
  ctx: Context,
  provider: EmailProvider,
  {
    returnTo,
    stepUp,
    keepSignedIn,
    ...link
  }: VerificationToken & Pick<Transaction, 'returnTo' | 'stepUp' | 'keepSignedIn'>,
): Promise<void> {
  const { from, ...key } = transactionKey(provider, link)
  const maxAge = Math.ceil((link.expires.getTime() - Date.now()) / 1000)
  const transaction = { ...key, address: link.identifier, returnTo, stepUp, keepSignedIn }
  await createTransaction(ctx, transaction, { from, maxAge })
}

/** Used before and after the link is redeemed, so `emailVerified` is not set here. */
export function addressEvidence(
  provider: string,
  address: string,
  returnTo: string,
): AddressEvidence {
  const user = { id: crypto.randomUUID(), email: address, emailVerified: null }
  const account = { providerAccountId: address, type: 'email', provider } as const
  return { proves: 'address', address, user, account, returnTo }
}
