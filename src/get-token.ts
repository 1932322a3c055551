/** The session token of a request, in your own code. */
import { cookiePolicies } from './config/cookies.ts'
import { tokenSettings } from './config/token-settings.ts'
import type { AuthConfig } from './config/types.ts'
import { readChunked } from './cookies/chunk.ts'
import { createJar } from './cookies/jar.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { SessionCookie } from './cookies/names.ts'
import { LIMITS } from './deadline.ts'
import { MissingSecretError } from './errors/configuration.ts'
import { chooseCookies } from './http/choose-cookies.ts'
import { readHeaders } from './http/read-headers.ts'
import type { ReadRequest } from './http/read-headers.ts'
import type { JWTOptions } from './jwt.ts'
import { sessionCodec } from './session/codec.ts'
import type { JWT } from './types.ts'

/** The options of a configuration that decide which token is valid. */
type SessionConfig = Pick<
  AuthConfig,
  'secret' | 'jwt' | 'session' | 'cookies' | 'useSecureCookies' | 'origin' | 'migrateSessions'
>

interface CommonParams {
  /** The request, or its headers. Its protocol decides which cookies are read, as in `getSession`. */
  req: Request | { headers: Headers | Readonly<Record<string, string | string[] | undefined>> }
  /** Not needed with `raw`. @default that of `config` */
  secret?: string | readonly string[] | undefined
  /** The configuration of the site: then the same tokens are valid as for `auth()`. Other parameters take precedence. */
  config?: SessionConfig | undefined
  /** Lifetimes in seconds, where there is no `config`. @default no `absoluteMaxAge` */
  session?: NonNullable<AuthConfig['session']> | undefined
  /** @default the name of the cookie the token was found in */
  salt?: string | undefined
  /** `true`: only the cookie of https sites; `false`: only that of http sites. @default by the protocol of the request */
  secureCookie?: boolean | undefined
  /** @default that of `config`, else the names this library gives */
  cookieName?: string | undefined
  /** @default that of `config` */
  decode?: JWTOptions['decode'] | undefined
  /** Look for cookies of `next-auth` 5 and `@auth/core` too: see the option of that name. @default that of `config` */
  migrateSessions?: boolean | undefined
}

/** What {@link getToken} needs. With `true`, `raw` is required, and the token is returned as it is, unread. */
export type GetTokenParams<R extends boolean = false> = CommonParams &
  ([R] extends [true] ? { raw: true } : { raw?: R | undefined })

function bearerToken(authorization: string | null): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (!token) return null
  try {
    return decodeURIComponent(token)
  } catch {
    return null
  }
}

/** The configuration with the parameters that take precedence. */
function configOf(params: CommonParams): SessionConfig {
  const { config = {}, cookieName, secret, session, decode, migrateSessions } = params
  return {
    ...config,
    jwt: { ...config.jwt, ...(secret !== undefined && { secret }), ...(decode && { decode }) },
    session: { ...config.session, ...session },
    ...(cookieName && { cookies: { sessionToken: { name: cookieName } } }),
    migrateSessions: migrateSessions ?? config.migrateSessions,
  }
}

/** The cookies that may hold the session: those of `getSession`, or those that the caller has chosen. */
function sessionCookies(
  request: ReadRequest,
  jar: CookieJar,
  { config, secureCookie }: { config: SessionConfig; secureCookie: boolean | undefined },
): readonly SessionCookie[] {
  const { useSecureCookies, origin } = config
  const cookies = cookiePolicies(config)
  if (secureCookie === undefined)
    return chooseCookies(request, jar, { cookies, useSecureCookies, trust: { origin } })
      .sessionTokens
  const security = secureCookie ? 'secure' : 'plain'
  return cookies[security].sessionTokens.filter((each) => each.security === security)
}

interface Candidate {
  readonly token: string
  /** The cookie it was, or may have been, in. */
  readonly cookie: SessionCookie
}

/** What may be the session token, best first. A bearer token does not say which cookie it is from. */
function candidates({ req, secureCookie }: CommonParams, config: SessionConfig): Candidate[] {
  const request = readHeaders('url' in req ? req : req.headers)
  const jar = createJar(request.headers.get('cookie'))
  const cookies = sessionCookies(request, jar, { config, secureCookie })
  const found = cookies.flatMap((cookie) =>
    readChunked(jar, cookie.name).map((token) => ({ token, cookie })),
  )
  if (found.length > 0) return found
  const token = bearerToken(request.headers.get('authorization'))
  return token ? cookies.map((cookie) => ({ token, cookie })) : []
}

/**
 * The session token of a request: from its cookie, or from an `Authorization: Bearer` header
 * (RFC 6750 §2.1). `null` when there is none, or it is not valid: with `config`, by the rules of `auth()`. Callbacks are
 * not called.
 *
 * @throws MissingSecretError when the token has to be read and there is no secret.
 * @throws SessionUnavailable when `decode` does not answer within 10 seconds.
 * @example
 * ```ts
 * import { getToken } from 'lib-auth/jwt'
 *
 * export async function userId(req: Request, secret: string): Promise<string | undefined> {
 *   const token = await getToken({ req, secret })
 *   return token?.sub
 * }
 * ```
 */
export async function getToken(params: GetTokenParams<true>): Promise<string | null>
export async function getToken(params: GetTokenParams): Promise<JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const config = configOf(params)
  const found = candidates(params, config)
  if (params.raw || found.length === 0) return found[0]?.token ?? null
  const settings = tokenSettings(config)
  if (settings.secrets.length === 0 || settings.secrets.includes(''))
    throw new MissingSecretError('The secret for session tokens is missing.')
  const codec = sessionCodec(settings)
  const deadline = Date.now() + LIMITS.request
  for (const { token, cookie } of found) {
    const { name, family } = cookie
    const claims = await codec.decode(token, { salt: params.salt ?? name, family, deadline })
    if (claims) return claims
  }
  return null
}
