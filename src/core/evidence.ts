/** What proves who signs in. */
import type { AuthRequirement } from './assurance/assured.ts'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from './database/adapter.ts'
import type { Account, Profile, User } from './types.ts'

/** The user of a session authenticates again; the sign-in of another user is rejected. */
export interface StepUp {
  /** Id of the user of the session. */
  readonly user: string
  readonly sid: string
  readonly need: AuthRequirement
  /**
   * Until when the user merges another one into theirs, in milliseconds since the epoch: then the sign-in has to be that of
   * the other user, and the session stays.
   */
  readonly mergesUntil?: number | undefined
}

export interface CommonEvidence {
  readonly user: User
  readonly account: Account
  /** `false`: neither creates a user nor links an account. @default true */
  readonly mayCreate?: boolean
  readonly isNewUser?: boolean
  readonly returnTo: string
  /** What began the sign-in, if its provider keeps that. */
  readonly stepUp?: StepUp | undefined
  readonly profile?: Profile
  readonly credentials?: Record<string, unknown>
  /** Identifies a single-use proof: of concurrent sign-ins with it, in any process, one creates a session. */
  readonly proofId?: string | undefined
  /** The choice of the user, if it was made before this request; `undefined`: none was made. */
  readonly keepSignedIn?: boolean | undefined
  /** What the user typed in to sign in, for which `remember` makes this a known browser. */
  readonly typed?: string | undefined
  /**
   * Called once the session exists: makes this a known browser of the user, or stores the tokens of the account.
   * `subjectId` is the id that the `jwt` callback has set.
   */
  readonly remember?:
    ((userId: string | undefined, subjectId?: string) => Promise<void>) | undefined
  /** Called before the session begins, and before a second step: rejects if the proof is not valid any more. */
  readonly recheck?: (() => Promise<void>) | undefined
  /** Called before the browser receives the session, which does not begin if it rejects. */
  readonly register?: ((session: { userId: string; sid: string }) => Promise<void>) | undefined
  /** Makes a single-use proof valid again, because the sign-in with it failed. */
  readonly restore?: () => Promise<void>
}

export type StoredAccount = Account & { readonly type: AdapterAccount['type'] }

/** A request for scopes: its response brings new tokens for the same account and session. */
export interface Connect {
  readonly account: string
  readonly sid: string
  /** As requested. */
  readonly scope: string
}

/** What a provider states about the authentication of its user. */
export interface ProviderAssurance {
  /** In milliseconds since the epoch, if it was requested. */
  readonly authTime?: number | undefined
  /** Only of a provider with `trustsAssurance`. */
  readonly amr: readonly string[]
  readonly acr?: string | undefined
}

/** Proves control of an account at a provider. */
export interface AccountEvidence extends CommonEvidence {
  readonly proves: 'account'
  readonly stored: StoredAccount
  /** Undefined: the provider is no OpenID provider. */
  readonly assurance?: ProviderAssurance | undefined
  /** Whether the provider reports the e-mail address as verified, and is trusted to verify it. */
  readonly emailVerified: boolean
  /** Whether a verified address is sufficient to sign in to the existing user with that address. */
  readonly trustsEmail: boolean
  /** Id of the user who was signed in when the transaction began, and links this account. */
  readonly initiatingUser: string | null
  /** Whether the transaction began in a session from `authorize` that is not that of a stored user. */
  readonly beganUnstored: boolean
  /** The account and session for which scopes were requested; undefined: a sign-in. */
  readonly connect?: Connect | undefined
}

/** Proves access to the mailbox of an address. */
export interface AddressEvidence extends CommonEvidence {
  readonly proves: 'address'
  readonly address: string
  /** Of a sign-up, which a user who exists cannot complete: called with the new user, who is deleted if it rejects. */
  readonly created?: (user: AdapterUser) => Promise<void>
}

/** States the user whom the application has authenticated. */
export interface UserEvidence extends CommonEvidence {
  readonly proves: 'user'
  /** Whether the form of the provider has a password. */
  readonly hasPassword: boolean
  /** Whether to create a user who is not in the database. */
  readonly mayCreate: boolean
  /** When the credentials were passed to `authorize`, in milliseconds since the epoch. */
  readonly checkedSince: number
}

export interface PasskeyProof extends CommonEvidence {
  readonly proves: 'passkey'
  /** Whether the authenticator has verified its user, by a PIN or a fingerprint (WebAuthn §6.1). */
  readonly isUserVerified: boolean
  readonly stored: StoredAccount
  readonly passkey: KnownPasskey | NewPasskey
}

export interface KnownPasskey {
  readonly kind: 'known'
  readonly authenticator: AdapterAuthenticator
  /** By the authenticator, in this ceremony. */
  readonly reported: Pick<AdapterAuthenticator, 'counter' | 'credentialBackedUp'>
}

export interface NewPasskey {
  readonly kind: 'new'
  readonly authenticator: Omit<AdapterAuthenticator, 'userId'>
  /** Whether the ceremony began for this signed-in user; `null` if it began for `user` of the evidence, who is created. */
  readonly isFor: ((userId: string) => Promise<boolean>) | null
}

/** What a sign-in proves, as far as it matters once the user was found. */
export type Proved =
  AccountEvidence | AddressEvidence | UserEvidence | Omit<PasskeyProof, 'passkey'>
