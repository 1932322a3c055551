import type { Awaitable, JWT } from '../types.ts'

/** Parameters of `encode`. */
export interface JWTEncodeParams<Payload extends object = JWT> {
  /** Claims; `iat`, `exp` and `jti` are set by `encode`. */
  token?: Payload | undefined
  /** One secret, or several with the newest first: `encode` uses the first one, `decode` tries them in order. */
  secret: string | readonly string[]
  /** Name of the session cookie, which is the salt of the key derivation. */
  salt: string
  /** Lifetime in seconds. @default 2592000 (30 days) */
  maxAge?: number | undefined
}

/** Parameters of `decode`. */
export interface JWTDecodeParams extends Pick<JWTEncodeParams, 'secret' | 'salt'> {
  token?: string | undefined
  /** Also accept tokens of `next-auth` 5 and `@auth/core`, as the option of that name. @default false */
  migrateSessions?: boolean | undefined
}

/** Format of session tokens: the `jwt` option. */
export interface JWTOptions {
  /** Encrypts session tokens. @default the `secret` of the configuration */
  secret: string | readonly string[]
  /** Lifetime in seconds. @default `session.maxAge` */
  maxAge: number
  /** Replaces the encryption of session tokens. */
  encode(params: JWTEncodeParams): Awaitable<string>
  /** Parses a token that `encode` returned; returns `null` or throws if the token is not valid. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>
}
