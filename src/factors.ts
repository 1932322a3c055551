/** Second factors of users: authenticator apps and recovery codes, which a sign-in asks for after its first step. */
import {
  confirmOwn,
  enrollOwn,
  listOwn,
  removeOwn,
  renewOwn,
} from './core/account/manage-factors.ts'
import { callWithRequest } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import type { AuthConfig } from './core/config/types.ts'
import type {
  AuthenticatorApp,
  ConfirmedFactor,
  Enrollment,
  EnrollOptions,
  SecondFactors,
} from './core/factors/factor-info.ts'
import type { RequestLike } from './core/http/read-headers.ts'

export type { CallResult as FactorsResult } from './core/call-result.ts'
export type { SecondStepMessage, SecondStepOptions } from './core/config/second-step-options.ts'
export type { AuthConfig } from './core/config/types.ts'
export type {
  AuthenticatorApp,
  ConfirmedFactor,
  Enrollment,
  EnrollOptions,
  SecondFactors,
} from './core/factors/factor-info.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'

/**
 * Lists the authenticator apps of the user who is signed in, and counts their recovery codes. `value` is `null` without a
 * session, and with one that does not show that its user is in the database.
 *
 * @param request - as for `getSession`: the request, or all of its headers
 * @throws MissingAdapter without an adapter
 * @throws MissingAdapterMethods if the adapter does not store factors
 * @throws AdapterError if the database fails
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import { listFactors } from 'lib-auth/factors'
 * import type { AuthConfig } from 'lib-auth/factors'
 *
 * export async function isProtected(request: Request, config: AuthConfig): Promise<boolean> {
 *   const { value } = await listFactors(request, config)
 *   return value !== null && value.apps.length > 0
 * }
 * ```
 */
export function listFactors(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<SecondFactors | null>> {
  return callWithRequest('listFactors', request, config, (caller) => listOwn(caller, config))
}

/**
 * Begins to add an authenticator app: show `qrCode`, or `secret` and a link to `uri`, and pass the code that the app shows
 * to {@link confirmFactor}. Until then, sign-ins do not ask for it.
 *
 * @throws SessionRequired if the visitor is not signed in
 * @throws StepUpRequired if the sign-in is older than `account.freshFor` (15 minutes), or had no second step although the
 *   user has a factor; its `url` is the page to confirm it
 * @throws AccountNotLinked if the session does not show that its user is in the database
 * @throws InvalidConfiguration without the option `secondStep`
 * @throws InvalidRequest if the name is not valid, or the user has ten apps
 * @throws MissingCSRF if a page of another site sent the request
 * @throws the errors of {@link listFactors}
 * @example
 * ```ts
 * import { enrollFactor } from 'lib-auth/factors'
 * import type { AuthConfig } from 'lib-auth/factors'
 *
 * export async function setUp(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value, headers } = await enrollFactor(request, config)
 *   return Response.json({ id: value.id, qrCode: value.qrCode }, { headers })
 * }
 * ```
 */
export function enrollFactor(
  request: RequestLike,
  config: AuthConfig,
  options?: EnrollOptions,
): Promise<CallResult<Enrollment>> {
  return callWithRequest('enrollFactor', request, config, (caller) =>
    enrollOwn(caller, config, options),
  )
}

/**
 * Adds the authenticator app with a code that it shows. Other sessions of the user end. With the first app, `recoveryCodes`
 * has ten codes: show them once.
 *
 * @param enrollment - the `id` of {@link enrollFactor}, and the code
 * @throws Verification if the code is wrong or was used
 * @throws the errors of {@link enrollFactor}
 */
export function confirmFactor(
  request: RequestLike,
  config: AuthConfig,
  enrollment: { readonly id: string; readonly code: string },
): Promise<CallResult<ConfirmedFactor>> {
  return callWithRequest('confirmFactor', request, config, (caller) =>
    confirmOwn(caller, config, enrollment),
  )
}

/**
 * Removes an authenticator app, and with the last one the recovery codes. Other sessions of the user end. `value` is `null`
 * if the user has no such app.
 *
 * @throws the errors of {@link enrollFactor}
 */
export function removeFactor(
  request: RequestLike,
  config: AuthConfig,
  id: string,
): Promise<CallResult<AuthenticatorApp | null>> {
  return callWithRequest('removeFactor', request, config, (caller) => removeOwn(caller, config, id))
}

/**
 * Replaces the recovery codes by ten new ones: show them once.
 *
 * @throws InvalidRequest if the user has no authenticator app
 * @throws the errors of {@link enrollFactor}
 */
export function renewRecoveryCodes(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<readonly string[]>> {
  return callWithRequest('renewRecoveryCodes', request, config, (caller) =>
    renewOwn(caller, config),
  )
}
