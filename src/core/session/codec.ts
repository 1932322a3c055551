import { chain } from '../async/awaitable.ts'
import { currentClaims, decrypt, epochSeconds, seal } from '../crypto/seal.ts'
import type { KeyFamily } from '../crypto/seal.ts'
import { TIMEOUTS, withTimeout } from '../async/timeout.ts'
import { JWTSessionError, SessionUnavailable } from '../errors/classes.ts'
import { asRecord, isRecord } from '../is-record.ts'
import type { JWTDecodeParams, JWTOptions } from './jwt-options.ts'
import type { Logger } from '../log/logger.ts'
import { redactError } from '../log/redact-error.ts'
import { secretsIn } from '../log/redact.ts'
import type { Awaitable, JWT } from '../types.ts'
import type { TokenCache } from '../crypto/token-cache.ts'

export interface CodecSettings {
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Idle timeout in seconds. */
  readonly maxAge: number
  /** Absolute timeout in seconds. */
  readonly absoluteMaxAge: number
  readonly encode: JWTOptions['encode'] | undefined
  readonly decode: JWTOptions['decode'] | undefined
}

export interface TokenUse {
  readonly salt: string
  readonly family: KeyFamily
  readonly deadline: number
}

export interface TokenRead extends TokenUse {
  readonly log: Logger
}

export interface DecodedToken {
  readonly token: JWT
  /** The JSON text that was decrypted; missing if `jwt.decode` parsed the token. */
  readonly text?: string | undefined
}

/** Returns `null` if the token is invalid or the session has expired. */
export type TokenDecoder = (value: string, use: TokenUse) => Awaitable<DecodedToken | null>

/** A decoder that may ask the store of ended sessions. */
export type TokenReader = (value: string, use: TokenRead) => Awaitable<DecodedToken | null>

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Returns the time of the sign-in in seconds since the epoch, if the token contains it. */
export function signInTime(token: JWT): number | undefined {
  return asNumber(token['auth_time']) ?? asNumber(token.iat)
}

/** Expiry in seconds since the epoch. Only a migrated `next-auth` token may have `iat` without `exp`. */
export function expiryOf(
  { exp, iat }: { readonly exp?: unknown; readonly iat?: unknown },
  { family, maxAge }: { readonly family: KeyFamily; readonly maxAge: number },
): number | undefined {
  const isMigrated = exp === undefined && family === 'next-auth' && typeof iat === 'number'
  return isMigrated ? iat + maxAge : asNumber(exp)
}

/** Claims about the sign-in. No callback can set them, because it may copy what a browser sent to `update()`. */
export interface SignInClaims {
  /** When the user signed in, in seconds since the epoch (OpenID Connect Core §2). */
  readonly auth_time: number | undefined
  /** `false`: {@link auth_time} only tells when the token was issued, which `next-auth` does again and again. */
  readonly auth_time_known: false | undefined
  /**
   * Whether the e-mail address of the user was verified then: an older session must not link accounts. `null`: the user
   * was not in the database.
   */
  readonly verified_at_sign_in: boolean | null | undefined
  /** `true`: a user who is not shown to be in the database, but who is not a guest whatever a callback removes. */
  readonly user_at_sign_in: true | undefined
  /** The id of the session, and its facts. */
  readonly lib: object | undefined
}

/** A claim `lib` of the application has no `sid`. */
export function readLib({ lib }: JWT): object | undefined {
  return isRecord(lib) && 'sid' in lib ? lib : undefined
}

export function signInClaims(token: JWT): SignInClaims {
  const { auth_time, verified_at_sign_in: verified, user_at_sign_in: user } = token
  const time = signInTime(token)
  const isIssueTime = time !== undefined && time !== auth_time
  return {
    auth_time: time,
    auth_time_known: isIssueTime || token['auth_time_known'] === false ? false : undefined,
    verified_at_sign_in: typeof verified === 'boolean' || verified === null ? verified : undefined,
    // A guest has no address. Tokens of earlier releases have no mark.
    user_at_sign_in: user === true || (verified === null && token.email) ? true : undefined,
    lib: readLib(token),
  }
}

/** Whether the absolute timeout that the sign-in has chosen has passed. */
function hasEnded(token: JWT): boolean {
  const { startedAt, absolute } = asRecord(readLib(token))
  const isLimited = typeof startedAt === 'number' && typeof absolute === 'number'
  return isLimited && startedAt + absolute * 1000 <= Date.now()
}

const SIGN_IN_CLAIMS = [
  'auth_time',
  'auth_time_known',
  'verified_at_sign_in',
  'user_at_sign_in',
] as const

