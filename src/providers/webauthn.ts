import type { SimpleWebAuthn, WebAuthnConfig, WebAuthnUserConfig } from '../core/config/webauthn.ts'
import { passkeys } from '../core/config/passkeys.ts'
import { InvalidConfiguration } from '../core/errors/classes.ts'
import { ceremonies } from '../core/symbols.ts'

export type * from '../core/config/webauthn.ts'

/** Time for the user to complete a ceremony, in milliseconds: 5 minutes. */
export const DEFAULT_WEBAUTHN_TIMEOUT = 300_000

/**
 * The version of `@simplewebauthn/browser` that `@auth/core` loads.
 *
 * @deprecated has no effect: the sign-in page loads no script from other sites
 */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION = 'v9.0.1'

const formFields = {
  email: { label: 'Email', type: 'email', required: true, autocomplete: 'username webauthn' },
}

async function loadSimpleWebAuthn(): Promise<SimpleWebAuthn> {
  let cause: unknown
  try {
    // Next.js 15 would inline the package into an edge middleware, which rejects its code. It replaces the variable.
    if (typeof process === 'object')
      if (process.env['NEXT_RUNTIME'] !== 'edge') return await import('@simplewebauthn/server')
  } catch (error) {
    cause = error
  }
  throw new InvalidConfiguration(
    'The package @simplewebauthn/server cannot be loaded. Install it: npm install @simplewebauthn/server. On a runtime without process, or on the edge of Next.js, pass its functions as simpleWebAuthn.',
    { cause },
  )
}

/**
 * Passkeys and security keys (WebAuthn). Needs an adapter, and the package `@simplewebauthn/server`.
 *
 * @example
 * ```ts
 * import WebAuthn from 'lib-auth/providers/webauthn'
 *
 * export const config = {
 *   providers: [WebAuthn()],
 *   experimental: { enableWebAuthn: true },
 * }
 * ```
 */
export default function WebAuthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const timeout = DEFAULT_WEBAUTHN_TIMEOUT
  const userVerification = 'required'
  return {
    id: 'webauthn',
    name: 'WebAuthn',
    type: 'webauthn',
    enableConditionalUI: true,
    // Not merged with the fields of the application.
    formFields: options.formFields ?? formFields,
    authenticationOptions: { timeout, userVerification },
    registrationOptions: {
      timeout,
      authenticatorSelection: { residentKey: 'preferred', userVerification },
    },
    verifyAuthenticationOptions: { requireUserVerification: true },
    verifyRegistrationOptions: { requireUserVerification: true },
    simpleWebAuthn: loadSimpleWebAuthn,
    [ceremonies]: passkeys,
    options,
  }
}
