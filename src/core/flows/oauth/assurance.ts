/** What an ID token states about the authentication of the user (OpenID Connect Core §2). */
import type { IDToken } from 'oauth4webapi'
import { levelOf, SEVERAL_FACTORS, statedMethods } from '../../assurance/level.ts'
import type { Transaction } from '../../checks/transaction.ts'
import type { ProviderAssurance } from '../../evidence.ts'
import type { OAuthProvider } from './provider.ts'

/** The values of `acr` that the application maps to level 2. */
export function strongContexts({
  trustsAssurance,
}: Pick<OAuthProvider, 'trustsAssurance'>): string[] {
  const levels = typeof trustsAssurance === 'object' ? Object.entries(trustsAssurance) : []
  return levels.flatMap(([acr, level]) => (level === 2 ? [acr] : []))
}

/** A mapped `acr` decides, also against `amr`. */
function readMethods({ trustsAssurance }: OAuthProvider, { amr, acr }: IDToken): readonly string[] {
  const methods = statedMethods(amr)
  const isMapped =
    typeof trustsAssurance === 'object' &&
    typeof acr === 'string' &&
    Object.hasOwn(trustsAssurance, acr)
  if (!isMapped) return methods
  if (trustsAssurance[acr] === 2) return [SEVERAL_FACTORS, ...methods]
  return levelOf(methods) === 1 ? methods : []
}

export function readAssurance(
  provider: OAuthProvider,
  claims: IDToken,
  { maxAge }: Partial<Transaction>,
): ProviderAssurance {
  const { auth_time: seconds, acr } = claims
  const isRequested = maxAge !== undefined || provider.client.require_auth_time === true
  // The clock of the provider may be ahead.
  const authTime =
    isRequested && seconds !== undefined ? Math.min(seconds * 1000, Date.now()) : undefined
  if (!provider.trustsAssurance) return { authTime, amr: [] }
  return {
    authTime,
    amr: [...new Set(readMethods(provider, claims))],
    acr: typeof acr === 'string' && acr ? acr : undefined,
  }
}
