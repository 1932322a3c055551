/** The accounts of users at providers: for the user who is signed in, and for the application. */
import { callWithRequest } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  MergeUserOptions,
  PendingEmail,
  UnlinkAccountOptions,
} from './core/account/account-info.ts'
import { linkOwn, listOwn, mergeOwn, removeOwn, unlinkOwn } from './core/account/manage-account.ts'
import { cancelEmailOwn, changeEmailOwn, pendingEmailOwn } from './core/account/own-email.ts'
import type { Provider } from './core/config/provider.ts'
import type { TokenProviderId } from './core/config/token-provider-id.ts'
import type { AuthConfig } from './core/config/types.ts'
import { withoutError } from './core/errors/url.ts'
import type { RequestLike } from './core/http/read-headers.ts'
import type { TypedConfig } from './core/tokens/get-access-token.ts'

export type { CallResult as AccountResult } from './core/call-result.ts'
export type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  MergeUserOptions,
  PendingEmail,
  UnlinkAccountOptions,
} from './core/account/account-info.ts'
export { manageAccounts } from './core/account/manage-accounts.ts'
export type { AccountManager } from './core/account/manage-accounts.ts'
export type { ManageAccountsOptions } from './core/account/account-owner.ts'
export type {
  AccountOptions,
  MergeUsersMessage,
  RemoveUserMessage,
} from './core/config/account-options.ts'
export type {
  AccountMail,
  AccountMailKind,
  AccountMailLink,
  AccountMailText,
  AccountNotice,
} from './core/mail/account-mail.ts'
export type { AuthConfig } from './core/config/types.ts'
export type { ImportedApp } from './core/factors/factor-info.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'

/**
 * Lists the accounts at providers of the user who is signed in, without those of passkeys. `value` is `null` without a
 * session, and with one that does not show that its user is in the database.
 *
 * @param request - as for `getSession`: the request, or all of its headers
 * @throws MissingAdapter without an adapter
 * @throws MissingAdapterMethods if the adapter lacks `listAccounts`
 * @throws AdapterError if the database fails
 * @throws the errors of `getSession`
 * @example
 * ```ts
 * import { listAccounts } from 'lib-auth/account'
 * import type { AuthConfig } from 'lib-auth/account'
 *
 * export async function connected(request: Request, config: AuthConfig): Promise<string[]> {
 *   const { value } = await listAccounts(request, config)
 *   return (value ?? []).map(({ provider, email }) => (email ? `${provider} (${email})` : provider))
 * }
 * ```
 */
