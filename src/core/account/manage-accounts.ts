/** What the application does with the account of any user. */
import type { AuthConfig } from '../config/types.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import type { ImportedApp } from '../factors/factor-info.ts'
import type { LinkedAccount, LinkedAccountKey, UnlinkAccountOptions } from './account-info.ts'
import { govern } from './account-owner.ts'
import type { ManageAccountsOptions } from './account-owner.ts'
import { listAccounts } from './list-accounts.ts'
import { unlinkOf } from './manage-account.ts'
import { removeUser } from './remove-user.ts'

/** The accounts of any user, for staff and background jobs. */
export interface AccountManager {
  /** `null`: there is no such user. @throws the errors of `listAccounts` */
  list(userId: string): Promise<LinkedAccount[] | null>
  /** `null`: there is no such user or account. @throws the errors of `unlinkAccount` but for those of the session */
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
  /**
   * Adds an authenticator app that a user has in another system: from now on, a sign-in asks for its code. Ends the sessions of
   * the user, and sends no notice. Returns whether it was added, and not before; `null`: there is no such user.
   *
   * @throws InvalidRequest if the key or the name is not valid, or the user has ten apps
   * @throws MissingAdapterMethods if the adapter does not store factors
   */
  importFactor(userId: string, app: ImportedApp): Promise<boolean | null>
  /** Returns whether there was such a user. @throws the errors of `removeUser` but for those of the session */
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
    list: (userId) => govern(config, { userId, actor }, listAccounts),
    unlink: (userId, key, options) =>
      govern(config, { userId, actor }, (managed) => unlinkOf(managed, key, options)),
    resetFactors: (userId) =>
      govern(config, { userId, actor }, async (managed) =>
        (await import('./manage-factors.ts')).resetOf(managed),
      ),
    startReset: async (userId) =>
      (await govern(config, { userId, actor }, async (managed) => {
        await (await import('./start-reset.ts')).startReset(managed)
        return true
      })) ?? false,
    endSessions: async (userId) =>
      (await import('../session/manage-sessions.ts')).revokeAllOf(config, userId, {
        except: [],
        actor,
      }),
    importFactor: (userId, app) =>
      govern(config, { userId, actor }, async (managed) =>
        (await import('./manage-factors.ts')).importOf(managed, app),
      ),
    remove: async (userId) =>
      (await govern(config, { userId, actor }, (managed) =>
        removeUser(managed).then(() => true),
      )) ?? false,
  }
}
