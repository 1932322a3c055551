/**
 * Why a ceremony failed in the browser.
 *
 * - `cancelled`: the user cancelled it, failed the verification, or has no passkey for the site. Browsers do not
 *   distinguish these.
 * - `timeout`: the user did not respond in time.
 * - `unsupported`: the browser does not support passkeys.
 * - `insecure_origin`: the page is not served over https, nor from localhost.
 * - `wrong_domain`: the origin of the page does not belong to the domain of the passkeys (the relying party id).
 * - `already_registered`: the authenticator already has a passkey of this user.
 * - `no_authenticator`: no authenticator meets the requirements of the provider.
 * - `replaced`: another ceremony began on the page.
 * - `expired`: the challenge expired before the user chose a passkey.
 * - `unavailable`: the site did not respond.
 * - `failed`: another error of the authenticator or browser.
 */
export type CeremonyErrorCode =
  | 'cancelled'
  | 'timeout'
  | 'unsupported'
  | 'insecure_origin'
  | 'wrong_domain'
  | 'already_registered'
  | 'no_authenticator'
  | 'replaced'
  | 'expired'
  | 'unavailable'
  | 'failed'

/** A ceremony failed in the browser; the server was not asked. */
export class CeremonyError extends Error {
  override name = 'CeremonyError'
  readonly code: CeremonyErrorCode

  constructor(code: CeremonyErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}