export function withSignInClaims(token: JWT, claims: SignInClaims): JWT {
  const given = readLib(token)
  const isSame = given === claims.lib || JSON.stringify(given) === JSON.stringify(claims.lib)
  if (isSame && SIGN_IN_CLAIMS.every((name) => token[name] === claims[name])) return token
  // That of the application stays. A copy, because a callback may change the objects of the token.
  const lib = isSame ? token['lib'] : structuredClone(claims.lib)
  const entries = Object.entries({ ...claims, ...token, ...claims, lib })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Seconds by which the clock of a provider, whose `auth_time` an application has copied, may be ahead. */
const CLOCK_TOLERANCE = 60

/** Claims of this library in a token of `next-auth`: a callback has copied what a browser sent to `update()`. */
function isForged(token: JWT): boolean {
  const { auth_time, iat, verified_at_sign_in: verified, user_at_sign_in: user } = token
  const isMarked = readLib(token) !== undefined || verified !== undefined || user !== undefined
  return isMarked || (asNumber(auth_time) ?? 0) > (asNumber(iat) ?? 0) + CLOCK_TOLERANCE
}

/** Custom functions are usually written for a single secret. */
function selectSecret({ secrets }: CodecSettings): string | readonly string[] {
  const [first = '', ...others] = secrets
  return others.length === 0 ? first : secrets
}

function waitFor<T>(what: string, work: Awaitable<T>, { deadline }: TokenUse): Awaitable<T> {
  const timeoutError = (message: string) => new SessionUnavailable(message)
  return withTimeout(work, { what, timeout: TIMEOUTS.callback, deadline, timeoutError })
}

export async function encodeToken(
  settings: CodecSettings,
  token: JWT,
  use: TokenUse,
): Promise<string> {
  const { secrets, maxAge, encode } = settings
  const { salt } = use
  let text: unknown
  try {
    text = encode
      ? await waitFor(
          'The encode function',
          encode({ token, secret: selectSecret(settings), salt, maxAge }),
          use,
        )
      : await seal(token, { secrets, salt, maxAge })
  } catch (error) {
    if (error instanceof SessionUnavailable) throw error
    // Also if a claim cannot be serialized as JSON: a BigInt, a circular reference, or a `toJSON()` that throws.
    const cause = redactError(error, [secrets, secretsIn(token)])
    throw new JWTSessionError('The session token could not be encrypted or encoded.', { cause })
  }
  if (typeof text === 'string' && text) return text
  throw new JWTSessionError('jwt.encode did not return a string. Return the encoded token.')
}

/** Treats an error of `jwt.decode` as an invalid token, but a timeout must not sign the user out. */
async function decodeWith(
  decode: JWTOptions['decode'],
  params: JWTDecodeParams,
  use: TokenUse,
): Promise<DecodedToken | null> {
  try {
    const migration = use.family === 'next-auth' && { migrateSessions: true }
    const work = decode({ ...params, ...migration })
    const claims: unknown = await waitFor('The decode function', work, use)
    return isRecord(claims) ? { token: claims } : null
  } catch (error) {
    if (error instanceof SessionUnavailable) throw error
    return null
  }
}

/**
 * @param cache - the claims of tokens that were decrypted, as JSON, if they are read again
 * @param accept - the last check of a token, which may ask a store
 */
export function tokenDecoder<Use extends TokenUse = TokenUse>(
  settings: CodecSettings,
  cache?: TokenCache<string>,
  accept: (decoded: DecodedToken, use: Use) => Awaitable<DecodedToken | null> = (each) => each,
): (value: string, use: Use) => Awaitable<DecodedToken | null> {
  const { secrets, maxAge, absoluteMaxAge, decode } = settings
  const secret = selectSecret(settings)

  function decryptToken(value: string, use: TokenUse): Awaitable<DecodedToken | null> {
    const { salt, family } = use
    const known = cache?.get(value, use)
    return chain(known ?? decrypt(value, { secrets, salt, family }), (text) => {
      const token = text === null ? null : currentClaims(text)
      if (!token || text === null) return null
      const expiry = expiryOf(token, { family, maxAge }) ?? 0
      if (token['exp'] === undefined && expiry <= epochSeconds()) return null
      if (known === undefined)
        cache?.set(value, { contents: text, length: text.length, salt, family })
      return { token, text }
    })
  }

  return (value, use) =>
    chain(
      decode
        ? decodeWith(decode, { token: value, secret, salt: use.salt }, use)
        : decryptToken(value, use),
      (decoded) => {
        if (!decoded || (use.family === 'next-auth' && isForged(decoded.token))) return null
        const start = signInTime(decoded.token)
        const isTooOld = start !== undefined && start + absoluteMaxAge <= epochSeconds()
        // A custom `encode` may ignore `maxAge`.
        return isTooOld || hasEnded(decoded.token) ? null : accept(decoded, use)
      },
    )
}
