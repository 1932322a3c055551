import type { WebAuthnConfig, WebAuthnUserConfig } from '../core/config/webauthn.ts'
import WebAuthn from './webauthn.ts'

export type * from '../core/config/webauthn.ts'

/**
 * Passkeys: credentials that the browser offers without an e-mail address, and that verify the user. Needs an adapter,
 * and the package `@simplewebauthn/server`.
 *
 * @example
 * ```ts
 * import Passkey from 'lib-auth/providers/passkey'
 *
 * export const config = {
 *   providers: [Passkey],
 *   experimental: { enableWebAuthn: true },
 * }
 * ```
 */
export default function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const provider = WebAuthn(options)
  const { timeout, authenticatorSelection } = provider.registrationOptions ?? {}
  const selection = { ...authenticatorSelection, residentKey: 'required' } as const
  return {
    ...provider,
    id: 'passkey',
    name: 'Passkey',
    registrationOptions: { timeout, authenticatorSelection: selection },
  }
}
