import { chain } from '../awaitable.ts'
import type { KeyFamily } from '../crypto/keys.ts'
import { epochSeconds, open, seal } from '../crypto/seal.ts'
import { LIMITS, within } from '../deadline.ts'
import { JWTSessionError, SessionUnavailable } from '../errors/session.ts'
import type { JWTOptions } from '../jwt.ts'
import { conceal } from '../log/conceal.ts'
import { secretsIn } from '../log/redact.ts'
import type { Awaitable, JWT } from '../types.ts'

/** What decides how session tokens are made and read. */
export interface CodecSettings {
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Seconds a session lasts without being used. */
  readonly maxAge: number
  /** Seconds a session lasts at the most. */
  readonly absoluteMaxAge: number
  /** Of the application, in place of ours. */
  readonly encode: JWTOptions['encode'] | undefined
  readonly decode: JWTOptions['decode'] | undefined
}

/** Where a token is used, and until when that has to be done. */
export interface TokenUse {
  /** Name of the cookie. */
  readonly salt: string
  /** Whose token it is. @default 'own' */
  readonly family?: KeyFamily
  /** In milliseconds since the epoch. */
  readonly deadline: number
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** When the sign-in was, in seconds since the epoch, as far as the token says. */
export function startOf(token: JWT): number | undefined {
  return asNumber(token['auth_time']) ?? asNumber(token.iat)
}

/** Makes and reads session tokens. */
export interface SessionCodec {
  encode(token: JWT, use: TokenUse): Awaitable<string>
  /** The claims; `null` when the token is not valid, or its session has ended. */
  decode(token: string, use: TokenUse): Awaitable<JWT | null>
}

/**
 * Whether a token that was opened ends some time: one that never does was made for something else. One that is taken
 * over may say only when it was made.
 */
function ends({ exp, iat }: JWT, family: KeyFamily | undefined, maxAge: number): boolean {
  if (typeof exp === 'number') return true
  return family === 'established' && typeof iat === 'number' && iat + maxAge > epochSeconds()
}

function isToken(value: unknown): value is JWT {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tokens of ours, or of the application where it says how. */
export function sessionCodec(settings: CodecSettings): SessionCodec {
  const { secrets, maxAge, absoluteMaxAge, encode, decode } = settings
  const [first = '', ...others] = secrets
  // Functions of applications are written for the one secret they have configured.
  const secret = others.length === 0 ? first : secrets

  function waitFor<T>(what: string, work: Awaitable<T>, { deadline }: TokenUse): Awaitable<T> {
    const tooLate = (message: string) => new SessionUnavailable(message)
    return within(work, { what, limit: LIMITS.callback, deadline, tooLate })
  }

  /** What a function threw, without the secrets and the tokens it was told. */
  function concealed(thrown: unknown, token: JWT): Error | undefined {
    return thrown instanceof Error ? conceal(thrown, [secrets, secretsIn(token)]) : undefined
  }

  /** What the function of the application throws, or returns instead of a token, is its own error. */
  async function writeCustom(token: JWT, use: TokenUse): Promise<string> {
    let text: unknown
    try {
      const work = encode?.({ token, secret, salt: use.salt, maxAge })
      text = await waitFor('The encode function', work, use)
    } catch (cause) {
      if (cause instanceof SessionUnavailable) throw cause
      throw new JWTSessionError('The session token could not be encrypted or encoded.', {
        cause: concealed(cause, token),
      })
    }
    if (typeof text === 'string' && text) return text
    throw new JWTSessionError('jwt.encode did not return a string. Return the encoded token.')
  }

  async function writeOwn(token: JWT, { salt }: TokenUse): Promise<string> {
    try {
      return await seal(token, { secrets, salt, maxAge })
    } catch (cause) {
      // A claim that is no JSON: a BigInt, an object that holds itself, or one whose toJSON() throws.
      throw new JWTSessionError('The session token could not be encrypted or encoded.', {
        cause: concealed(cause, token),
      })
    }
  }

  /** What the function of the application throws means that the token is no good. */
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
      // Not knowing is never "signed out".
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
