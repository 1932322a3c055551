/** Hashes passwords on Node.js, Bun and Deno: scrypt with 32 MiB, at most four at a time. */
import type { PasswordInfo } from './core/account/account-info.ts'
import { readOwnPassword } from './core/account/own-password.ts'
import { callWithRequest, toResult } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import { checkConfig } from './core/config/check-config.ts'
import type { CredentialsConfig } from './core/config/credentials.ts'
import type { PasswordOptions } from './core/config/password-options.ts'
import { passwordsWith } from './core/password/password-provider.ts'
import * as core from './core/password/hash-password.ts'
import { readHeaders } from './core/http/read-headers.ts'
import type { RequestLike } from './core/http/read-headers.ts'
import { callPasswords } from './core/password-calls.ts'
import type {
  ChangePasswordFields,
  PasswordCall,
  RequestResetFields,
  ResetFields,
  SignUpFields,
  VerifyEmailFields,
} from './core/password-calls.ts'
import type { AuthConfig } from './core/config/types.ts'
import { passwordSupport } from './core/symbols.ts'

export type { CallResult as PasswordResult } from './core/call-result.ts'
export type { PasswordInfo } from './core/account/account-info.ts'
export type { AuthConfig } from './core/config/types.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'
export type {
  ChangePasswordFields,
  RequestResetFields,
  ResetFields,
  SignUpFields,
  VerifyEmailFields,
} from './core/password-calls.ts'

export type { CredentialsConfig } from './core/config/credentials.ts'
export type {
  PasswordHasher,
  PasswordOptions,
  PasswordOwner,
  VerifyLegacyPassword,
} from './core/config/password-options.ts'

/** The fields of the form of `Password`. */
export type PasswordFields = Record<'email' | 'password', object>

/**
 * A provider of type `credentials` that stores passwords in the table `passwords` of the adapter: sign-in with an e-mail
 * address and a password, on the built-in page or with `signIn`.
 *
 * On Node.js, Bun and Deno. On an edge runtime, sign-ins fail with `InvalidConfiguration` unless `hasher` is set.
 *
 * @throws InvalidConfiguration with the first request, if an option is not valid
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 * import Lib from 'lib-auth/next'
 * import { Password } from 'lib-auth/password'
 *
 * export const { handlers, auth } = Lib({ adapter: MemoryAdapter(), providers: [Password()] })
 * ```
 */
export function Password(options: PasswordOptions = {}): CredentialsConfig<PasswordFields> {
  const { id = 'password', name = 'Password' } = options
  return {
    id,
    name,
    type: 'credentials',
    credentials: {
      email: { type: 'email', autoComplete: 'username', required: true, maxLength: 254 },
      password: { type: 'password', autoComplete: 'current-password', required: true },
    },
    [passwordSupport]: passwordsWith(options),
  }
}

/**
 * Hashes a password: a text to store. Different spellings of the same characters are equal (NFKC).
 *
 * @throws InvalidRequest if the password is empty, has more than 4096 bytes, or a lone surrogate
 * @throws TemporarilyUnavailable if 32 passwords of the process wait already; the response has the status 503
 * @throws InvalidConfiguration on an edge runtime
 * @example
 * ```ts
 * import { hashPassword } from 'lib-auth/password'
 *
 * export async function setPassword(users: Map<string, string>, id: string, password: string): Promise<void> {
 *   users.set(id, await hashPassword(password))
 * }
 * ```
 */
export function hashPassword(password: string): Promise<string> {
  return core.hashPassword(password)
}

/**
 * Returns whether a password is that of a stored hash. Without a hash, as for an unknown user, it takes as long and returns
 * `false`, so that the time does not tell who has an account.
 *
 * @param password - as received; a value that is not a text is `false`
 * @param stored - of {@link hashPassword}
 * @throws InvalidConfiguration if the hash has another format, and on an edge runtime
 * @throws TemporarilyUnavailable if 32 passwords of the process wait already; the response has the status 503
 * @example
 * ```ts
 * import Credentials from 'lib-auth/providers/credentials'
 * import { hashPassword, needsRehash, verifyPassword } from 'lib-auth/password'
 *
 * declare const users: Map<string, { id: string; hash: string }>
 *
 * export const provider = Credentials({
 *   credentials: { email: { type: 'email' }, password: { type: 'password' } },
 *   async authorize({ email, password }) {
 *     const user = users.get(String(email))
 *     if (!(await verifyPassword(password, user?.hash)) || !user) return null
 *     if (needsRehash(user.hash)) user.hash = await hashPassword(String(password))
 *     return { id: user.id }
 *   },
 * })
 * ```
 */
export function verifyPassword(
  password: unknown,
  stored: string | null | undefined,
): Promise<boolean> {
  return core.verifyPassword(password, stored)
}

/** Whether a stored hash should be replaced when its user signs in next: it has other costs, or another format. */
export function needsRehash(stored: string): boolean {
  return core.needsRehash(stored)
}

