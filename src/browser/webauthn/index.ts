/** Sign-in and registration with passkeys, in the browser. */
import { finish } from '../client/finish.ts'
import type { SignInAuthorizationParams } from '../client/types.ts'
import * as passkeys from './sign-in.ts'
import type { PasskeyRegisterOptions, PasskeyResponse, PasskeySignInOptions } from './types.ts'

function withRegister(options: FormData | PasskeyRegisterOptions = {}): PasskeySignInOptions {
  const given = options instanceof FormData ? Object.fromEntries(options) : options
  return { ...given, action: 'register' }
}

/**
 * Signs in with a passkey, and goes to the return URL.
 *
 * @param provider id of a provider of the type `webauthn`, such as `passkey`
 * @returns with `redirect: false`, the result, also of a request that failed in the browser
 * @throws CeremonyError without `redirect: false`, if the request fails in the browser; its message is for the user
 * @throws TypeError if the provider does not exist or has another type, and outside a browser
 * @see https://www.w3.org/TR/webauthn-3/#sctn-getAssertion
 */
export async function signIn<R extends boolean = true>(
  provider: string,
  options?: FormData | PasskeySignInOptions<R>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<R extends false ? PasskeyResponse : void>
export async function signIn(...args: Parameters<typeof passkeys.signIn>): Promise<unknown> {
  return finish(await passkeys.signIn(...args))
}

/**
 * Creates a passkey: for the signed-in user, else for a new user with the `email` of the options. Results and errors are
 * those of {@link signIn}.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-createCredential
 */
export async function register<R extends boolean = true>(
  provider: string,
  options?: FormData | PasskeyRegisterOptions<R>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<R extends false ? PasskeyResponse : void>
export async function register(
  ...[provider, options, params]: Parameters<typeof passkeys.signIn>
): Promise<unknown> {
  return finish(await passkeys.signIn(provider, withRegister(options), params))
}

export { CeremonyError } from './ceremony-error.ts'
export type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'
export { signalRemoved } from './signal-removed.ts'
export type { SignalRemovedOptions } from './signal-removed.ts'
export type { PasskeyRegisterOptions, PasskeyResponse, PasskeySignInOptions } from './types.ts'
