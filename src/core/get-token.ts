import { endsByProvider } from './config/logout-options.ts'
import { chain, firstResult } from './async/awaitable.ts'
import { joinCookies, sessionNames } from './config/cookies.ts'
import { areSecrets, tokenSettings } from './config/token-settings.ts'
import type { AuthConfig } from './config/types.ts'
import { readsSecureCookies } from './context.ts'
import { MAX_HEADER_LENGTH, readChunked, readCookies } from './cookies/reader.ts'
import { TIMEOUTS } from './async/timeout.ts'
import { MissingSecretError } from './errors/classes.ts'
import { requestProtocol } from './http/origin.ts'
import { readRequest } from './http/read-headers.ts'
import type { JWTOptions } from './session/jwt-options.ts'
import { tokenDecoder } from './session/codec.ts'
import type { JWT } from './types.ts'

/** The options of the configuration that {@link getToken} reads. */
export type TokenConfig = Pick<
  AuthConfig,
  | 'logout'
  | 'secret'
  | 'jwt'
  | 'session'
  | 'cookies'
  | 'useSecureCookies'
  | 'origin'
  | 'migrateSessions'
  | 'adapter'
  | 'store'
  | 'logger'
>

/** Parameters of {@link getToken}, with and without decryption. */
export interface TokenParams {
  /** The request, or an object with its headers. Its protocol determines which cookies are read, as in `getSession`. */
  req: Request | { headers: Headers | Readonly<Record<string, string | string[] | undefined>> }
  /** Secret or secrets; not needed with `raw`. @default that of `config` */
  secret?: string | readonly string[] | undefined
  /** The configuration, so that the same tokens are valid as for `auth()`. Other parameters take precedence. */
  config?: TokenConfig | undefined
  /** Session lifetimes in seconds if `config` is not given. @default no `absoluteMaxAge` */
  session?: NonNullable<AuthConfig['session']> | undefined
  /** Salt of the key derivation. @default the name of the cookie that contains the token */
  salt?: string | undefined
  /** `true`: only the https cookie; `false`: only the http cookie. @default by the protocol of the request */
  secureCookie?: boolean | undefined
  /** Name of the session cookie. @default that of `config`, else the default names */
  cookieName?: string | undefined
  /** Replaces the decryption of tokens. @default that of `config` */
  decode?: JWTOptions['decode'] | undefined
  /** Also accept cookies of `next-auth` 5 and `@auth/core`, as the option of that name. @default that of `config` */
  migrateSessions?: boolean | undefined
}

/** Parameters of {@link getToken}. With `true`, `raw` is required and the token is returned without decryption. */
export type GetTokenParams<R extends boolean = false> = TokenParams &
  ([R] extends [true] ? { raw: true } : { raw?: R | undefined })

function bearerToken(authorization: string | null): string | null {
  if (!authorization || authorization.length > MAX_HEADER_LENGTH) return null
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!token) return null
  try {
    return decodeURIComponent(token)
  } catch {
    return null
  }
}

function mergeConfig(params: TokenParams): TokenConfig {
  const { config = {}, cookieName, secret, session, decode, migrateSessions } = params
  return {
    ...config,
    jwt: { ...config.jwt, ...(secret !== undefined && { secret }), ...(decode && { decode }) },
    session: { ...config.session, ...session },
    ...(cookieName && { cookies: { sessionToken: { name: cookieName } } }),
    migrateSessions: migrateSessions ?? config.migrateSessions,
  }
}

/** Possible session tokens, best first. A bearer token does not name its cookie, so each cookie is a candidate. */
function candidates({ req, secureCookie }: TokenParams, config: TokenConfig) {
  const { url, headers } = readRequest(req)
  const sent = readCookies(headers.get('cookie'))
  const protocol = config.origin || requestProtocol(url, headers)
  const secure = sessionNames('secure', config)
  const { useSecureCookies } = config
  const isSecure = secureCookie ?? readsSecureCookies(protocol, sent, { useSecureCookies, secure })
  const plain = isSecure ? [] : sessionNames('plain', config)
  const others = secureCookie === false ? [] : secure
  const cookies = joinCookies(plain, others)
  const found = cookies.flatMap((cookie) =>
    readChunked(sent, cookie.name).map((token) => ({ token, cookie })),
  )
  if (found.length > 0) return found
  const token = bearerToken(headers.get('authorization'))
  return token ? cookies.map((cookie) => ({ token, cookie })) : []
}

/**
 * Returns the claims of the session token of a request: from its cookie, or from an `Authorization: Bearer` header (RFC
 * 6750 §2.1) of at most 32 KiB. `null` if there is no token or it is not valid; with `config`, by the rules of `auth()`.
 * Callbacks are not called.
 *
 * @throws MissingSecretError if the token has to be decrypted and there is no secret.
 * @throws SessionUnavailable if `decode` does not return within 10 seconds, or if the store that `session.revocation` of
 *   `config` needs does not respond.
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
  const config = mergeConfig(params)
  const found = candidates(params, config)
  if (params.raw || found.length === 0) return found[0]?.token ?? null
  const settings = tokenSettings(config)
  if (!areSecrets(settings.secrets))
    throw new MissingSecretError(
      'The secret is missing, empty or not a string. Pass secret or config to getToken.',
    )
  const deadline = performance.now() + TIMEOUTS.request
  let decoder = tokenDecoder(settings)
  const { revocation, devices, maxPerUser } = config.session ?? {}
  if (revocation || devices || maxPerUser || endsByProvider(config.logout))
    decoder = await (await import('./config/revoked-tokens.ts')).withoutRevoked(config, decoder)
  return firstResult(found, ({ token, cookie: { name, family } }) => {
    const decoded = decoder(token, { salt: params.salt ?? name, family, deadline })
    return chain(decoded, (claims) => claims && claims.token)
  })
}
