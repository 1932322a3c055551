/** Types of `lib-auth/passkeys`. In a module of their own: public declarations must not need internal ones. */

/** A passkey as its user sees it. */
export interface Passkey {
  /** In base64. */
  readonly credentialID: string
  /** Chosen by the user; `null` until `renamePasskey` is called. */
  readonly name: string | null
  /** `null`: unknown, because the table has no such column. */
  readonly created: Date | null
  /** The last sign-in; `null`: none, or unknown. */
  readonly lastUsed: Date | null
  /** `multiDevice`: can be synchronized between devices; `singleDevice`: bound to one authenticator. */
  readonly deviceType: 'singleDevice' | 'multiDevice'
  /** Whether the passkey was backed up at the last sign-in (WebAuthn §6.1.3). */
  readonly isBackedUp: boolean
  /** How the browser reaches the authenticator: `internal`, `hybrid`, `usb`, `nfc`, `ble` (WebAuthn §5.8.4). */
  readonly transports: readonly string[]
}

/** Options of `removePasskey`. */
export interface RemovePasskeyOptions {
  /** `allow`: also removes the last sign-in method of the user. @default 'refuse' */
  readonly last?: 'refuse' | 'allow'
}
