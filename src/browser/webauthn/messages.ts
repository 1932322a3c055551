import type { CeremonyErrorCode } from '../../core/errors/ceremony-code.ts'

/** English texts for users. */
export const ceremonyMessages: Readonly<Record<CeremonyErrorCode, string>> = {
  cancelled:
    'No passkey was used: the request was cancelled, or there is no passkey for this site. Try again.',
  timeout: 'The request for a passkey has timed out. Try again.',
  unsupported: 'This browser does not support passkeys.',
  insecure_origin: 'Passkeys need a secure connection (https).',
  wrong_domain: 'Passkeys of this site cannot be used at this address.',
  already_registered: 'There is already a passkey of this account on this device.',
  no_authenticator:
    'No suitable device for a passkey was found. Set up a screen lock, or connect a security key, and try again.',
  replaced: 'Another request for a passkey began on this page.',
  expired: 'The request for a passkey has expired. Try again.',
  unavailable: 'The site did not respond in time. Try again in a moment.',
  failed: 'The passkey could not be used. Try again.',
}

const SERVER_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['WebAuthnVerificationError', 'The passkey was not accepted. Try again.'],
  ['session_cannot_link', 'The passkey was not added. Sign out, sign in again, and then add it.'],
  ['AccountNotLinked', 'To confirm your identity, sign in with the method that you used first.'],
  ['AccessDenied', 'You do not have permission to sign in.'],
  ['InvalidCheck', 'The request for a passkey has expired. Try again.'],
  ['TemporarilyUnavailable', ceremonyMessages.unavailable],
])

interface ServerError {
  readonly error: string
  readonly code?: string | undefined
  /** Replaces a text of this module that says less. */
  readonly message?: string
}

/** The text for an error that the server reports. */
export function serverMessage({ error, code = '', message }: ServerError): string {
  const text = SERVER_MESSAGES.get(code) ?? SERVER_MESSAGES.get(error)
  return text ?? message ?? 'Unable to sign in. Try again.'
}
