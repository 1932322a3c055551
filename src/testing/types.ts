/** What the provider for tests can do. */
import type { JWK } from 'jose'
import type { Fetch } from '../types.ts'

/** Endpoints of the provider. */
export type IssuerEndpoint = 'discovery' | 'jwks' | 'token' | 'userinfo'

/** Claims, parameters or members, by name. */
export type Values = Record<string, unknown>

/** The ID token before it is signed. */
export interface IdTokenDraft {
  header: Values
  claims: Values
}

/**
 * What the provider does differently. Each gets what would be right and returns what is sent instead; a
 * `Response` is sent as it is, and what never resolves is never sent.
 */
export interface Misbehaviour {
  discovery?: (metadata: Values) => Values | Response | Promise<Response>
  jwks?: (keys: { keys: JWK[] }) => { keys: unknown[] } | Response | Promise<Response>
  /** Query of the redirect back. */
  authorization?: (parameters: URLSearchParams) => URLSearchParams
  idToken?: (draft: IdTokenDraft) => IdTokenDraft
  /** The signed ID token. */
  signed?: (idToken: string) => string | Promise<string>
  token?: (body: Values) => Values | Response | Promise<Response>
  /** What is not looked at when a code is redeemed. */
  overlooks?: readonly ('code_verifier' | 'code_reuse' | 'client_authentication')[]
  userinfo?: (claims: Values) => unknown
}

/** What a provider is made with. */
export interface IssuerOptions {
  /** Its issuer identifier. @default 'https://issuer.test' */
  url?: string
  /** @default 'client' */
  clientId?: string
  /** @default 'client secret: 100% ö' */
  clientSecret?: string
  /** @default 'RS256' */
  algorithm?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
  /** Who is at the browser. @default somebody called Ada Lovelace */
  person?: Values & { sub: string }
}

/** The provider. */
export interface Issuer {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** Answers requests to the provider: the `fetch` of the configuration under test. */
  readonly fetch: Fetch
  /** Requests so far. */
  readonly requests: Readonly<Record<IssuerEndpoint, number>>
  /** Set its members to make the provider misbehave. */
  readonly misbehaviour: Misbehaviour
  /** Behaves again, and forgets its counters. */
  reset(): void
  /** Throws its keys away and makes new ones. */
  rotateKeys(): Promise<void>
  /**
   * What a person does at the provider: follows the authorization URL, agrees, and is sent back.
   *
   * @returns the URL, or the form, the browser is sent back with
   */
  authorize(url: string | URL, person?: Values): Promise<AuthorizationAnswer>
  /** Signs claims with the current key; a payload that is written out is signed as it is. */
  sign(claims: Values | string, header?: Values): Promise<string>
}

/** How the browser comes back. */
export interface AuthorizationAnswer {
  readonly url: string
  /** Present when the provider posts a form (OAuth 2.0 Form Post Response Mode). */
  readonly form?: URLSearchParams
}
