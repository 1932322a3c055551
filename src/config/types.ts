/** The configuration. */
import type { Adapter } from '../adapters/index.ts'
import type { JWTOptions } from '../jwt.ts'
import type { raw, skipCSRFCheck } from '../symbols.ts'
import type { Awaitable, CookieOption, Fetch, Hook, WarningCode } from '../types.ts'
import type { CallbacksOptions, EventsOptions } from './callbacks.ts'
import type { Provider } from './provider.ts'

/** URLs of pages of yours that replace built-in ones. */
export interface PagesOptions {
  /** Gets `callbackUrl`, and `error` with `code` when something went wrong. */
  signIn?: string | undefined
  signOut?: string | undefined
  /** Gets `error`. */
  error?: string | undefined
  verifyRequest?: string | undefined
  /** Where somebody goes who signed in for the first time. */
  newUser?: string | undefined
}

/** How the built-in pages look. */
export interface Theme {
  /** @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light' | undefined
  /** URL of a picture. */
  logo?: string | undefined
  /** A CSS colour. */
  brandColor?: string | undefined
  /** A CSS colour for text on `brandColor`. */
  buttonText?: string | undefined
}

/** Where messages go. A level that is not given goes to the console. */
export interface LoggerInstance extends Record<string, (...args: never[]) => unknown> {
  /** Every error of the library. */
  error(error: Error, ...message: unknown[]): void
  /** A warning, by its code. */
  warn(code: WarningCode, ...message: unknown[]): void
  /** What happens, step by step; secrets are replaced by a hash. */
  debug(message: string, metadata?: unknown): void
}

/** How sessions are kept. */
export interface SessionOptions {
  /**
   * `jwt`: in an encrypted cookie. `database`: in the database, and the cookie has a random token.
   *
   * @default 'database' where there is an adapter, else 'jwt'
   */
  strategy?: 'jwt' | 'database' | undefined
  /** Seconds until a session that is not used ends. @default 2592000 (30 days) */
  maxAge?: number | undefined
  /** Seconds after which a session that is used is extended; 0: each time. @default 86400 (1 day) */
  updateAge?: number | undefined
  /**
   * Seconds after sign-in at which a session ends however much it is used (session strategy `jwt`).
   *
   * @default never
   */
  absoluteMaxAge?: number | undefined
  /**
   * Makes the token of a session in the database: at least 128 bits nobody can guess.
   *
   * @default 32 random bytes in hexadecimal
   */
  generateSessionToken?: Hook<[], string>
  /**
   * Stores only a SHA-256 of session tokens, so that who reads the database can be nobody. Sessions from before
   * are stored anew when they are used. Processes with the option on and off can run at the same time.
   *
   * @default false
   */
  hashTokens?: boolean | undefined
}

/** Names and attributes of cookies; what is left out keeps its default. */
export interface CookiesOptions {
  sessionToken?: Partial<CookieOption> | undefined
  callbackUrl?: Partial<CookieOption> | undefined
  csrfToken?: Partial<CookieOption> | undefined
  /** @deprecated held in the cookie that `state` governs */
  pkceCodeVerifier?: Partial<CookieOption> | undefined
  /** The cookie of one sign-in attempt: state, PKCE verifier and nonce; its name is a stem. */
  state?: Partial<CookieOption> | undefined
  /** @deprecated held in the cookie that `state` governs */
  nonce?: Partial<CookieOption> | undefined
  webauthnChallenge?: Partial<CookieOption> | undefined
}

/** The configuration of {@link Auth}. */
export interface AuthConfig {
  /** Ways to sign in, in the order they are shown. @default [] */
  providers?: readonly Provider[]
  /**
   * Encrypts sessions and signs tokens: at least 32 bytes nobody can guess. With several, new ones go
   * first: the first writes, each one reads.
   */
  secret?: string | readonly string[] | undefined
  /**
   * Where users, accounts, sessions and links are kept; or a function that loads it with the first call that needs
   * it, as in `() => import("./database").then(({ adapter }) => adapter)`, so that what never needs it does not load it.
   *
   * @default nowhere
   */
  adapter?: Adapter | (() => Awaitable<Adapter>) | undefined
  session?: SessionOptions | undefined
  jwt?: Partial<JWTOptions> | undefined
  /**
   * Reads session cookies of `next-auth` 5 and `@auth/core` too, and writes them anew as ours, so that nobody is signed
   * out by the change to this library. Needs the same `secret` and the same session strategy. Leave it out once
   * `session.maxAge` has passed.
   *
   * @default false
   */
  migrateSessions?: boolean | undefined
  pages?: PagesOptions | undefined
  callbacks?: CallbacksOptions | undefined
  events?: EventsOptions | undefined
  /** Prints what happens, step by step; ignored when `logger` is set. @default false */
  debug?: boolean | undefined
  logger?: Partial<LoggerInstance> | undefined
  theme?: Theme | undefined
  /** Whether cookies are for https only. @default true on https, false on http */
  useSecureCookies?: boolean | undefined
  cookies?: CookiesOptions | undefined
  /**
   * Says that whatever sets the Host header of requests can be trusted to set it right.
   *
   * @default false
   */
  trustHost?: boolean | undefined
  /**
   * Hosts that are trusted, as in `app.example.com`, `*.example.com` (one label) or `localhost:3000`. Without a port an
   * entry matches only the default ports of http and https; `localhost:*` matches any port.
   */
  trustedHosts?: readonly string[] | undefined
  /** The origin people use, when it is not that of the request; set from `AUTH_URL`. */
  origin?: string | undefined
  /** Path below which the routes are. @default '/auth' */
  basePath?: string | undefined
  /**
   * Where OAuth providers send everybody, when deployments have URLs that cannot be registered: the URL up
   * to and with the base path of a deployment that can.
   */
  redirectProxyUrl?: string | undefined
  /**
   * Where the redirect proxy sends answers on to: exact origins, or `https://*.example.com`, with one
   * label in place of the asterisk. Only what is yours: they are sent what signs people in.
   *
   * @default none
   */
  redirectProxyAllowedOrigins?: readonly string[] | undefined
  /**
   * Seals the data that passes through the redirect proxy. A separate secret keeps `secret` of production away from
   * preview deployments, which could issue sessions for production with it. With several, the first seals and each one
   * opens. Set from `AUTH_REDIRECT_PROXY_SECRET`.
   *
   * @default {@link AuthConfig.secret}
   */
  redirectProxySecret?: string | readonly string[] | undefined
  /** The `fetch` for every request to providers. @default the global one */
  fetch?: Fetch | undefined
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  /** See {@link skipCSRFCheck}. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** See {@link raw}. */
  raw?: typeof raw | undefined
}
