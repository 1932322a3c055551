/** Responses of the route `webauthn-options`, in the JSON format of WebAuthn. */
import type { UserVerification, WebAuthnRegistrationOptions } from '../../config/webauthn.ts'

/** A passkey in the options of a ceremony (WebAuthn §5.8.3). */
export interface WebAuthnCredentialDescriptor {
  /** Base64url. */
  id: string
  type: 'public-key'
  transports?: ('ble' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[]
}

/** Options of `navigator.credentials.get()` in JSON (WebAuthn Level 3 §5.1.10). */
export interface WebAuthnRequestOptions {
  /** Base64url. */
  challenge: string
  /** Milliseconds. */
  timeout?: number
  /** RP ID. */
  rpId?: string
  /** Without it, the browser offers all passkeys of the site. */
  allowCredentials?: WebAuthnCredentialDescriptor[]
  userVerification?: UserVerification
  extensions?: object
}

/** Options of `navigator.credentials.create()` in JSON (WebAuthn Level 3 §5.1.9). */
export interface WebAuthnCreationOptions {
  rp: { id?: string; name: string }
  /** `id`: the user handle, in base64url. */
  user: { id: string; name: string; displayName: string }
  /** Base64url. */
  challenge: string
  /** `alg`: a COSE algorithm. */
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  /** Milliseconds. */
  timeout?: number
  /** The passkeys of the user, which are not registered again. */
  excludeCredentials?: WebAuthnCredentialDescriptor[]
  authenticatorSelection?: {
    authenticatorAttachment?: 'platform' | 'cross-platform'
    residentKey?: UserVerification
    requireResidentKey?: boolean
    userVerification?: UserVerification
  }
  hints?: ('client-device' | 'hybrid' | 'security-key')[]
  attestation?: NonNullable<WebAuthnRegistrationOptions['attestationType']>
  extensions?: object
}

/** The response of the route `webauthn-options`. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: WebAuthnRequestOptions }
  | { action: 'register'; options: WebAuthnCreationOptions }
