/** Session cookies, and the encrypted token in them. */
import { chain, firstResult } from '../async/awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import type { ChunkedValue } from '../cookies/jar.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import { readChunked } from '../cookies/reader.ts'
import type { Awaitable, CookieAttributes } from '../types.ts'
import { signInClaims, withSignInClaims } from './codec.ts'
import type { DecodedToken, TokenReader } from './codec.ts'

/** Returns the cookie for a renewed session: the current name, for the protocol of the cookie it was read from. */
export function renewedCookie({ config }: SessionContext, found: SessionCookie): SessionCookie {
  return config.cookies[found.security].sessionToken
}

/** The attributes of a cookie with this lifetime; `null`: it ends with the browser, whatever the configured attributes are. */
export function withLifetime(
  options: CookieAttributes,
  lifetime: Pick<CookieAttributes, 'expires' | 'maxAge'> | null,
): CookieAttributes {
  if (lifetime) return Object.assign({}, options, lifetime)
  const { expires: _expires, maxAge: _maxAge, ...others } = options
  return others
}

/** Sets the cookie, and deletes those of former names. `null`: until the browser is closed. @throws SessionTooLarge */
export function setSessionCookie(
  { jar, cookies }: SessionContext,
  { name, options, security }: SessionCookie,
  { expires, ...value }: ChunkedValue & { readonly expires: Date | null },
): void {
  writeChunked(jar, { name, options: withLifetime(options, expires && { expires }) }, value)
  for (const other of cookies.sessionTokens)
    if (other.name !== name && other.security === security) deleteChunked(jar, other)
}

/** Skipped if the Cookie header was truncated: a valid session may be in the missing part. */
export function clearRead({ jar, cookies }: SessionContext): void {
  if (jar.isTruncated) return
  for (const cookie of cookies.sessionTokens) deleteChunked(jar, cookie)
}

/** Deletes the session cookies of both protocols except one: no other session may remain after a sign-in. */
export function clearAll({ jar, cookies, config }: SessionContext, kept?: SessionCookie): void {
  // Cookies of this request last: if one name is configured for both protocols, the attributes of this one must win.
  for (const cookie of [...config.cookies.both.sessionTokens, ...cookies.sessionTokens])
    if (cookie.name !== kept?.name) deleteChunked(jar, cookie)
}

export interface FoundToken extends DecodedToken {
  readonly cookie: SessionCookie
  readonly value: string
  /** Whether the request has no other cookie of the same name. */
  readonly isAlone: boolean
}

/** Returns the first valid token. Decodes one name at a time, because a search of a long Cookie header is expensive. */
export function findToken(
  { jar, config, cookies, deadline }: SessionContext,
  decoder: TokenReader,
): Awaitable<FoundToken | null> {
  return firstResult(cookies.sessionTokens, (cookie) => {
    const { name, family } = cookie
    const values = readChunked(jar, name)
    const isAlone = values.length < 2
    if (!isAlone) config.log.debug?.('cookie.duplicate', { name })
    return firstResult(values, (value) =>
      chain(decoder(value, { salt: name, family, deadline, log: config.log }), (decoded) => {
        if (!decoded) return null
        const claims = signInClaims(decoded.token)
        // A callback of next-auth may have copied `auth_time` from what a browser sent.
        const own = family === 'own' ? claims : { ...claims, auth_time_known: false as const }
        const token = withSignInClaims(decoded.token, own)
        const text = token === decoded.token ? decoded.text : undefined
        return { token, text, cookie, value, isAlone }
      }),
    )
  })
}
