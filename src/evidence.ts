/** Who came back, and what that proves. */
import type { AdapterAccount } from './adapters/index.ts'
import type { Account, Profile, Untyped, User } from './types.ts'

/** What every kind of evidence has. */
interface CommonEvidence {
  readonly user: User
  readonly account: Account
  readonly isNewUser?: boolean
  /** Where the browser goes when it is signed in. */
  readonly returnTo: string
  readonly profile?: Profile
  readonly credentials?: Record<string, Untyped>
  /** Makes the proof good once more, because nobody was signed in with it. */
  readonly restore?: () => Promise<void>
}

/** An account as it is stored, but for its user. */
export type StoredAccount = Account & { readonly type: AdapterAccount['type'] }

/** Somebody controls an account at a provider. */
export interface AccountEvidence extends CommonEvidence {
  readonly proves: 'account'
  readonly stored: StoredAccount
  /** Whether the provider states that it has verified the e-mail address, and is trusted with that. */
  readonly emailVerified: boolean
  /** Whether a verified address is enough to sign in to the user who has it. */
  readonly trustsEmail: boolean
  /** Who was signed in when this began: they want to sign in with this, too. */
  readonly startedBy: string | null
}

/** Somebody reads what is sent to an address. */
export interface AddressEvidence extends CommonEvidence {
  readonly proves: 'address'
  readonly address: string
}

/** The application says who it is. */
export interface UserEvidence extends CommonEvidence {
  readonly proves: 'user'
  /** Whether a user who is not in the database is put there. */
  readonly mayCreate: boolean
  /** When the credentials were passed to `authorize`, in milliseconds since the epoch. */
  readonly checkedSince: number
}

/** Who came back, and what has been proved. */
export type Evidence = AccountEvidence | AddressEvidence | UserEvidence
