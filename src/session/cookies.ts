/** Session cookies, and the encrypted token in them. */
import { chain, firstOf } from '../awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { deleteChunked, readChunked, writeChunked } from '../cookies/jar.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import { SessionTooLarge } from '../errors/classes.ts'
import type { Awaitable, JWT } from '../types.ts'
import { signInTime } from './codec.ts'
import type { DecodedToken, SessionCodec } from './codec.ts'

/** Returns the cookie for a renewed session: the current name, for the protocol of the cookie it was read from. */
export function renewedCookie({ config }: SessionContext, found: SessionCookie): SessionCookie {
  return config.cookies[found.security].sessionToken
}

/** Skipped if the Cookie header was truncated: a valid session may be in the missing part. */
export function clearRead({ jar, cookies }: SessionContext): void {
  if (jar.isTruncated) return
  for (const cookie of cookies.sessionTokens) deleteChunked(jar, cookie)
}

export function clearFormer({ jar, cookies }: SessionContext, written: SessionCookie): void {
  for (const cookie of cookies.sessionTokens)
    if (cookie.name !== written.name && cookie.security === written.security)
      deleteChunked(jar, cookie)
}

/** Deletes the session cookies of both protocols except one: no other session may remain after a sign-in. */
export function clearAll({ jar, cookies, config }: SessionContext, kept?: SessionCookie): void {
  // Cookies of this request last: if one name is configured for both protocols, the attributes of this one must win.
  for (const cookie of [...config.cookies.both.sessionTokens, ...cookies.sessionTokens])
    if (cookie.name !== kept?.name) deleteChunked(jar, cookie)
}

/**
 * Claims of a session token about its sign-in, each left out where it is unknown. No callback can set them: it may copy
 * what a browser sent to `update()`.
 */
export interface SignInClaims {
  /** When the user signed in, in seconds since the epoch (OpenID Connect Core §2). */
  readonly auth_time: number | undefined
  /** Whether the e-mail address of the user was verified then: an older session must not link accounts. */
  readonly verified_at_sign_in: boolean | undefined
}

/** The claims of a token. */
export function signInClaims(token: JWT): SignInClaims {
  const verified = token['verified_at_sign_in']
  return {
    auth_time: signInTime(token),
    verified_at_sign_in: typeof verified === 'boolean' ? verified : undefined,
  }
}

/** The token with these claims instead of its own. */
export function withSignInClaims(token: JWT, claims: SignInClaims): JWT {
  const { auth_time, verified_at_sign_in } = claims
  const isSame =
    token['auth_time'] === auth_time && token['verified_at_sign_in'] === verified_at_sign_in
  if (isSame) return token
  const { auth_time: _time, verified_at_sign_in: _verified, ...rest } = token
  return {
    ...(auth_time !== undefined && { auth_time }),
    ...(verified_at_sign_in !== undefined && { verified_at_sign_in }),
    ...rest,
  }
}

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
export function findToken(
  { jar, config, cookies, deadline }: SessionContext,
  codec: SessionCodec,
): Awaitable<FoundToken | null> {
  return firstOf(cookies.sessionTokens, (cookie) => {
    const { name, family } = cookie
    const values = readChunked(jar, name)
    const isAlone = values.length < 2
    if (!isAlone) config.log.debug?.('cookie.duplicate', { name })
    return firstOf(values, (value) =>
      chain(codec.decode(value, { salt: name, family, deadline }), (decoded) => {
        if (!decoded) return null
        const token = withSignInClaims(decoded.token, signInClaims(decoded.token))
        // The text is that of the token as it is.
        const text = token === decoded.token ? decoded.text : undefined
        return { token, text, cookie, value, isAlone }
      }),
    )
  })
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
