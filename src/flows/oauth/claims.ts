/** Checks of an ID token beyond those of its claims: signature, age, audience, binding to its tokens. */
import type { AuthorizationServer, IDToken, TokenEndpointResponse } from 'oauth4webapi'
import type { IssuerContext } from '../../config/provider.ts'
import { toBase64Url, toBytes } from '../../crypto/encoding.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { OAuthCallbackError } from '../../errors/sign-in.ts'
import { conceal } from '../../log/conceal.ts'
import { secretsIn } from '../../log/redact.ts'
import type { OAuthProvider } from './provider.ts'
import { expectedIssuer } from './server.ts'
import { decodePart, verifySignature } from './signature.ts'

const MAX_LENGTH = 64 * 1024
/** Seconds since an ID token of this flow was issued; it comes straight from the provider. */
const MAX_TOKEN_AGE = 600
/** Seconds a provider's clock may be ahead of ours. */
const CLOCK_TOLERANCE = 60
/** Seconds after its expiry at which an ID token is rejected. */
const EXPIRY_TOLERANCE = 30

/** The issuer a token states, which is the provider's; the one it should state, when it states none. */
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

/** Asks the provider; what its function throws may quote the nonce among the claims. */
function isIssuer(
  provider: OAuthProvider,
  stated: string,
  context: Required<IssuerContext>,
): boolean {
  try {
    return provider.isIssuer(stated, context)
  } catch (error) {
    throw error instanceof Error ? conceal(error, secretsIn(context.claims)) : error
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

/** What a token is checked against. */
export interface IdTokenFacts {
  readonly claims: IDToken
  /** The response it came with, after it was processed. */
  readonly response: Response
  /** Of the provider, as configured or discovered. */
  readonly issuer: string
  /** Authentication contexts that were asked for, separated by spaces. */
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

/**
 * Rejects an ID token whose times do not fit our clock. It comes straight from the provider, so its `iat` is the time
 * there.
 *
 * @throws OAuthCallbackError that says by how much the clocks differ
 */
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

/**
 * Checks what the claims alone do not prove.
 *
 * @throws when the token is not to be believed
 */
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
  // Tokens with other uses say so; they are no proof of who signed in (RFC 8725 §3.11).
  const isOther = typeof typ === 'string' && typ.toLowerCase().endsWith('+jwt')
  assert(!isOther, 'has the typ of another kind of token')
  const { at_hash } = facts.claims
  if (at_hash === undefined) return
  const expected = await accessTokenHash(tokens.access_token, String(alg))
  assert(at_hash === expected, 'has an at_hash of another access token')
}
