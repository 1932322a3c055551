/** Validates ID tokens (OpenID Connect Core §3.1.3.7) and the signatures of other JWTs of a provider. */
import { asRecord, isRecord } from '../../is-record.ts'
import { jwksCache, KEY_SELECTION, validateApplicationLevelSignature } from 'oauth4webapi'
import type { AuthorizationServer, IDToken, JWK, TokenEndpointResponse } from 'oauth4webapi'
import { fromBase64Url, toBase64Url, toBytes } from '../../crypto/digest.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { OAuthCallbackError } from '../../errors/classes.ts'
import type { OAuthProvider } from './provider.ts'
import { findEndpoint, readKeySet, validateIssuer } from './server.ts'

const MAX_LENGTH = 64 * 1024
/** Maximum age of an ID token in seconds; it was issued in response to the token request. */
const MAX_TOKEN_AGE = 600
/** Tolerated clock skew in seconds if the clock of the provider is ahead. */
const CLOCK_TOLERANCE = 60
/** Tolerated clock skew in seconds for `exp`. */
const EXPIRY_TOLERANCE = 30
/** Maximum number of keys to try for a token without `kid`. */
const MAX_TRIES = 10

/** Decodes the header or the claims of a compact JWS without verifying it; throws if they are not a JSON object. */
export function decodePart(
  jws: string,
  part: 'header' | 'claims',
): Readonly<Record<string, unknown>> {
  const bytes = fromBase64Url(jws.split('.')[part === 'header' ? 0 : 1] ?? '')
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()))
  if (!isRecord(json)) throw new Error('The token is not a JWT.')
  return json
}

export interface SignedToken {
  readonly jws: string
  readonly issuer: string
  readonly response: Response
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
  const tries = keys.slice(0, MAX_TRIES).map((key) => verify([key]))
  return Promise.any(tries).catch(() => verify([]))
}

/** Verifies with the client secret (RFC 7518 §3.2). */
async function verifyBySecret(jws: string, secret: string, algorithm: string): Promise<void> {
  const [header = '', claims = '', signature = ''] = jws.split('.')
  const hmac = { name: 'HMAC', hash: `SHA-${algorithm.slice(2)}` }
  const key = await crypto.subtle.importKey('raw', toBytes(secret), hmac, false, ['verify'])
  const code = fromBase64Url(signature) ?? new Uint8Array()
  const isValid = await crypto.subtle.verify('HMAC', key, code, toBytes(`${header}.${claims}`))
  if (!isValid) throw new Error('The HMAC signature does not match the client secret.')
}

/** Throws if the signature is invalid. `registered`: the algorithm that the client is registered with, if any. */
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
  const server = { issuer, jwks_uri: (await findEndpoint(provider, 'jwks_uri')).href }
  const verify = async (mode: 'cached' | 'reload') =>
    verifyWith(server, token, (await readKeySet(provider, mode)).keys)
  try {
    return await verify('cached')
  } catch (error) {
    // Key rotation: an unknown `kid`, or no `kid` and a set that may be out of date.
    const { kid } = decodePart(token.jws, 'header')
    const { code } = asRecord(error)
    if (code !== KEY_SELECTION && kid !== undefined) throw error
    return verify('reload')
  }
}

/** Rejects an ID token whose times show clock skew: it has just been issued, so `iat` is the provider's time. */
function rejectClockSkew(provider: string, { iat, exp }: Record<string, unknown>): void {
  if (typeof iat !== 'number') return
  const now = epochSeconds()
  const ahead = now - iat
  // A token that was issued expired has nothing to do with the clock.
  const isExpired = typeof exp === 'number' && exp > iat && exp <= now - EXPIRY_TOLERANCE
  if (ahead >= -CLOCK_TOLERANCE && ahead <= MAX_TOKEN_AGE && !isExpired) return
  const direction = ahead > 0 ? 'ahead of' : 'behind'
  throw new OAuthCallbackError(
    `The clock of this machine is ${Math.abs(Math.round(ahead))} seconds ${direction} that of provider ${provider}, by the time in the ID token. Synchronize it (NTP).`,
    { provider, reason: 'clock' },
  )
}

/** Returns the validated issuer of an ID token, and rejects clock skew, before the token is verified. */
export function resolveIdTokenIssuer(
  provider: OAuthProvider,
  server: AuthorizationServer,
  idToken: unknown,
): string {
  if (typeof idToken !== 'string') return validateIssuer(provider, server, { iss: undefined })
  if (idToken.length > MAX_LENGTH) throw new Error(`The ID token exceeds ${MAX_LENGTH} characters.`)
  const claims = decodePart(idToken, 'claims')
  const issuer = validateIssuer(provider, server, { iss: claims['iss'], claims })
  rejectClockSkew(provider.id, claims)
  return issuer
}

/** `at_hash`: the left half of the hash of the access token (OpenID Connect Core §3.1.3.6). */
async function accessTokenHash(accessToken: string, algorithm: string): Promise<string> {
  const size = /(?:256|384|512)$/.exec(algorithm)?.[0] ?? '512'
  const hash = new Uint8Array(await crypto.subtle.digest(`SHA-${size}`, toBytes(accessToken)))
  return toBase64Url(hash.slice(0, hash.length / 2))
}

function requireClaim(condition: boolean, message: string): void {
  if (!condition) throw new Error(`The ID token ${message}.`)
}

export interface IdTokenFacts {
  readonly claims: IDToken
  /** The token response, already processed by `oauth4webapi`. */
  readonly response: Response
  readonly issuer: string
  readonly acrValues: string | undefined
}

function validateClaims(provider: OAuthProvider, { claims, acrValues }: IdTokenFacts): void {
  const { clientId, trustedAudiences = [] } = provider
  const isTrusted = (aud: string) => aud === clientId || trustedAudiences.includes(aud)
  requireClaim([claims.aud].flat().every(isTrusted), 'has an audience that is not the client')
  requireClaim(claims.azp === undefined || claims.azp === clientId, 'was issued to another client')
  requireClaim(/^[\x20-\x7e]{1,255}$/.test(claims.sub), 'has an invalid sub')
  const { acr } = claims
  const isMet = typeof acr === 'string' && acrValues?.split(' ').includes(acr)
  requireClaim(!acrValues || isMet === true, 'does not have a requested acr')
}

/** Validates an ID token: audience, authorized party, `sub`, `acr`, signature, `typ` and `at_hash`. */
export async function validateIdToken(
  provider: OAuthProvider,
  tokens: TokenEndpointResponse,
  facts: IdTokenFacts,
): Promise<void> {
  validateClaims(provider, facts)
  const registered = provider.client.id_token_signed_response_alg
  const jws = tokens.id_token ?? ''
  await verifySignature(provider, { ...facts, jws }, registered)
  const { typ, alg } = decodePart(jws, 'header')
  // Other kinds of JWT have an explicit type and do not prove a sign-in (RFC 8725 §3.11).
  const isOther = typeof typ === 'string' && typ.toLowerCase().endsWith('+jwt')
  requireClaim(!isOther, 'has the typ of another kind of token')
  const { at_hash } = facts.claims
  if (at_hash === undefined) return
  const expected = await accessTokenHash(tokens.access_token, String(alg))
  requireClaim(at_hash === expected, 'has an at_hash of another access token')
}
