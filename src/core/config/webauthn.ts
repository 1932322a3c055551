import type { ceremonies } from '../symbols.ts'
import type { Awaitable, Hook, User } from '../types.ts'
import type { CredentialFields } from './credentials.ts'
import type { CommonProviderOptions } from './provider-options.ts'

/** Whether the authenticator verifies the user, with a PIN or biometrics (WebAuthn §5.8.6). */
export type UserVerification = 'required' | 'preferred' | 'discouraged'

/** The relying party (RP): the site that a passkey belongs to. */
export interface RelayingParty {
  /** RP ID: the host name of the site, or a parent domain. Passkeys cannot be used with another one. */
  id: string
  /** Display name. */
  name: string
  /** The origins from which responses are accepted. */
  origin: string | readonly string[]
}

/** Options of {@link WebAuthnConfig.getRelayingParty} and {@link WebAuthnConfig.getUserInfo}. */
export interface WebAuthnContext {
  readonly provider: WebAuthnConfig
  /** The public URL of the site, without a path. */
  readonly url: URL
}

/** The user whom the fields of the sign-in form name. */
export interface WebAuthnUserInfo {
  /** Of an existing user, with `id`. A new user is created with these fields when the ceremony is complete. */
  user: User
  exists: boolean
}

/** Options of an authentication ceremony (WebAuthn §5.5). */
export interface WebAuthnAuthenticationOptions {
  /** Time for the user, in milliseconds; only the first 300 000 are of use. @default 300000 */
  timeout?: number | undefined
  /** @default 'required' */
  userVerification?: UserVerification | undefined
  extensions?: object | undefined
}

/** Options of a registration ceremony (WebAuthn §5.4). */
export interface WebAuthnRegistrationOptions {
  /** Time for the user, in milliseconds; only the first 300 000 are of use. @default 300000 */
  timeout?: number | undefined
  /**
   * Other values than `none` validate certificates that the client sends, which may request the URLs that they name. With
   * `none`, they are ignored. @default 'none'
   */
  attestationType?: 'none' | 'direct' | 'enterprise' | undefined
  /** @default `residentKey` 'preferred' ('required' for `passkey`), `userVerification` 'required' */
  authenticatorSelection?:
    | {
        authenticatorAttachment?: 'platform' | 'cross-platform' | undefined
        residentKey?: UserVerification | undefined
        requireResidentKey?: boolean | undefined
        userVerification?: UserVerification | undefined
      }
    | undefined
  /** Accepted algorithms (COSE). @default [-8, -7, -257]: EdDSA, ES256, RS256 */
  supportedAlgorithmIDs?: readonly number[] | undefined
  /** Since version 13 of `@simplewebauthn/server`. */
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice' | undefined
  extensions?: object | undefined
}

/** Options of the verification of a response, as `@simplewebauthn/server` defines them. */
export interface WebAuthnVerificationOptions {
  /** Rejects a response without user verification. @default true */
  requireUserVerification?: boolean | undefined
  [option: string]: unknown
}

/** A function of `@simplewebauthn/server`, whose options differ between the releases of the package. */
export type SimpleWebAuthnFunction = (options: any) => Awaitable<object>

/** The functions of `@simplewebauthn/server`, from major version 9 on. */
export interface SimpleWebAuthn {
  generateAuthenticationOptions: SimpleWebAuthnFunction
  generateRegistrationOptions: SimpleWebAuthnFunction
  verifyAuthenticationResponse: SimpleWebAuthnFunction
  verifyRegistrationResponse: SimpleWebAuthnFunction
}

/** The {@link ProviderType} of passkey providers. */
export type WebAuthnProviderType = 'webauthn'

/** Type of {@link WebAuthnConfig.getUserInfo}. */
export type GetUserInfo = NonNullable<WebAuthnConfig['getUserInfo']>

/** A provider of type `webauthn`: signs users in with passkeys and security keys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: 'webauthn'
  /** Offers passkeys in the autofill list of the sign-in form (conditional UI). One provider at most. @default true */
  enableConditionalUI?: boolean | undefined
  /** Fields of the sign-in form, which identify the user. @default `email` */
  formFields?: CredentialFields | undefined
  authenticationOptions?: WebAuthnAuthenticationOptions | undefined
  registrationOptions?: WebAuthnRegistrationOptions | undefined
  verifyAuthenticationOptions?: WebAuthnVerificationOptions | undefined
  verifyRegistrationOptions?: WebAuthnVerificationOptions | undefined
  /**
   * The relying party. Of a list of ids or names, the first one is used; responses of every origin in a list are accepted.
   * @default host name, host and origin of the site
   */
  relayingParty?:
    | {
        id?: string | readonly string[] | undefined
        name?: string | readonly string[] | undefined
        origin?: string | readonly string[] | undefined
      }
    | undefined
  /** Replaces {@link relayingParty}, for a site with several domains. */
  getRelayingParty?: Hook<[context: WebAuthnContext, request: Request], Awaitable<RelayingParty>>
  /**
   * Returns the user whom the query names, `exists: false` for a new one, or `null` if the query names none. Must take
   * the same time for existing and unknown users, to prevent user enumeration.
   * @default the user with the address in the parameter `email`
   */
  getUserInfo?: Hook<
    [context: WebAuthnContext, request: Request],
    Awaitable<WebAuthnUserInfo | null>
  >
  /** The functions of `@simplewebauthn/server`, or a function that loads them. @default the installed version */
  simpleWebAuthn?: SimpleWebAuthn | (() => Awaitable<SimpleWebAuthn>) | undefined
  /** @deprecated has no effect: the sign-in page loads no script from other sites */
  simpleWebAuthnBrowserVersion?: string | false | undefined
  [ceremonies]?: unknown
  /** Options of the application, deep-merged over the provider. */
  options?: WebAuthnUserConfig | undefined
}

/** Options that an application may set on a `webauthn` provider. */
export interface WebAuthnUserConfig extends Partial<
  Omit<WebAuthnConfig, 'options' | 'type' | typeof ceremonies>
> {}
