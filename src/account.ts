/** The accounts of users at providers: for the user who is signed in, and for the application. */
import { callWithRequest } from './core/call-result.ts'
import type { CallResult } from './core/call-result.ts'
import type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  PendingEmail,
  UnlinkAccountOptions,
} from './core/account/account-info.ts'
import { listAccounts as list } from './core/account/list-accounts.ts'
import { linkOwn, listOwn, removeOwn, unlinkOf, unlinkOwn } from './core/account/manage-account.ts'
import { govern } from './core/account/account-owner.ts'
import type { ManageAccountsOptions } from './core/account/account-owner.ts'
import { cancelEmailOwn, changeEmailOwn, pendingEmailOwn } from './core/account/own-email.ts'
import { removeUser as remove } from './core/account/remove-user.ts'
import type { Provider } from './core/config/provider.ts'
import type { TokenProviderId } from './core/config/token-provider-id.ts'
import type { AuthConfig } from './core/config/types.ts'
import { InvalidConfiguration } from './core/errors/classes.ts'
import { withoutError } from './core/errors/url.ts'
import type { RequestLike } from './core/http/read-headers.ts'
import type { TypedConfig } from './core/tokens/get-access-token.ts'

export type { CallResult as AccountResult } from './core/call-result.ts'
export type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  PendingEmail,
  UnlinkAccountOptions,
} from './core/account/account-info.ts'
export type { ManageAccountsOptions } from './core/account/account-owner.ts'
export type { AccountOptions, RemoveUserMessage } from './core/config/account-options.ts'
export type { AccountMail, AccountMailKind, AccountNotice } from './core/mail/account-mail.ts'
export type { AuthConfig } from './core/config/types.ts'
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

/** The accounts of any user, for staff and background jobs. */
export interface AccountManager {
  /** `null`: there is no such user. @throws the errors of {@link listAccounts} */
  list(userId: string): Promise<LinkedAccount[] | null>
  /** `null`: there is no such user or account. @throws the errors of {@link unlinkAccount} but for those of the session */
  unlink(
    userId: string,
    key: LinkedAccountKey,
    options?: UnlinkAccountOptions,
  ): Promise<LinkedAccount | null>
  /**
   * Removes the second factors of a user who has lost the app and the recovery codes, and ends their sessions. Returns whether
   * they had any; `null`: there is no such user. @throws MissingAdapterMethods if the adapter does not store factors
   */
  resetFactors(userId: string): Promise<boolean | null>
  /**
   * Sends the user a link to choose a password, which is valid for 30 minutes. Needs the provider `Password` and the URL of
   * the site (`AUTH_URL`). Returns whether there is such a user. @throws AccountMailError if the mail was not sent
   */
  startReset(userId: string): Promise<boolean>
  /**
   * Ends all sessions of the user, and forgets their known browsers. Returns how many ended; `null` without a list of them.
   * @throws the errors of `governSessions(config).revokeAll`
   */
  endSessions(userId: string): Promise<number | null>
  /** Returns whether there was such a user. @throws the errors of {@link removeUser} but for those of the session */
  remove(userId: string): Promise<boolean>
}

/**
 * What staff does for any user. The application decides who may call this; no
 * recent sign-in is required.
 *
 * @example
 * ```ts
 * import { manageAccounts } from 'lib-auth/account'
 * import type { AuthConfig } from 'lib-auth/account'
 *
 * export async function erase(userId: string, staff: string, config: AuthConfig): Promise<boolean> {
 *   return manageAccounts(config, { actor: staff }).remove(userId)
 * }
 * ```
 */
export function manageAccounts(
  config: AuthConfig,
  { actor }: ManageAccountsOptions = {},
): AccountManager {
  if (typeof config !== 'object' || config === null)
    throw new InvalidConfiguration(
      'The configuration is missing. Pass it as the argument: manageAccounts(config).',
    )
  return {
    list: (userId) => govern(config, { userId, actor }, list),
    unlink: (userId, key, options) =>
      govern(config, { userId, actor }, (managed) => unlinkOf(managed, key, options)),
    resetFactors: (userId) =>
      govern(config, { userId, actor }, async (managed) =>
        (await import('./core/account/manage-factors.ts')).resetOf(managed),
      ),
    startReset: async (userId) =>
      (await govern(config, { userId, actor }, async (managed) => {
        await (await import('./core/account/start-reset.ts')).startReset(managed)
        return true
      })) ?? false,
    endSessions: async (userId) =>
      (await import('./core/session/manage-sessions.ts')).revokeAllOf(config, userId, {
        except: [],
        actor,
      }),
    remove: async (userId) =>
      (await govern(config, { userId, actor }, (managed) => remove(managed).then(() => true))) ??
      false,
  }
}
