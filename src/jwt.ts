/** Encrypts and decrypts session tokens in application code. */
import { open, seal } from './core/crypto/seal.ts'
import { areSecrets, asList } from './core/config/token-settings.ts'
import { SESSION_MAX_AGE } from './core/config/defaults.ts'
import { JWTSessionError, MissingSecretError } from './core/errors/classes.ts'
import type { JWTDecodeParams, JWTEncodeParams } from './core/session/jwt-options.ts'
import type { JWT } from './core/types.ts'

export { getToken } from './core/get-token.ts'
export type { GetTokenParams, TokenConfig, TokenParams } from './core/get-token.ts'
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from './core/session/jwt-options.ts'
export type { DefaultJWT, JWT } from './core/types.ts'

function secretList(secret: string | readonly string[]): readonly string[] {
  const list = asList(secret)
  if (!areSecrets(list))
    throw new MissingSecretError(
      'secret is missing, empty or not a string. Pass the secret of the configuration.',
    )
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
 * Decrypts a token of {@link encode}; `null` without a token. The claims are not validated against the type argument.
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
