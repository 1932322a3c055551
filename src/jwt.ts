/** Session tokens in your own code: read them, and write them. */
import { readChunked } from './cookies/chunk.ts'
import { createJar } from './cookies/jar.ts'
import { COOKIE_PREFIXES, ESTABLISHED_SESSION_COOKIE, SESSION_COOKIE } from './cookies/names.ts'
import { open, seal } from './crypto/seal.ts'
import { SESSION_MAX_AGE } from './defaults.ts'
import { MissingSecretError } from './errors/configuration.ts'
import { JWTSessionError } from './errors/session.ts'
import type { Awaitable, JWT } from './types.ts'

export type { DefaultJWT, JWT } from './types.ts'

/** What {@link encode} needs. */
export interface JWTEncodeParams {
  /** The claims; `iat`, `exp` and `jti` are set for you. */
  token?: JWT | undefined
  /** The secret, or several, newest first. */
  secret: string | readonly string[]
  /** Name of the cookie the token is for. */
  salt: string
  /** Lifetime in seconds. @default 2592000 (30 days) */
  maxAge?: number | undefined
}

/** What {@link decode} needs. */
export interface JWTDecodeParams {
  token?: string | undefined
  /** The secret, or several: the first one that opens the token counts. */
  secret: string | readonly string[]
  /** Name of the cookie the token is from. */
  salt: string
  /** Open tokens of `next-auth` 5 and `@auth/core` too: see the option of that name. @default false */
  migrateSessions?: boolean | undefined
}

/** How session tokens are made: the `jwt` option. */
export interface JWTOptions {
  /** @default the `secret` of the configuration */
  secret: string | readonly string[]
  /** Lifetime in seconds. @default `session.maxAge` */
  maxAge: number
  /** Replaces the encrypted token by one of yours. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Reads what `encode` wrote; answers `null`, or throws, when the token is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
}

function secretList(secret: string | readonly string[]): readonly string[] {
  const list = typeof secret === 'string' ? [secret] : secret
  if (list.length === 0 || list.includes(''))
    throw new MissingSecretError('secret is missing. Pass the secret of the configuration.')
  return list
}

/**
 * Encrypts claims as a compact JWE (`dir`, `A256CBC-HS512`; RFC 7516 §3.1) under the first secret.
 *
 * @throws MissingSecretError when there is no secret.
 * @example
 * ```ts
 * import { encode } from 'lib-auth/jwt'
 *
 * export function tokenFor(secret: string, userId: string): Promise<string> {
 *   return encode({ token: { sub: userId }, secret, salt: 'lib.session-token', maxAge: 3600 })
 * }
 * ```
 */
export async function encode(params: JWTEncodeParams): Promise<string> {
  const { token = {}, secret, salt, maxAge = SESSION_MAX_AGE } = params
  return seal(token, { secrets: secretList(secret), salt, maxAge })
}

/**
 * Opens a token that {@link encode} made; `null` when there is none.
 *
 * @throws JWTSessionError when no secret opens it, or it has expired.
 * @throws MissingSecretError when there is no secret.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, secret, salt, migrateSessions } = params
  if (!token) return null
  const sealing = { secrets: secretList(secret), salt }
  const own = await open(token, sealing)
  const claims =
    own ?? (migrateSessions ? await open(token, { ...sealing, family: 'established' }) : null)
  if (!claims)
    throw new JWTSessionError(
      'The token has expired or cannot be decrypted with the given secrets.',
    )
  return claims
}

/** What {@link getToken} needs. */
export interface GetTokenParams<R extends boolean = false> {
  /** The request, or its headers. */
  req: Request | { headers: Headers | Readonly<Record<string, string | string[] | undefined>> }
  /** Not needed with `raw`. */
  secret?: string | readonly string[] | undefined
  /** @default the name of the cookie the token was found in */
  salt?: string | undefined
  /** `true`: only the cookie of https sites; `false`: only that of http sites. @default both are tried */
  secureCookie?: boolean | undefined
  /** @default the names this library gives */
  cookieName?: string | undefined
  /** Return the token as it is, unread. @default false */
  raw?: R | undefined
  decode?: JWTOptions['decode'] | undefined
  /** Look for cookies of `next-auth` 5 and `@auth/core` too: see the option of that name. @default false */
  migrateSessions?: boolean | undefined
}

type HeaderList = GetTokenParams['req']['headers']

/** Headers by what they do: those of another realm are no instance of ours. */
function isHeaders(headers: HeaderList): headers is Headers {
  return typeof headers.get === 'function'
}

function header({ headers }: GetTokenParams['req'], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name)
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.join('; ') ?? null)
}

function bearerToken(authorization: string | null): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (!token) return null
  try {
    return decodeURIComponent(token)
  } catch {
    return null
  }
}

function cookieNames(params: GetTokenParams<boolean>): string[] {
  const { cookieName, secureCookie, migrateSessions } = params
  if (cookieName) return [cookieName]
  const isWanted = (prefix: string) =>
    secureCookie === undefined || secureCookie === (prefix !== '')
  const established = migrateSessions ? ['__Secure-', ''] : []
  return [
    ...COOKIE_PREFIXES.filter(isWanted).map((prefix) => prefix + SESSION_COOKIE),
    ...established.filter(isWanted).map((prefix) => prefix + ESTABLISHED_SESSION_COOKIE),
  ]
}

interface Candidate {
  readonly token: string
  /** Name of the cookie it was, or may have been, in. */
  readonly name: string
}

/** What may be the session token, best first. A bearer token does not say which cookie it is from. */
function candidates(params: GetTokenParams<boolean>): Candidate[] {
  const jar = createJar(header(params.req, 'cookie'))
  const names = cookieNames(params)
  const cookies = names.flatMap((name) => readChunked(jar, name).map((token) => ({ token, name })))
  if (cookies.length > 0) return cookies
  const token = bearerToken(header(params.req, 'authorization'))
  return token ? names.map((name) => ({ token, name })) : []
}

/**
 * The session token of a request: from its cookie, or from an `Authorization: Bearer` header
 * (RFC 6750 §2.1). `null` when there is none, or it cannot be read.
 *
 * @throws MissingSecretError when the token has to be read and there is no secret.
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
export async function getToken(params: GetTokenParams<true> & { raw: true }): Promise<string | null>
export async function getToken(params: GetTokenParams): Promise<JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const found = candidates(params)
  if (params.raw || found.length === 0) return found[0]?.token ?? null
  const { secret = [], salt, decode: read = decode, migrateSessions } = params
  // Checked here, because whatever reading throws only means that the token is no good.
  secretList(secret)
  for (const { token, name } of found) {
    try {
      const claims = await read({
        token,
        secret,
        salt: salt ?? name,
        ...(migrateSessions && { migrateSessions }),
      })
      if (claims) return claims
    } catch {
      // Not valid under this name; another candidate may be.
    }
  }
  return null
}
