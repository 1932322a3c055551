/** Errors of this flow, without what the libraries below put into theirs: tokens, claims, responses. */
import { LIMITS, within } from '../../deadline.ts'
import { AuthError } from '../../errors/base.ts'
import { OAuthCallbackError, OAuthSignInError } from '../../errors/sign-in.ts'
import { conceal } from '../../log/conceal.ts'
import type { Awaitable } from '../../types.ts'

/** Characters of an error code (RFC 6749 §4.1.2.1). */
const ERROR_CODE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,64}$/

function property(error: object, name: 'error' | 'status' | 'code'): string | number | undefined {
  const value: unknown = Reflect.get(error, name)
  if (typeof value === 'number') return value
  return typeof value === 'string' && ERROR_CODE.test(value) ? value : undefined
}

/** Facts about a failure that may be logged. */
function factsOf(error: object, provider: string): Record<string, unknown> {
  return {
    provider,
    providerError: property(error, 'error'),
    status: property(error, 'status'),
    reason: property(error, 'code'),
  }
}

/** An {@link OAuthCallbackError} whose message says what to change. */
export function callbackError(
  message: string,
  refusal: object,
  provider: string,
): OAuthCallbackError {
  return new OAuthCallbackError(message, factsOf(refusal, provider))
}

/** What is worth knowing about a failure and may be logged. */
function details(error: unknown, provider: string): Record<string, unknown> {
  // What is thrown and is not an error may be anything: the tokens, for example.
  if (!(error instanceof Error)) return { provider }
  const cause = new Error(error.message)
  cause.name = error.name
  if (error.stack) cause.stack = error.stack
  return { ...factsOf(error, provider), cause }
}

/** A function of the application, and what it is told that is secret. */
export interface HookCall<T> {
  /** Names it: "token.conform of provider acme". */
  readonly what: string
  /** In milliseconds since the epoch. */
  readonly deadline: number
  readonly told: object
  readonly run: () => Awaitable<T>
}

/** Asks a function of the application. What it throws may quote what it was told, and is passed on without that. */
export async function ask<T>({ what, deadline, told, run }: HookCall<T>): Promise<T> {
  try {
    return await within(run(), { what, limit: LIMITS.callback, deadline })
  } catch (error) {
    if (error instanceof AuthError || !(error instanceof Error)) throw error
    throw conceal(error, told)
  }
}

/** Runs a step of a callback; what fails in it becomes an {@link OAuthCallbackError}. */
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

/** Runs the start of a sign-in; what fails in it becomes an {@link OAuthSignInError}. */
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
