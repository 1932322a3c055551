/** Explains why a provider refused the client, by its error code (RFC 6749 §4.1.2.1, §5.2). */
import { providerNames } from '../../variables.ts'
import type { OAuthProvider } from './provider.ts'

export interface ProviderError {
  readonly error?: unknown
  /** Only searched, never quoted, because it may repeat parameters of the request. */
  readonly error_description?: unknown
  readonly status?: number
}

/** GitHub sends `incorrect_client_credentials` with status 200. */
const CLIENT_ERRORS: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'incorrect_client_credentials',
])

/** Codes that indicate a wrong redirect URI only if the description mentions it. */
const VAGUE_ERRORS: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'access_denied',
])

const REDIRECT_ERROR = /redirect[ _-]?ur[il]/i
const CODE = /^\w{1,64}$/

function aboutCredentials({ id, clientSecret }: OAuthProvider): string {
  return clientSecret
    ? `Check ${providerNames(id, 'clientSecret')[0]}.`
    : `Check ${providerNames(id, 'clientId')[0]} and client.token_endpoint_auth_method of the provider.`
}

function isAboutRedirect({ error, error_description: description }: ProviderError): boolean {
  if (typeof error !== 'string') return false
  if (REDIRECT_ERROR.test(error)) return true
  return VAGUE_ERRORS.has(error) && REDIRECT_ERROR.test(String(description))
}

export function explainRefusal(
  provider: OAuthProvider,
  refusal: ProviderError,
  redirectUri: string,
): string | undefined {
  const { error, status } = refusal
  const code = typeof error === 'string' && CODE.test(error) ? error : `status ${status ?? 0}`
  if (isAboutRedirect(refusal))
    return `The provider refused the redirect URI (${code}). Register ${redirectUri} as redirect URI at the provider.`
  if (CLIENT_ERRORS.has(error) || status === 401)
    return `The provider refused the client credentials (${code}). ${aboutCredentials(provider)}`
  return undefined
}