export function listAccounts(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<LinkedAccount[] | null>> {
  return callWithRequest('listAccounts', request, config, (caller) => listOwn(caller, config))
}

/**
 * Links an account at a provider to the user who is signed in. `value` is the URL to which you redirect the browser, with
 * `headers`, the cookies of the transaction. An account of another user is not linked: `redirectTo` gets
 * `error=OAuthAccountNotLinked`.
 *
 * @throws SessionRequired if the visitor is not signed in
 * @throws StepUpRequired if the sign-in is older than `account.freshFor`; its `url` is the page to confirm it
 * @throws AccountNotLinked if the session does not show that its user is in the database
 * @throws InvalidConfiguration without the option `account`, and if the provider has no accounts
 * @throws MissingCSRF if a page of another origin sent the request
 * @throws the errors of {@link listAccounts}
 * @example
 * ```ts
 * import { linkAccount } from 'lib-auth/account'
 * import type { AuthConfig } from 'lib-auth/account'
 *
 * export async function connect(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value, headers } = await linkAccount(request, config, 'github', { redirectTo: '/account' })
 *   headers.set('location', value)
 *   return new Response(null, { status: 303, headers })
 * }
 * ```
 */
export async function linkAccount<P extends Provider = Provider>(
  request: RequestLike,
  config: TypedConfig<P>,
  provider: TokenProviderId<P>,
  options?: LinkAccountOptions,
): Promise<CallResult<string>>
export async function linkAccount(
  request: RequestLike,
  config: AuthConfig,
  provider: string,
  options?: LinkAccountOptions,
): Promise<CallResult<string>> {
  return callWithRequest('linkAccount', request, config, (caller) => {
    const returnUrl = () => withoutError(caller.headers.get('referer') ?? '/')
    return linkOwn({ ...caller, csrf: 'checked' }, config, { provider, options, returnUrl })
  })
}

/**
 * Unlinks an account at a provider from the user who is signed in, revokes its tokens, and ends the other sessions that
 * began there if there is a list of them. `value` is the unlinked account; `null` if the user has no such account.
 *
 * A user keeps a sign-in method: another account of a configured provider, a passkey, or a verified e-mail address and a
 * provider of type `email`, or a password of `Password`. Other passwords do not count: the library cannot list them.
 *
 * @param key - of an account from {@link listAccounts}
 * @throws LastSignInMethod if the user has no other sign-in method, unless `{ last: 'allow' }`
 * @throws MissingAdapterMethods if the adapter lacks `listAccounts` or `unlinkAccount`
 * @throws the errors of {@link linkAccount}
 */
export function unlinkAccount(
  request: RequestLike,
  config: AuthConfig,
  key: LinkedAccountKey,
  options?: UnlinkAccountOptions,
): Promise<CallResult<LinkedAccount | null>> {
  return callWithRequest('unlinkAccount', request, config, (caller) =>
    unlinkOwn(caller, config, key, options),
  )
}

/**
 * Deletes the user who is signed in, with their accounts, sessions and passkeys, after `account.beforeRemove`. Revokes the
 * tokens of their accounts, and signs them out.
 *
 * @throws AccountRemovalError if the user could not be deleted; repeat the call
 * @throws MissingAdapterMethods if the adapter lacks `deleteUser`
 * @throws the errors of {@link linkAccount}, and those of the library that `account.beforeRemove` throws
 */
export function removeUser(request: RequestLike, config: AuthConfig): Promise<CallResult<void>> {
  return callWithRequest('removeUser', request, config, (caller) => removeOwn(caller, config))
}

/**
 * Begins to merge another user into the one who is signed in: `value` is the URL of a page, to which you redirect the
 * browser, and on which the other user signs in within ten minutes, with the second step if they have one. Then their
 * accounts and passkeys are those of the user of the session, `account.mergeUsers` moves the rows of your application, and
 * the other user is deleted, all in one transaction. The session stays, and the browser returns.
 *
 * @throws InvalidConfiguration without the option `account.mergeUsers`
 * @throws MissingAdapterMethods if the adapter lacks `transaction` or another method that it needs
 * @throws the errors of {@link linkAccount}
 * @example
 * ```ts
 * import { mergeUser } from 'lib-auth/account'
 * import type { AuthConfig } from 'lib-auth/account'
 *
 * export async function merge(request: Request, config: AuthConfig): Promise<Response> {
 *   const { value, headers } = await mergeUser(request, config, { redirectTo: '/account' })
 *   headers.set('location', value)
 *   return new Response(null, { status: 303, headers })
 * }
 * ```
 */
export function mergeUser(
  request: RequestLike,
  config: AuthConfig,
  options?: MergeUserOptions,
): Promise<CallResult<string>> {
  return callWithRequest('mergeUser', request, config, (caller) => {
    const returnUrl = () => withoutError(caller.headers.get('referer') ?? '/')
    return mergeOwn(caller, config, { options, returnUrl })
  })
}

/**
 * Sends links to the mailboxes that have to confirm a change of the e-mail address of the user who is signed in: the new
 * one, and the current one if it is verified (`account.changeEmail`). Nothing changes until all of them were used, within
 * an hour. Then other sessions of the user end, and the former address gets a link that undoes the change for a week. A
 * change that was requested before is replaced.
 *
 * The result and the mails are the same if another user has the address: only the last link then reports it.
 *
 * @param to - the new address
 * @throws InvalidRequest if the address is not a plain one, or that of the user already
 * @throws TooManyAttempts after five requests in an hour
 * @throws AccountMailError if a mail was not sent
 * @throws InvalidConfiguration if nothing sends mails, or records are not stored
 * @throws MissingAdapterMethods if the adapter lacks `updateUser`
 * @throws StepUpRequired also with `account.changeEmail: 'new'` if the session has not two factors
 * @throws the errors of {@link linkAccount}
 * @example
 * ```ts
 * import { changeEmail } from 'lib-auth/account'
 * import type { AuthConfig } from 'lib-auth/account'
 *
 * export async function submit(request: Request, config: AuthConfig, to: string): Promise<Response> {
 *   const { value, headers } = await changeEmail(request, config, to)
 *   return Response.json({ confirmBefore: value.expires, awaits: value.awaits }, { headers })
 * }
 * ```
 */
export function changeEmail(
  request: RequestLike,
  config: AuthConfig,
  to: string,
): Promise<CallResult<PendingEmail>> {
  return callWithRequest('changeEmail', request, config, (caller) =>
    changeEmailOwn(caller, config, to),
  )
}

/**
 * The change of the e-mail address that waits for a confirmation. `value` is `null` without such a change, and without a
 * session.
 *
 * @throws InvalidConfiguration if records are not stored
 * @throws the errors of {@link listAccounts}
 */
export function pendingEmail(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<PendingEmail | null>> {
  return callWithRequest('pendingEmail', request, config, (caller) =>
    pendingEmailOwn(caller, config),
  )
}

/**
 * Cancels a change of the e-mail address: its links are no longer valid. `value` is whether one was waiting.
 *
 * @throws MissingCSRF if a page of another origin sent the request
 * @throws the errors of {@link pendingEmail}
 */
export function cancelEmail(
  request: RequestLike,
  config: AuthConfig,
): Promise<CallResult<boolean>> {
  return callWithRequest('cancelEmail', request, config, (caller) => cancelEmailOwn(caller, config))
}
