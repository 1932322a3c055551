import type { AdapterAccount } from './adapters/index.ts'
import type { Account, Profile, Untyped, User } from './types.ts'

interface CommonEvidence {
  readonly user: User
  readonly account: Account
  readonly isNewUser?: boolean
  readonly returnTo: string
  readonly profile?: Profile
  readonly credentials?: Record<string, Untyped>
  /** Makes a single-use proof valid again, because the sign-in with it failed. */
  readonly restore?: () => Promise<void>
}

export type StoredAccount = Account & { readonly type: AdapterAccount['type'] }

/** Proves control of an account at a provider. */
export interface AccountEvidence extends CommonEvidence {
  readonly proves: 'account'
  readonly stored: StoredAccount
  /** Whether the provider reports the e-mail address as verified, and is trusted to verify it. */
  readonly emailVerified: boolean
  /** Whether a verified address is sufficient to sign in to the existing user with that address. */
  readonly trustsEmail: boolean
  /** Id of the user who was signed in when the transaction began, and links this account. */
  readonly startedBy: string | null
}

/** Proves access to the mailbox of an address. */
export interface AddressEvidence extends CommonEvidence {
  readonly proves: 'address'
  readonly address: string
}

/** States the user whom the application has authenticated. */
export interface UserEvidence extends CommonEvidence {
  readonly proves: 'user'
  /** Whether to create a user who is not in the database. */
  readonly mayCreate: boolean
  /** When the credentials were passed to `authorize`, in milliseconds since the epoch. */
  readonly checkedSince: number
}

export type Evidence = AccountEvidence | AddressEvidence | UserEvidence