async function call(
  name: string,
  request: RequestLike,
  config: AuthConfig,
  given: PasswordCall,
): Promise<CallResult<string>> {
  checkConfig(config, `${name}(request, config)`)
  const caller = { ...readHeaders(request), csrf: 'checked' } as const
  const { redirect, cookies } = await callPasswords(caller, config, given)
  return toResult({ value: redirect, cookies })
}

async function withoutValue(result: Promise<CallResult<string>>): Promise<CallResult<void>> {
  return { value: undefined, headers: (await result).headers }
}

/**
 * Sends a link by e-mail that creates a user with a password. The response and the work are the same for each address: the
 * mail tells an existing user that they have an account. Set the cookies of `headers`: in a browser with them, the link
 * signs in; another one is asked for the password.
 *
 * @param request - as for `getSession`: the request, or all of its headers
 * @param fields - also the `FormData` of a form
 * @throws PasswordRejected by its `code` if the password is not accepted
 * @throws EmailSignInError with `cause.code` `invalid_address`
 * @throws AccountMailError if the mail was not sent
 * @throws InvalidConfiguration without the option `account`, a store for records, or if nothing sends e-mails
 * @throws MissingCSRF if a page of another origin sent the request
 * @example
 * ```ts
 * import { signUp } from 'lib-auth/password'
 * import type { AuthConfig } from 'lib-auth/password'
 *
 * export async function register(request: Request, config: AuthConfig): Promise<Response> {
 *   const { headers } = await signUp(request, config, await request.clone().formData())
 *   headers.set('location', '/check-your-mail')
 *   return new Response(null, { status: 303, headers })
 * }
 * ```
 */
export function signUp(
  request: RequestLike,
  config: AuthConfig,
  fields: SignUpFields | FormData,
): Promise<CallResult<void>> {
  return withoutValue(call('signUp', request, config, { action: 'sign-up', fields }))
}

/**
 * Creates the user with the token of a link of {@link signUp}, and signs in. `value` is the URL to which you redirect the
 * browser, with the cookies of `headers`.
 *
 * @throws Verification if the link is unknown, has expired or was used, or a user has the address by now
 * @throws CredentialsSignin in another browser than that of the sign-up, without the right password
 * @throws the errors of a sign-in
 */
export function verifyEmail(
  request: RequestLike,
  config: AuthConfig,
  fields: VerifyEmailFields | FormData,
): Promise<CallResult<string>> {
  return call('verifyEmail', request, config, { action: 'verify', fields })
}

/**
 * Sends a link to choose a new password, which is valid for 30 minutes. The response and the work are the same for each
 * address: one without a user receives a mail that says so.
 *
 * @throws the errors of {@link signUp} but for that of the password
 */
export function requestReset(
  request: RequestLike,
  config: AuthConfig,
  fields: RequestResetFields | FormData,
): Promise<CallResult<void>> {
  return withoutValue(call('requestReset', request, config, { action: 'forgot', fields }))
}

/**
 * Replaces a password with the token of a link of {@link requestReset}, and ends all sessions of the user. Nobody is signed
 * in: the user signs in with the new password, and their second step if they have one.
 *
 * @throws PasswordRejected by its `code` if the password is not accepted; the link stays valid
 * @throws Verification if the link is unknown, has expired or was used, or the password was changed since
 */
export function reset(
  request: RequestLike,
  config: AuthConfig,
  fields: ResetFields | FormData,
): Promise<CallResult<void>> {
  return withoutValue(call('reset', request, config, { action: 'reset', fields }))
}

/**
 * Changes the password of the user who is signed in, and ends their other sessions. A user without a password sets the
 * first one, within `account.freshFor` seconds after a sign-in.
 *
 * @throws CredentialsSignin if the current password is wrong
 * @throws TooManyAttempts after wrong ones, which are limited like sign-ins
 * @throws PasswordRejected by its `code` if the new password is not accepted
 * @throws SessionRequired if the visitor is not signed in
 * @throws StepUpRequired for a first password, if the sign-in is too old
 * @throws AccountNotLinked if the session does not show that its user is in the database
 */
export function change(
  request: RequestLike,
  config: AuthConfig,
  fields: ChangePasswordFields | FormData,
): Promise<CallResult<void>> {
  return withoutValue(call('change', request, config, { action: 'change', fields }))
}

/**
 * Removes the password of the user who is signed in, if they have another sign-in method.
 *
 * @throws LastSignInMethod if they have none
 * @throws SessionRequired, StepUpRequired, AccountNotLinked as {@link change}
 */
export function remove(request: RequestLike, config: AuthConfig): Promise<CallResult<void>> {
  return withoutValue(call('remove', request, config, { action: 'remove' }))
}

/**
 * When the user who is signed in has chosen their password, for an account page; `null`: the user has none, or the visitor
 * is not signed in.
 *
 * @throws InvalidConfiguration if `Password` is not a provider
 * @throws the errors of `getSession`
 */
export function info(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<PasswordInfo | null>> {
  return callWithRequest('info', request, config, (caller) => readOwnPassword(caller, config))
}
