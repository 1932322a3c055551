/** An authenticator app of a user. Contains no key. */
export interface AuthenticatorApp {
  readonly id: string
  /** Chosen by the user. */
  readonly name: string | null
  /** When its key was created or imported. */
  readonly created: Date
}

/** The second factors of a user, apart from passkeys. */
export interface SecondFactors {
  /** Oldest first. */
  readonly apps: readonly AuthenticatorApp[]
  readonly recoveryCodesLeft: number
}

/** An authenticator app that is added once one of its codes was entered. Show it to its user only, and do not store it. */
export interface Enrollment {
  /** For `confirm`. */
  readonly id: string
  /** The key, to be typed into an authenticator app (Base32). */
  readonly secret: string
  /** The address that an authenticator app opens (`otpauth://`). */
  readonly uri: string
  /** The address as a QR code: an SVG document without styles and scripts. */
  readonly qrCode: string
}

/** Options of `enroll`. */
export interface EnrollOptions {
  /** Chosen by the user, at most 100 characters. */
  readonly name?: string | undefined
}

/** An authenticator app that a user has added in another system. */
export interface ImportedApp extends EnrollOptions {
  /** The key in Base32, 10 to 64 bytes. Its codes have six digits, of SHA-1, for 30 seconds. */
  readonly secret: string
}

/** The result of a confirmed {@link Enrollment}. */
export interface ConfirmedFactor {
  readonly app: AuthenticatorApp
  /** Ten new codes, each of which replaces the app once; empty if the user has some. They are not shown again. */
  readonly recoveryCodes: readonly string[]
}
