/** Session tokens in your own code: read them, and write them. */
import { open, seal } from './crypto/seal.ts'
import { SESSION_MAX_AGE } from './defaults.ts'
import { MissingSecretError } from './errors/configuration.ts'
import { JWTSessionError } from './errors/session.ts'
import type { Awaitable, JWT } from './types.ts'

export { getToken } from './get-token.ts'
export type { GetTokenParams } from './get-token.ts'
export type { DefaultJWT, JWT } from './types.ts'

/** What {@link encode} needs. */
export interface JWTEncodeParams<Payload extends object = JWT> {
  /** The claims; `iat`, `exp` and `jti` are set for you. */
  token?: Payload | undefined
  /** The secret, or several, newest first. */
  secret: string | readonly string[]
  /** Name of the cookie the token is for. */
  salt: string
  /** Lifetime in seconds. @default 2592000 (30 days) */
  maxAge?: number | undefined
}

/** What {@link decode} needs. */
export interface JWTDecodeParams {
  token?: string | undefined
  /** The secret, or several: the first one that opens the token counts. */
  secret: string | readonly string[]
  /** Name of the cookie the token is from. */
  salt: string
  /** Open tokens of `next-auth` 5 and `@auth/core` too: see the option of that name. @default false */
  migrateSessions?: boolean | undefined
}

/** How session tokens are made: the `jwt` option. */
export interface JWTOptions {
  /** @default the `secret` of the configuration */
  secret: string | readonly string[]
  /** Lifetime in seconds. @default `session.maxAge` */
  maxAge: number
  /** Replaces the encrypted token by one of yours. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Reads what `encode` wrote; answers `null`, or throws, when the token is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
}

function secretList(secret: string | readonly string[]): readonly string[] {
  const list = typeof secret === 'string' ? [secret] : secret
  if (list.length === 0 || list.includes(''))
    throw new MissingSecretError('secret is missing. Pass the secret of the configuration.')
  return list
}

/**
 * Encrypts claims as a compact JWE (`dir`, `A256CBC-HS512`; RFC 7516 §3.1) under the first secret.
 *
 * @throws MissingSecretError when there is no secret.
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
 * Opens a token that {@link encode} made; `null` when there is none. The type argument states the claims that were
 * encoded; they are not validated.
 *
 * @throws JWTSessionError when no secret opens it, or it has expired.
 * @throws MissingSecretError when there is no secret.
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
    own ?? (migrateSessions ? await open(token, { ...sealing, family: 'established' }) : null)
  if (!claims)
    throw new JWTSessionError(
      'The token has expired or cannot be decrypted with the given secrets.',
    )
  return claims
}
