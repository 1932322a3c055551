import { jwksCache, KEY_SELECTION, validateApplicationLevelSignature } from 'oauth4webapi'
import type { AuthorizationServer, JWK } from 'oauth4webapi'
import { fromBase64Url, toBytes } from '../../crypto/encoding.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import type { OAuthProvider } from './provider.ts'
import { endpointOf, keySet } from './server.ts'

/** Maximum number of keys to try for a token without `kid`. */
const MAX_TRIES = 10

/** Decodes the header or the claims of a compact JWS without verifying it; throws if they are not a JSON object. */
export function decodePart(jws: string, part: 'header' | 'claims'): Record<string, unknown> {
  const bytes = fromBase64Url(jws.split('.')[part === 'header' ? 0 : 1] ?? '')
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()))
  if (typeof json !== 'object' || json === null) throw new Error('The token is not a JWT.')
  return { ...json }
}

export interface SignedToken {
  readonly jws: string
  readonly issuer: string
  readonly response: Response
}

function isKeySelection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === KEY_SELECTION
}

/** Verifies with a JWK Set; tries several keys if the token has no `kid`. */
async function verifyWith(
  server: AuthorizationServer,
  { jws, response }: SignedToken,
  keys: readonly JWK[],
): Promise<void> {
  const verify = (set: readonly JWK[]) =>
    validateApplicationLevelSignature({ ...server }, response, {
      [jwksCache]: { jwks: { keys: [...set] }, uat: epochSeconds() },
    })
  const { kid } = decodePart(jws, 'header')
  if (kid !== undefined || keys.length < 2) return verify(keys)
  for (const key of keys.slice(0, MAX_TRIES)) {
    const isGood = await verify([key]).then(
      () => true,
      () => false,
    )
    if (isGood) return undefined
  }
  return verify([])
}

/** Verifies with the client secret (RFC 7518 §3.2). */
async function verifyBySecret(jws: string, secret: string, algorithm: string): Promise<void> {
  const [header = '', claims = '', signature = ''] = jws.split('.')
  const hmac = { name: 'HMAC', hash: `SHA-${algorithm.slice(2)}` }
  const key = await crypto.subtle.importKey('raw', toBytes(secret), hmac, false, ['verify'])
  const code = fromBase64Url(signature) ?? new Uint8Array()
  const isGood = await crypto.subtle.verify('HMAC', key, code, toBytes(`${header}.${claims}`))
  if (!isGood) throw new Error('The HMAC signature does not match the client secret.')
}

/**
 * Verifies a signature. If no key matches, reloads the JWK Set once (key rotation).
 *
 * @param registered - the algorithm that the client is registered with, if any
 * @throws Error if the signature is invalid
 */
export async function verifySignature(
  provider: OAuthProvider,
  token: SignedToken,
  registered: string | undefined,
): Promise<void> {
  const { clientSecret } = provider
  const { issuer } = token
  // HMAC only if registered: otherwise a token could choose the algorithm (RFC 8725 §2.1).
  if (registered?.startsWith('HS') && clientSecret)
    return verifyBySecret(token.jws, clientSecret, registered)
  const server = { issuer, jwks_uri: (await endpointOf(provider, 'jwks_uri')).href }
  const verify = async (mode: 'cached' | 'reload') =>
    verifyWith(server, token, (await keySet(provider, mode)).keys)
  try {
    return await verify('cached')
  } catch (error) {
    // An unknown `kid`, or no `kid` and a set that may be out of date.
    const { kid } = decodePart(token.jws, 'header')
    if (!isKeySelection(error) && kid !== undefined) throw error
    return verify('reload')
  }
}
