/** Signatures of JWTs by the keys of the provider (RFC 7515, RFC 7517). */
import { jwksCache, KEY_SELECTION, validateApplicationLevelSignature } from 'oauth4webapi'
import type { AuthorizationServer, JWK } from 'oauth4webapi'
import { fromBase64Url, toBytes } from '../../crypto/encoding.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import type { OAuthProvider } from './provider.ts'
import { endpointOf, keySet } from './server.ts'

/** Keys that are tried when a token does not say which one signed it. */
const MAX_TRIES = 10

/** The header or the claims of a compact JWS, not verified; throws when they are no JSON object. */
export function decodePart(jws: string, part: 'header' | 'claims'): Record<string, unknown> {
  const bytes = fromBase64Url(jws.split('.')[part === 'header' ? 0 : 1] ?? '')
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()))
  if (typeof json !== 'object' || json === null) throw new Error('The token is not a JWT.')
  return { ...json }
}

/** A signed token, who issued it, and the response it was read from when it was processed. */
export interface SignedToken {
  readonly jws: string
  readonly issuer: string
  readonly response: Response
}

function isKeySelection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === KEY_SELECTION
}

/** Verifies by one set of keys; when several may have signed, one after the other. */
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

/** Verifies by the client secret (RFC 7518 §3.2). */
async function verifyBySecret(jws: string, secret: string, algorithm: string): Promise<void> {
  const [header = '', claims = '', signature = ''] = jws.split('.')
  const hmac = { name: 'HMAC', hash: `SHA-${algorithm.slice(2)}` }
  const key = await crypto.subtle.importKey('raw', toBytes(secret), hmac, false, ['verify'])
  const code = fromBase64Url(signature) ?? new Uint8Array()
  const isGood = await crypto.subtle.verify('HMAC', key, code, toBytes(`${header}.${claims}`))
  if (!isGood) throw new Error('The HMAC signature does not match the client secret.')
}

/**
 * Verifies a signature; reads the keys of the provider again, once, when none fits.
 *
 * @param registered - the one algorithm the client is registered with, if it is
 * @throws when the signature is not good
 */
export async function verifySignature(
  provider: OAuthProvider,
  token: SignedToken,
  registered: string | undefined,
): Promise<void> {
  const { clientSecret } = provider
  const { issuer } = token
  // By the registration alone may a shared secret take the place of a key (RFC 8725 §2.1).
  if (registered?.startsWith('HS') && clientSecret)
    return verifyBySecret(token.jws, clientSecret, registered)
  const server = { issuer, jwks_uri: (await endpointOf(provider, 'jwks_uri')).href }
  const verify = async (mode: 'cached' | 'reload') =>
    verifyWith(server, token, (await keySet(provider, mode)).keys)
  try {
    return await verify('cached')
  } catch (error) {
    // A key that is not known, or one that is not named and may be another one by now.
    const { kid } = decodePart(token.jws, 'header')
    if (!isKeySelection(error) && kid !== undefined) throw error
    return verify('reload')
  }
}
