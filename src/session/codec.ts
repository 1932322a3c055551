import { chain } from '../awaitable.ts'
import type { KeyFamily } from '../crypto/keys.ts'
import { epochSeconds, open, seal } from '../crypto/seal.ts'
import { LIMITS, within } from '../deadline.ts'
import { JWTSessionError, SessionUnavailable } from '../errors/session.ts'
import type { JWTOptions } from '../jwt.ts'
import { redactError } from '../log/redact-error.ts'
import { secretsIn } from '../log/redact.ts'
import type { Awaitable, JWT } from '../types.ts'

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
  /** Name of the cookie. */
  readonly salt: string
  /** Key family of the token: this library or `next-auth`. @default 'own' */
  readonly family?: KeyFamily
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Returns the time of the sign-in in seconds since the epoch, if the token contains it. */
export function startOf(token: JWT): number | undefined {
  return asNumber(token['auth_time']) ?? asNumber(token.iat)
}

export interface SessionCodec {
  encode(token: JWT, use: TokenUse): Awaitable<string>
  /** Returns the claims; `null` if the token is invalid or the session has expired. */
  decode(token: string, use: TokenUse): Awaitable<JWT | null>
}

/** Requires `exp`: a token without it is not a session token. A migrated `next-auth` token may have only `iat`. */
function ends({ exp, iat }: JWT, family: KeyFamily | undefined, maxAge: number): boolean {
  if (typeof exp === 'number') return true
  return family === 'established' && typeof iat === 'number' && iat + maxAge > epochSeconds()
}

function isToken(value: unknown): value is JWT {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function sessionCodec(settings: CodecSettings): SessionCodec {
  const { secrets, maxAge, absoluteMaxAge, encode, decode } = settings
  const [first = '', ...others] = secrets
  // Custom functions are usually written for a single secret.
  const secret = others.length === 0 ? first : secrets

  function waitFor<T>(what: string, work: Awaitable<T>, { deadline }: TokenUse): Awaitable<T> {
    const tooLate = (message: string) => new SessionUnavailable(message)
    return within(work, { what, limit: LIMITS.callback, deadline, tooLate })
  }

  function redacted(thrown: unknown, token: JWT): Error | undefined {
    return redactError(thrown, [secrets, secretsIn(token)])
  }

  /** Reports an error of `jwt.encode` as its own, because it is not an invalid session. */
  async function writeCustom(token: JWT, use: TokenUse): Promise<string> {
    let text: unknown
    try {
      const work = encode?.({ token, secret, salt: use.salt, maxAge })
      text = await waitFor('The encode function', work, use)
    } catch (cause) {
      if (cause instanceof SessionUnavailable) throw cause
      throw new JWTSessionError('The session token could not be encrypted or encoded.', {
        cause: redacted(cause, token),
      })
    }
    if (typeof text === 'string' && text) return text
    throw new JWTSessionError('jwt.encode did not return a string. Return the encoded token.')
  }

  async function writeOwn(token: JWT, { salt }: TokenUse): Promise<string> {
    try {
      return await seal(token, { secrets, salt, maxAge })
    } catch (cause) {
      // A claim cannot be serialized as JSON: a BigInt, a circular reference, or a `toJSON()` that throws.
      throw new JWTSessionError('The session token could not be encrypted or encoded.', {
        cause: redacted(cause, token),
      })
    }
  }

  /** Treats an error of `jwt.decode` as an invalid token. */
  async function readCustom(token: string, use: TokenUse): Promise<JWT | null> {
    try {
      const claims: unknown = await waitFor(
        'The decode function',
        decode?.({
          token,
          secret,
          salt: use.salt,
          ...(use.family === 'established' && { migrateSessions: true }),
        }),
        use,
      )
      return isToken(claims) ? claims : null
    } catch (error) {
      // A timeout must not sign the user out.
      if (error instanceof SessionUnavailable) throw error
      return null
    }
  }

  function readOwn(token: string, { salt, family = 'own' }: TokenUse): Awaitable<JWT | null> {
    return chain<JWT | null, JWT | null>(open(token, { secrets, salt, family }), (claims) =>
      claims && ends(claims, family, maxAge) ? claims : null,
    )
  }

  function isOver(token: JWT): boolean {
    const start = startOf(token)
    return start !== undefined && start + absoluteMaxAge <= epochSeconds()
  }

  const read = decode ? readCustom : readOwn

  return {
    encode: encode ? writeCustom : writeOwn,
    decode: (token, use) =>
      chain(read(token, use), (claims) => (claims && !isOver(claims) ? claims : null)),
  }
}
