/** The encrypted token of a session in the cookies of a request and a response. */
import type { SessionContext } from '../contracts.ts'
import { readChunked, writeChunked } from '../cookies/chunk.ts'
import type { SessionCookie } from '../cookies/names.ts'
import { SessionTooLarge } from '../errors/session.ts'
import type { JWT } from '../types.ts'
import type { DecodedToken, SessionCodec } from './codec.ts'
import { clearFormer, renewedCookie } from './cookies.ts'
import { signInClaims, withSignInClaims } from './sign-in-claims.ts'

export interface FoundToken extends DecodedToken {
  readonly cookie: SessionCookie
  /** The encoded token. */
  readonly value: string
  /** Whether the request has no other cookie of the same name. */
  readonly isAlone: boolean
}

export interface TokenWriter {
  readonly codec: SessionCodec
  /** Idle timeout in seconds. */
  readonly maxAge: number
}

/** Bytes. A larger token soon requires several cookies and exceeds the header limits of servers. */
const LARGE = 3800

/** Returns the first valid token. Decodes one name at a time, because a search of a long Cookie header is expensive. */
export async function findToken(
  { jar, config, cookies, deadline }: SessionContext,
  codec: SessionCodec,
): Promise<FoundToken | null> {
  for (const cookie of cookies.sessionTokens) {
    const { name, family } = cookie
    const values = readChunked(jar, name)
    const isAlone = values.length < 2
    if (!isAlone) config.log.debug?.('cookie.duplicate', { name })
    for (const value of values) {
      const decoded = await codec.decode(value, { salt: name, family, deadline })
      if (!decoded) continue
      const token = withSignInClaims(decoded.token, signInClaims(decoded.token))
      // The text is that of the token as it is.
      const text = token === decoded.token ? decoded.text : undefined
      return { token, text, cookie, value, isAlone }
    }
  }
  return null
}

export async function writeToken(
  ctx: SessionContext,
  { codec, maxAge }: TokenWriter,
  { token, cookie }: { readonly token: JWT; readonly cookie: SessionCookie },
): Promise<void> {
  const { name, options, family } = cookie
  const value = await codec.encode(token, { salt: name, family, deadline: ctx.deadline })
  if (value.length > LARGE)
    ctx.config.log.warnOnce(
      'session-large',
      `The session cookie exceeds ${LARGE} bytes. Store large values on the server and only their id in the session.`,
    )
  const expires = new Date(Date.now() + maxAge * 1000)
  writeChunked(ctx.jar, { name, options: { ...options, expires } }, { value, contents: token })
  clearFormer(ctx, cookie)
}

/** Issues a token again. A migrated `next-auth` session that is too large stays valid until its expiry. */
export async function renewToken(
  ctx: SessionContext,
  writer: TokenWriter,
  { token, cookie }: { readonly token: JWT; readonly cookie: SessionCookie },
): Promise<void> {
  try {
    await writeToken(ctx, writer, { token, cookie: renewedCookie(ctx, cookie) })
  } catch (error) {
    if (cookie.family === 'own' || !(error instanceof SessionTooLarge)) throw error
    ctx.config.log.error(error)
  }
}
