import type { AdapterAccountType } from '../database/adapter.ts'

/** An account at a provider that is linked to a user. Contains no token. */
export interface LinkedAccount {
  /** Id of the provider. */
  readonly provider: string
  /** Id of the user at the provider. */
  readonly providerAccountId: string
  readonly type: AdapterAccountType
  /** The address in the last ID token; `null`: none is stored, or it has no address. */
  readonly email: string | null
  /** The scopes of the last sign-in or refresh; empty if the provider did not state them. */
  readonly scope: readonly string[]
  /** Whether its user could not sign in without it. */
  readonly isLast: boolean
}

/** The key of a {@link LinkedAccount}. */
export type LinkedAccountKey = Pick<LinkedAccount, 'provider' | 'providerAccountId'>

/** A change of the e-mail address that waits for a confirmation. */
export interface PendingEmail {
  /** The new address. */
  readonly to: string
  /** When the links expire. */
  readonly expires: Date
  /** The mailboxes whose links were not used yet. */
  readonly awaits: readonly ('current' | 'new')[]
}

/** The password of a user. */
export interface PasswordInfo {
  /** When it was chosen. */
  readonly changed: Date
}

/** Options of `unlinkAccount`. */
export interface UnlinkAccountOptions {
  /** `allow`: also the last sign-in method, which locks the user out. @default 'refuse' */
  readonly last?: 'refuse' | 'allow' | undefined
}

/** Options of `mergeUser`. */
export interface MergeUserOptions extends LinkAccountOptions {}

/** Options of `linkAccount`. */
export interface LinkAccountOptions {
  /** Where the user returns: a path of the site. @default the page that sent the request */
  readonly redirectTo?: string | undefined
}
