/** Encrypts and decrypts session tokens in application code. */
import { open, seal } from './crypto/seal.ts'
import { SESSION_MAX_AGE } from './defaults.ts'
import { MissingSecretError } from './errors/configuration.ts'
import { JWTSessionError } from './errors/session.ts'
import type { Awaitable, JWT } from './types.ts'

export { getToken } from './get-token.ts'
export type { GetTokenParams } from './get-token.ts'
export type { DefaultJWT, JWT } from './types.ts'

/** Parameters of {@link encode}. */
export interface JWTEncodeParams<Payload extends object = JWT> {
  /** Claims; `iat`, `exp` and `jti` are set by `encode`. */
  token?: Payload | undefined
  /** One secret, or several with the newest first. */
  secret: string | readonly string[]
  /** Name of the session cookie, which is the salt of the key derivation. */
  salt: string
  /** Lifetime in seconds. @default 2592000 (30 days) */
  maxAge?: number | undefined
}

/** Parameters of {@link decode}. */
export interface JWTDecodeParams {
  token?: string | undefined
  /** One secret, or several that are tried in order. */
  secret: string | readonly string[]
  /** Name of the session cookie, which is the salt of the key derivation. */
  salt: string
  /** Also accept tokens of `next-auth` 5 and `@auth/core`, as the option of that name. @default false */
  migrateSessions?: boolean | undefined
}

/** Format of session tokens: the `jwt` option. */
export interface JWTOptions {
  /** Encrypts session tokens. @default the `secret` of the configuration */
  secret: string | readonly string[]
  /** Lifetime in seconds. @default `session.maxAge` */
  maxAge: number
  /** Replaces the encryption of session tokens. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Parses a token that `encode` returned; returns `null` or throws if the token is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
}

function secretList(secret: string | readonly string[]): readonly string[] {
  const list = typeof secret === 'string' ? [secret] : secret
  if (list.length === 0 || list.includes(''))
    throw new MissingSecretError('secret is missing. Pass the secret of the configuration.')
  return list
}

/**
 * Encrypts claims under the first secret as a compact JWE (`dir`, `A256CBC-HS512`; RFC 7516 §3.1).
 *
 * @throws MissingSecretError if there is no secret.
 * @example
 * ```ts
 * import { encode } from 'lib-auth/jwt'
 *
 * export function tokenFor(secret: string, userId: string): Promise<string> {
 *   return encode({ token: { sub: userId }, secret, salt: 'lib.session-token', maxAge: 3600 })
 * }
 * ```
 */
export async function encode<Payload extends object = JWT>(
  params: JWTEncodeParams<Payload>,
): Promise<string> {
  const { token, secret, salt, maxAge = SESSION_MAX_AGE } = params
  return seal({ ...token }, { secrets: secretList(secret), salt, maxAge })
}

/**
 * Decrypts a token of {@link encode}; `null` if there is no token. The type argument states the claims that were
 * encoded; they are not validated.
 *
 * @throws JWTSessionError if the token has expired or no secret decrypts it.
 * @throws MissingSecretError if there is no secret.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null>
export async function decode<Payload extends object>(
  params: JWTDecodeParams,
): Promise<Payload | null>
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, secret, salt, migrateSessions } = params
  if (!token) return null
  const sealing = { secrets: secretList(secret), salt }
  const own = await open(token, sealing)
  const claims =
    own ?? (migrateSessions ? await open(token, { ...sealing, family: 'next-auth' }) : null)
  if (!claims)
    throw new JWTSessionError(
      'The token has expired or cannot be decrypted with the given secrets.',
    )
  return claims
}
