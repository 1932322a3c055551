import type { AuthorizationServer, IDToken, TokenEndpointResponse } from 'oauth4webapi'
import type { IssuerContext } from '../../config/provider.ts'
import { toBase64Url, toBytes } from '../../crypto/encoding.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { OAuthCallbackError } from '../../errors/sign-in.ts'
import type { OAuthProvider } from './provider.ts'
import { expectedIssuer } from './server.ts'
import { decodePart, verifySignature } from './signature.ts'

const MAX_LENGTH = 64 * 1024
/** Maximum age of an ID token in seconds; it was issued in response to the token request. */
const MAX_TOKEN_AGE = 600
/** Tolerated clock skew in seconds if the clock of the provider is ahead. */
const CLOCK_TOLERANCE = 60
/** Tolerated clock skew in seconds for `exp`. */
const EXPIRY_TOLERANCE = 30

/** Returns the validated `iss` of an ID token, or the expected issuer if the token has no `iss`. */
export function issuerOf(
  provider: OAuthProvider,
  server: AuthorizationServer,
  idToken: unknown,
): string {
  const issuer = expectedIssuer(provider, server)
  if (typeof idToken !== 'string') return issuer
  if (idToken.length > MAX_LENGTH) throw new Error(`The ID token exceeds ${MAX_LENGTH} characters.`)
  const claims = decodePart(idToken, 'claims')
  const { iss } = claims
  if (typeof iss !== 'string') return issuer
  if (isIssuer(provider, iss, { issuer, claims })) return iss
  throw new Error('The iss of the ID token is not the issuer of the provider.')
}

/** Calls `isIssuer` of the provider; an error it throws may quote claims such as the nonce, so they are redacted. */
function isIssuer(
  provider: OAuthProvider,
  stated: string,
  context: Required<IssuerContext>,
): boolean {
  provider.secrets.addKeysOf(context.claims)
  try {
    return provider.isIssuer(stated, context)
  } catch (error) {
    throw provider.secrets.redact(error) ?? error
  }
}

/** `at_hash`: the left half of the hash of the access token (OpenID Connect Core §3.1.3.6). */
async function accessTokenHash(accessToken: string, algorithm: string): Promise<string> {
  const size = /(?:256|384|512)$/.exec(algorithm)?.[0] ?? '512'
  const hash = new Uint8Array(await crypto.subtle.digest(`SHA-${size}`, toBytes(accessToken)))
  return toBase64Url(hash.slice(0, hash.length / 2))
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`The ID token ${message}.`)
}

export interface IdTokenFacts {
  readonly claims: IDToken
  /** The token response, already processed by `oauth4webapi`. */
  readonly response: Response
  readonly issuer: string
  readonly acrValues: string | undefined
}

function checkClaims(provider: OAuthProvider, { claims, acrValues }: IdTokenFacts): void {
  const { clientId, trustedAudiences } = provider
  const audiences = [claims.aud].flat()
  assert(
    audiences.every((audience) => audience === clientId || trustedAudiences.includes(audience)),
    'has an audience that is not the client',
  )
  assert(claims.azp === undefined || claims.azp === clientId, 'was issued to another client')
  assert(/^[\x20-\x7e]{1,255}$/.test(claims.sub), 'has an invalid sub')
  const { acr } = claims
  const isMet = typeof acr === 'string' && acrValues?.split(' ').includes(acr)
  assert(!acrValues || isMet === true, 'does not have a requested acr')
}

/** Rejects an ID token whose times show clock skew: it has just been issued, so `iat` is the provider's time. */
export function refuseClockSkew({ id }: OAuthProvider, idToken: unknown): void {
  if (typeof idToken !== 'string') return
  const { iat, exp } = decodePart(idToken, 'claims')
  if (typeof iat !== 'number') return
  const now = epochSeconds()
  const ahead = now - iat
  const isExpired = typeof exp === 'number' && exp <= now - EXPIRY_TOLERANCE
  if (ahead >= -CLOCK_TOLERANCE && ahead <= MAX_TOKEN_AGE && !isExpired) return
  const direction = ahead > 0 ? 'ahead of' : 'behind'
  throw new OAuthCallbackError(
    `The clock of this machine is ${Math.abs(Math.round(ahead))} seconds ${direction} that of provider ${id}, by the time in the ID token. Synchronize it (NTP).`,
    { provider: id, reason: 'clock' },
  )
}

/** Validates an ID token: audience, authorized party, `sub`, `acr`, signature, `typ` and `at_hash`. */
export async function checkIdToken(
  provider: OAuthProvider,
  tokens: TokenEndpointResponse,
  facts: IdTokenFacts,
): Promise<void> {
  const idToken = tokens.id_token ?? ''
  checkClaims(provider, facts)
  const registered = provider.client.id_token_signed_response_alg
  const { issuer, response } = facts
  await verifySignature(provider, { jws: idToken, issuer, response }, registered)
  const { typ, alg } = decodePart(idToken, 'header')
  // Other kinds of JWT have an explicit type and do not prove a sign-in (RFC 8725 §3.11).
  const isOther = typeof typ === 'string' && typ.toLowerCase().endsWith('+jwt')
  assert(!isOther, 'has the typ of another kind of token')
  const { at_hash } = facts.claims
  if (at_hash === undefined) return
  const expected = await accessTokenHash(tokens.access_token, String(alg))
  assert(at_hash === expected, 'has an at_hash of another access token')
}
