import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import type { Provider } from '../../../src/core/config/provider.ts'
import type { AuthConfig } from '../../../src/index.ts'
import Passkey from '../../../src/providers/passkey.ts'
import WebAuthn, { DEFAULT_WEBAUTHN_TIMEOUT } from '../../../src/providers/webauthn.ts'
import { passwordConfig } from '../../config.ts'
import { without } from '../../database.ts'

const config = (overrides: object): AuthConfig => ({
  ...passwordConfig().config,
  adapter: MemoryAdapter(),
  experimental: { enableWebAuthn: true },
  ...overrides,
})

/** A provider with unchecked options. */
const passkey = (options: object): Provider => Passkey(options)

describe('a passkey provider is rejected because of', () => {
  test.each<[string, object, string, string]>([
    [
      'experimental.enableWebAuthn',
      { providers: [Passkey], experimental: {} },
      'ExperimentalFeatureNotEnabled',
      'providers[0] (passkey): passkeys are experimental. Set experimental: { enableWebAuthn: true }.',
    ],
    [
      'a missing adapter',
      { providers: [Passkey], adapter: undefined },
      'MissingAdapter',
      'adapter is missing: a provider of type webauthn stores its passkeys there. Set adapter.',
    ],
    [
      'missing methods of the adapter',
      {
        providers: [Passkey],
        adapter: without(MemoryAdapter(), 'getAuthenticator', 'listAuthenticatorsByUserId'),
      },
      'MissingAdapterMethods',
      'The adapter lacks getAuthenticator, listAuthenticatorsByUserId. Implement what is missing for passkeys.',
    ],
    [
      'two providers with conditional UI',
      { providers: [Passkey, WebAuthn] },
      'DuplicateConditionalUI',
      'The providers passkey, webauthn have enableConditionalUI. Set it to false on all but one.',
    ],
    [
      'conditional UI without a field',
      { providers: [passkey({ formFields: { email: { autocomplete: 'username' } } })] },
      'MissingWebAuthnAutocomplete',
      'enableConditionalUI needs a field whose autocomplete contains "webauthn".',
    ],
    [
      'an object that another library made',
      { providers: [{ id: 'passkey', type: 'webauthn' }] },
      'InvalidConfiguration',
      'providers[0] (passkey) is not a provider of this library. Import it from lib-auth/providers/passkey',
    ],
    [
      'an RP ID with a scheme',
      { providers: [passkey({ relayingParty: { id: 'https://example.com' } })] },
      'InvalidConfiguration',
      'relayingParty.id is not a host name (got "https://example.com"). Write it like example.com',
    ],
    [
      'an RP ID with a port',
      { providers: [passkey({ relayingParty: { id: 'localhost:3000' } })] },
      'InvalidConfiguration',
      'relayingParty.id is not a host name (got "localhost:3000").',
    ],
    [
      'an origin with a path',
      { providers: [passkey({ relayingParty: { origin: ['https://a.test/'] } })] },
      'InvalidConfiguration',
      'relayingParty.origin is not an origin (got "https://a.test/").',
    ],
    [
      'missing functions of the package',
      { providers: [passkey({ simpleWebAuthn: { verifyRegistrationResponse() {} } })] },
      'InvalidConfiguration',
      'simpleWebAuthn lacks generateAuthenticationOptions, generateRegistrationOptions, verifyAuthenticationResponse.',
    ],
    [
      'a browser version that is not one',
      { providers: [passkey({ simpleWebAuthnBrowserVersion: 'latest' })] },
      'InvalidConfiguration',
      'simpleWebAuthnBrowserVersion is not a version such as "v9.0.1" (got "latest").',
    ],
  ])('%s', (_case, overrides, type, message) => {
    expect(() => resolve(config(overrides))).toThrow(
      expect.objectContaining({ type, message: expect.stringContaining(message) }),
    )
  })
})

describe('a passkey provider is accepted', () => {
  test.each<[string, object]>([
    ['with its defaults', { providers: [Passkey] }],
    ['with JWT sessions', { providers: [Passkey()], session: { strategy: 'jwt' } }],
    ['next to another one', { providers: [Passkey, WebAuthn({ enableConditionalUI: false })] }],
    [
      'with origins of an Android app and of a related site',
      {
        providers: [
          passkey({
            relayingParty: {
              id: 'example.com',
              origin: ['https://example.com', 'android:apk-key-hash:abc'],
            },
          }),
        ],
      },
    ],
    [
      'with its own fields instead of the address',
      { providers: [Passkey({ formFields: { user: { autoComplete: 'username webauthn' } } })] },
    ],
    [
      'with the browser version of @auth/core, which has no effect',
      { providers: [Passkey({ simpleWebAuthnBrowserVersion: 'v9.0.1' })] },
    ],
  ])('%s', (_case, overrides) => {
    expect(() => resolve(config(overrides))).not.toThrow()
  })

  test('and options of the application are merged with the defaults', () => {
    const { options = {}, ...defaults } = Passkey({ registrationOptions: { timeout: 1000 } })
    expect(defaults.authenticationOptions).toEqual({
      timeout: DEFAULT_WEBAUTHN_TIMEOUT,
      userVerification: 'required',
    })
    expect(defaults.registrationOptions).toMatchObject({
      timeout: 300_000,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(options.registrationOptions).toEqual({ timeout: 1000 })
  })
})
