/**
 * Why a passkey request failed in the browser.
 *
 * - `cancelled`: the user cancelled it, failed the user verification, or has no passkey for the site. Browsers do not
 *   distinguish these (WebAuthn Level 3 §14.5).
 * - `timeout`: the user did not respond in time.
 * - `unsupported`: the browser does not support passkeys, or their autofill.
 * - `insecure_origin`: the page is served neither over https nor from localhost.
 * - `wrong_domain`: the relying party ID is not the domain of the page or a parent of it.
 * - `already_registered`: the authenticator has a passkey of this user already.
 * - `no_authenticator`: no authenticator meets the requirements of the provider.
 * - `replaced`: another request began on the page.
 * - `expired`: the challenge expired before the user chose a passkey.
 * - `unavailable`: the site did not respond, or an outage prevents it.
 * - `failed`: another error of the browser, the authenticator, or the site.
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
