import type { Fetch } from '../core/types.ts'

/** Endpoints of {@link Issuer}. */
export type IssuerEndpoint = 'discovery' | 'jwks' | 'token' | 'userinfo'

/** Claims, parameters or JSON members by name. */
export type Values = Record<string, unknown>

/** A public key of the provider (RFC 7517 §4). */
export type PublicKey = Readonly<
  Record<'kid' | 'alg' | 'use', string> &
    Partial<Record<'kty' | 'crv' | 'e' | 'n' | 'x' | 'y', string>>
>

/** A validation that {@link Misbehaviour.overlooks} can skip. */
export type SkippedValidation =
  | 'code_verifier'
  | 'code_reuse'
  | 'client_authentication'
  | 'redirect_uri'
  /** Reads the parameters of a GET request from its query. RFC 6749 §3.2 requires POST. */
  | 'request_method'

/** An ID token before it is signed. */
export interface IdTokenDraft {
  header: Values
  claims: Values
}

/**
 * Overrides for protocol violations. Each function receives the correct value and returns what is sent; a `Response` is
 * sent unchanged, and a promise that never settles causes a timeout.
 */
export interface Misbehaviour {
  discovery?: (metadata: Values) => Values | Response | Promise<Response>
  jwks?: (keys: { keys: PublicKey[] }) => { keys: unknown[] } | Response | Promise<Response>
  /** Parameters of the authorization response. */
  authorization?: (parameters: URLSearchParams) => URLSearchParams
  idToken?: (draft: IdTokenDraft) => IdTokenDraft
  signed?: (idToken: string) => string | Promise<string>
  token?: (body: Values) => Values | Response | Promise<Response>
  /** Validations to skip when a code is redeemed. */
  overlooks?: readonly SkippedValidation[]
  userinfo?: (claims: Values) => unknown
}

/** Options of {@link issuer}. */
export interface IssuerOptions {
  /** Issuer identifier. @default 'https://issuer.test' */
  url?: string
  /** @default 'client' */
  clientId?: string
  /** @default 'client secret: 100% ö' */
  clientSecret?: string
  /** @default 'RS256' */
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
  /** The beginning of each key id. A provider that starts again at the same URL with other keys needs another one. @default 'key' */
  keyId?: string
  /** Claims of the user. @default a user named Ada Lovelace */
  person?: Values & { sub: string }
  /**
   * Whether refresh tokens are issued. `kept`: one for all refreshes. `rotated`: each is for one refresh; when one is sent
   * again, all of its sign-in become invalid. @default 'none'
   */
  refreshTokens?: 'none' | 'kept' | 'rotated'
  /** Of access tokens, in seconds. @default 3600 */
  accessTokenLifetime?: number
}

/** An OpenID provider for tests. */
export interface Issuer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Responds to requests to the provider; use it as `fetch` of the configuration under test. */
  readonly fetch: Fetch
  /** Number of requests by endpoint. */
  readonly requests: Readonly<Record<IssuerEndpoint, number>>
  /** Mutable: set members to make the provider violate the protocol. */
  readonly misbehaviour: Misbehaviour
  /** Removes all overrides and resets the counters. */
  reset(): void
  /** Replaces the signing keys (key rotation). */
  rotateKeys(): Promise<void>
  /** Follows the authorization URL as a user who consents; returns the authorization response. */
  authorize(url: string | URL, person?: Values): Promise<AuthorizationAnswer>
  /** Signs claims with the current key; a string is signed as it is. */
  sign(claims: Values | string, header?: Values): Promise<string>
}

/** An authorization response. */
export interface AuthorizationAnswer {
  readonly url: string
  /** Present with `response_mode=form_post` (OAuth 2.0 Form Post Response Mode). */
  readonly form?: URLSearchParams
}
