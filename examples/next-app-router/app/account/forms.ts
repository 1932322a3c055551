import type { ConfirmedFactor, Enrollment } from 'lib-auth/factors'

/** The form that adds an authenticator app, and then shows recovery codes. */
export interface AddedApp extends Partial<Pick<ConfirmedFactor, 'recoveryCodes'>> {
  app?: Enrollment
  problem?: string
}

/** The form for a new e-mail address. */
export interface AddressForm {
  to: string
  problem?: string
}
