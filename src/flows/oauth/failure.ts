/** Errors of the OAuth flow, without the tokens, claims and responses that underlying libraries attach to theirs. */
import { AuthError } from '../../errors/base.ts'
import { OAuthCallbackError, OAuthSignInError } from '../../errors/sign-in.ts'

/** Characters of an error code (RFC 6749 §4.1.2.1). */
const ERROR_CODE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,64}$/

function property(error: object, name: 'error' | 'status' | 'code'): string | number | undefined {
  const value: unknown = Reflect.get(error, name)
  if (typeof value === 'number') return value
  return typeof value === 'string' && ERROR_CODE.test(value) ? value : undefined
}

function factsOf(error: object, provider: string): Record<string, unknown> {
  return {
    provider,
    providerError: property(error, 'error'),
    status: property(error, 'status'),
    reason: property(error, 'code'),
  }
}

export function callbackError(
  message: string,
  refusal: object,
  provider: string,
): OAuthCallbackError {
  return new OAuthCallbackError(message, factsOf(refusal, provider))
}

function details(error: unknown, provider: string): Record<string, unknown> {
  // A thrown value that is not an Error may be anything, for example the tokens.
  if (!(error instanceof Error)) return { provider }
  const cause = new Error(error.message)
  cause.name = error.name
  if (error.stack) cause.stack = error.stack
  return { ...factsOf(error, provider), cause }
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
    throw new OAuthCallbackError(message, details(error, provider))
  }
}

export async function orSignInError<T>(provider: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof AuthError && error.type !== 'TemporarilyUnavailable') throw error
    throw new OAuthSignInError(
      `The sign-in with ${provider} could not be started.`,
      details(error, provider),
    )
  }
}
