/** Validates logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.6). */
import { processUserInfoResponse, skipSubjectCheck } from 'oauth4webapi'
import type { LogoutNotice } from '../../logout/logout-hint.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { InvalidLogoutToken, TemporarilyUnavailable } from '../../errors/classes.ts'
import { isRecord } from '../../is-record.ts'
import { untypedLogoutTokens } from '../../symbols.ts'
import { decodePart, verifySignature } from './id-token.ts'
import type { OAuthProvider } from './provider.ts'
import { discover, NO_ISSUER, readKeySet, validateIssuer } from './server.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds since a token was issued, within which the provider may try again. */
const MAX_AGE = 600
/** Tolerated clock skew in seconds. */
const CLOCK_TOLERANCE = 60
const MAX_LENGTH = 255

function check(condition: boolean, provider: OAuthProvider, problem: string): asserts condition {
  if (!condition)
    throw new InvalidLogoutToken(`A logout token of provider ${provider.id} ${problem}.`, {
      provider: provider.id,
    })
}

type Part = Readonly<Record<string, unknown>>

function decode(jws: string, part: 'header' | 'claims'): Part | null {
  try {
    return decodePart(jws, part)
  } catch {
    return null
  }
}

/** The keys and the metadata, without which a token is neither valid nor invalid: the provider has to try again. */
async function readServer(provider: OAuthProvider) {
  try {
    const metadata = await discover(provider)
    const registered = provider.client.id_token_signed_response_alg
    if (!registered?.startsWith('HS')) await readKeySet(provider, 'cached')
    return metadata
  } catch (cause) {
    throw new TemporarilyUnavailable(
      `The keys of provider ${provider.id} could not be read, so its logout token was not checked.`,
      { cause: provider.secrets.redact(cause) },
    )
  }
}

/** Whether `oauth4webapi` accepts the algorithm, and a key of the provider verifies the signature. */
async function isSigned(
  provider: OAuthProvider,
  jws: string,
  { algorithms, issuer }: { readonly algorithms: readonly string[]; readonly issuer: string },
): Promise<boolean> {
  const registered = provider.client.id_token_signed_response_alg
  const server = { issuer, userinfo_signing_alg_values_supported: [...algorithms] }
  const client = {
    client_id: provider.clientId ?? '',
    ...(registered !== undefined && { userinfo_signed_response_alg: registered }),
  }
  // A signed JWT is registered for the verification of its signature when it is processed as a userinfo response. One
  // without `sub` is then rejected as such, after that; one that was not registered does not verify.
  const response = new Response(jws, { headers: { 'content-type': 'application/jwt' } })
  await processUserInfoResponse(server, client, skipSubjectCheck, response).catch(() => undefined)
  return verifySignature(provider, { jws, issuer, response }, registered).then(
    () => true,
    () => false,
  )
}

function isIssuedNow({ iat, exp }: Part, isUntyped: boolean): boolean {
  const now = epochSeconds()
  const isRecent = typeof iat === 'number' && iat >= now - MAX_AGE && iat <= now + CLOCK_TOLERANCE
  if (exp === undefined) return isRecent && isUntyped
  return isRecent && typeof exp === 'number' && exp > now - CLOCK_TOLERANCE
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH

function isValidIssuer(provider: OAuthProvider, claims: Part, issuer: string): boolean {
  try {
    return (
      typeof claims['iss'] === 'string' &&
      validateIssuer(provider, { issuer }, { iss: claims['iss'], claims }) === claims['iss']
    )
  } catch {
    return false
  }
}

/** In the order of the standard. @throws InvalidLogoutToken, TemporarilyUnavailable */
export async function verifyLogoutToken(
  provider: OAuthProvider,
  jws: string,
): Promise<LogoutNotice> {
  provider.secrets.add(jws)
  const isUntyped = provider[untypedLogoutTokens] === true
  const header = decode(jws, 'header')
  const claims = decode(jws, 'claims')
  const isCompact = jws.split('.').length === 3
  check(isCompact && header !== null && claims !== null, provider, 'is not a signed JWT')
  const { typ, alg } = header
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ
  const isOther = type !== 'logout+jwt' && !(isUntyped && (type === undefined || type === 'jwt'))
  check(
    !isOther,
    provider,
    'has not the typ logout+jwt. If the provider sends none, set [untypedLogoutTokens]: true on it',
  )
  const metadata = await readServer(provider)
  const algorithms = metadata?.id_token_signing_alg_values_supported ?? ['RS256']
  const issuer = metadata?.issuer ?? provider.issuer ?? NO_ISSUER
  const { iss, aud, events, sub, sid, jti, iat } = claims
  const stated = typeof iss === 'string' ? iss : issuer
  check(alg !== 'none', provider, 'is not signed')
  const isVerified = await isSigned(provider, jws, { algorithms, issuer: stated })
  check(isVerified, provider, 'has an algorithm or a signature that is not valid')
  check(isValidIssuer(provider, claims, issuer), provider, 'is of another issuer')
  const { clientId, trustedAudiences = [] } = provider
  const audiences = [aud].flat()
  const isOwn = audiences.includes(clientId)
  const isTrusted = (each: unknown) => each === clientId || trustedAudiences.some((a) => a === each)
  check(isOwn && audiences.every(isTrusted), provider, 'is for another client')
  check(
    isIssuedNow(claims, isUntyped),
    provider,
    'has no exp, has expired, or has an iat that is more than ten minutes old or in the future',
  )
  const isLogout = isRecord(events) && isRecord(events[EVENT])
  check(isLogout, provider, 'has no event of the back-channel logout')
  check(!('nonce' in claims), provider, 'has a nonce, as ID tokens have')
  const isNamed = [sub, sid].every((each) => each === undefined || isName(each))
  check(isNamed && (sub !== undefined || sid !== undefined), provider, 'names no user and session')
  check(isName(jti), provider, 'has no jti')
  return {
    issuer: stated,
    sub: isName(sub) ? sub : undefined,
    sid: isName(sid) ? sid : undefined,
    jti,
    issuedAt: Number(iat),
  }
}
