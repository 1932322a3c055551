/** Lists, renames and removes the passkeys of the user who is signed in. */
import { callWithRequest } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import type { AuthConfig } from './core/config/types.ts'
import type { RequestLike } from './core/http/read-headers.ts'
import type { Passkey, RemovePasskeyOptions } from './core/identity/passkey.ts'
import { list, remove, rename } from './core/identity/manage-passkeys.ts'

export type { CallResult as PasskeyResult } from './core/call-result.ts'
export type { AuthConfig } from './core/config/types.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'
export type { Passkey, RemovePasskeyOptions } from './core/identity/passkey.ts'

/**
 * Lists the passkeys of the user who is signed in, oldest first.
 *
 * `value` is `null` without a session, and with a JWT session that is older than the verification of the e-mail address
 * of its user, or whose user is not known to be in the database (warning `session-not-stored`). This also applies to the other functions of this module.
 *
 * @param request - as for `getSession`: the request, or all of its headers
 * @throws MissingAdapter without an adapter
 * @throws MissingAdapterMethods if the adapter lacks a method
 * @throws AdapterError if the database fails
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import type { AuthConfig } from 'lib-auth'
 * import { listPasskeys } from 'lib-auth/passkeys'
 *
 * export async function names(request: Request, config: AuthConfig): Promise<string[]> {
 *   const { value } = await listPasskeys(request, config)
 *   return (value ?? []).map(({ name, created }) => name ?? `Added on ${created?.toDateString()}`)
 * }
 * ```
 */
export async function listPasskeys(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<Passkey[] | null>> {
  return callWithRequest('listPasskeys', request, config, (caller) => list(caller, config))
}

/**
 * Renames a passkey of the user who is signed in. `value` is the renamed passkey; `null` if the user has no such
 * passkey, or is signed out.
 *
 * @param credentialID - of a passkey from {@link listPasskeys}
 * @param name - 1 to 100 characters, without spaces around it
 * @throws InvalidRequest if the name is not valid
 * @throws InvalidConfiguration if the table has no column for the name
 * @throws MissingCSRF if a page of another origin sent the request, by its headers Origin and Sec-Fetch-Site
 * @throws the errors of {@link listPasskeys}
 */
export async function renamePasskey(
  request: RequestLike,
  config: AuthConfig,
  credentialID: string,
  name: string,
): Promise<CallResult<Passkey | null>> {
  return callWithRequest('renamePasskey', request, config, (caller) =>
    rename(caller, config, credentialID, name),
  )
}

/**
 * Removes a passkey of the user who is signed in, and its linked account. `value` is the removed passkey; `null` if the
 * user has no such passkey, or is signed out. Sessions that began with the passkey continue.
 *
 * A user keeps a sign-in method: another passkey or an account of a configured provider, or a verified e-mail address and
 * a provider of type `email`, or a password of `Password`. Other passwords do not count: the library cannot list them.
 *
 * @param credentialID - of a passkey from {@link listPasskeys}
 * @throws LastSignInMethod if the user has no other sign-in method, unless `{ last: 'allow' }`
 * @throws StepUpRequired with the option `account`, if the sign-in is older than `account.freshFor`
 * @throws the errors of {@link renamePasskey}
 */
export async function removePasskey(
  request: RequestLike,
  config: AuthConfig,
  credentialID: string,
  options?: RemovePasskeyOptions,
): Promise<CallResult<Passkey | null>> {
  return callWithRequest('removePasskey', request, config, (caller) =>
    remove(caller, config, credentialID, options),
  )
}
