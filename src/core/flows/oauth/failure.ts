/** Errors of the OAuth flow, without the tokens, claims and responses that underlying libraries attach to theirs. */
import { AuthError } from '../../errors/base.ts'
import { OAuthCallbackError } from '../../errors/classes.ts'
import { providerNames } from '../../config/variables.ts'
import type { OAuthProvider } from './provider.ts'

/** An error of the token endpoint. */
interface DescribedError {
  /** Without secrets. */
  readonly providerErrorDescription?: string | undefined
}

/** Characters of an error code (RFC 6749 §4.1.2.1). */
const ERROR_CODE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,64}$/

const ADDRESS = /[^\s'"<>]+@[^\s'"<>]+/g

/**
 * The description of an error of the token endpoint (RFC 6749 §5.2), to log. It may repeat parameters of the request, so
 * secrets and e-mail addresses are redacted. That of the authorization endpoint is not logged: the browser sends it.
 */
export function describeError(
  { secrets }: Pick<OAuthProvider, 'secrets'>,
  description: unknown,
): string | undefined {
  if (typeof description !== 'string' || description === '') return undefined
  return secrets.redact(new Error(description))?.message.replace(ADDRESS, '[redacted]')
}

/** Codes of the standard (RFC 6749 §5.2, §4.1.2.1), which tell what to do. A request may contain the same text. */
const STANDARD_CODE =
  /^(?:invalid_(?:request|client|grant|scope)|un(?:authorized_client|supported_grant_type)|access_denied|server_error|temporarily_unavailable)$/

/** The code of an error of the token endpoint. A faulty endpoint may repeat a token there, so secrets are redacted. */
export function readErrorCode(
  { secrets }: Pick<OAuthProvider, 'secrets'>,
  code: unknown,
): string | undefined {
  if (typeof code !== 'string' || code === '') return undefined
  return STANDARD_CODE.test(code) ? code : secrets.redact(new Error(code))?.message
}

/** Facts about an error that are safe to log. */
function collectFacts(error: object, provider: string): Record<string, unknown> {
  const property = (name: string): string | number | undefined => {
    const value = (error as Readonly<Record<string, unknown>>)[name]
    if (typeof value === 'number') return value
    return typeof value === 'string' && ERROR_CODE.test(value) ? value : undefined
  }
  const [providerError, status, reason] = ['error', 'status', 'code'].map(property)
  const { providerErrorDescription }: DescribedError = error
  return { provider, providerError, providerErrorDescription, status, reason }
}

export function errorDetails(error: unknown, provider: string): Record<string, unknown> {
  // A thrown value that is not an Error may be anything, for example the tokens.
  if (!(error instanceof Error)) return { provider }
  const cause = new Error(error.message)
  cause.name = error.name
  if (error.stack) cause.stack = error.stack
  return { ...collectFacts(error, provider), cause }
}

export async function orCallbackError<T>(
  provider: string,
  message: string,
  step: () => Promise<T> | T,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new OAuthCallbackError(message, errorDetails(error, provider))
  }
}

/** An error response of the authorization or token endpoint (RFC 6749 §4.1.2.1, §5.2). */
export interface ProviderError extends DescribedError {
  readonly error?: unknown
  /** Only searched, never quoted: see {@link describeError}. */
  readonly error_description?: unknown
  readonly status?: number
}

/** What a provider answers to `prompt=none` if it would have to ask the user (OpenID Connect Core §3.1.2.6). */
const NEEDS_USER = /^(?:login|consent|interaction|account_selection)_required$/

/** Throws OAuthCallbackError if the user did not sign in at the provider: the configuration is not the cause. */
export function rejectDeclined(
  { id }: OAuthProvider,
  refusal: ProviderError,
  isSilent: boolean,
): void {
  const error = String(refusal.error)
  const isCancelled = error === 'access_denied'
  if (!isCancelled && !(isSilent && NEEDS_USER.test(error))) return
  const message = isCancelled
    ? `The user cancelled the sign-in at provider ${id}, or may not use it (access_denied).`
    : `Provider ${id} cannot sign in the user without a question (prompt=none, ${error}).`
  throw new OAuthCallbackError(message, { ...collectFacts(refusal, id), isDeclined: true })
}

/** GitHub sends `incorrect_client_credentials` with status 200. */
const CLIENT_ERRORS = new Set<unknown>(['invalid_client', 'incorrect_client_credentials'])

/** Codes that indicate a wrong redirect URI only if the description mentions it. */
const VAGUE_ERROR = /^(?:invalid_(?:request|grant|client)|unauthorized_client|access_denied)$/

const REDIRECT_ERROR = /redirect[ _-]?ur[il]/i
const CODE = /^\w{1,64}$/

/** Throws OAuthCallbackError if the provider rejected the redirect URI or the client credentials. */
export function rejectClientError(
  { id, clientSecret }: OAuthProvider,
  refusal: ProviderError,
  redirectUri: string | null,
): void {
  const { error, error_description: description, status } = refusal
  const code = typeof error === 'string' && CODE.test(error) ? error : `status ${status ?? 0}`
  const isAboutRedirect =
    redirectUri !== null &&
    typeof error === 'string' &&
    (REDIRECT_ERROR.test(error) ||
      (VAGUE_ERROR.test(error) && REDIRECT_ERROR.test(String(description))))
  if (isAboutRedirect)
    throw new OAuthCallbackError(
      `The provider rejected the redirect URI (${code}). Register ${redirectUri} as redirect URI at the provider.`,
      collectFacts(refusal, id),
    )
  if (!CLIENT_ERRORS.has(error) && status !== 401) return
  const advice = clientSecret
    ? `Check ${providerNames(id, 'clientSecret')[0]}.`
    : `Check ${providerNames(id, 'clientId')[0]} and client.token_endpoint_auth_method of the provider.`
  throw new OAuthCallbackError(
    `The provider rejected the client credentials (${code}). ${advice}`,
    collectFacts(refusal, id),
  )
}
