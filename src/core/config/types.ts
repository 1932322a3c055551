import type { BaseAdapter, RecordStore } from '../database/adapter.ts'
import type { JWTOptions } from '../session/jwt-options.ts'
import type { AuditOptions } from '../log/audit-event.ts'
import type { raw, skipCSRFCheck } from '../symbols.ts'
import type { WarningCode } from '../errors/codes.ts'
import type { TokensOptions } from '../tokens/options.ts'
import type { Theme } from '../pages/theme.ts'
import type { Account, Awaitable, CookieOption, Fetch, Hook, User } from '../types.ts'
import type { AccountOptions } from './account-options.ts'
import type { CallbacksOptions, EventsOptions } from './callbacks.ts'
import type { Provider } from './provider.ts'
import type { LogoutOptions } from './logout-options.ts'
import type { ProtectionOptions } from './protection-options.ts'
import type { SecondStepOptions } from './second-step-options.ts'

/** URLs of pages that replace the built-in ones. */
export interface PagesOptions {
  /** Receives `callbackUrl`, and after a failure `error` and `code`. */
  signIn?: string | undefined
  signOut?: string | undefined
  /** Receives `error`. */
  error?: string | undefined
  verifyRequest?: string | undefined
  /** On which a user confirms who they are. Receives `stepUp` and `callbackUrl`, and after a failure `error` and `code`. */
  stepUp?: string | undefined
  /** Redirect target after the first sign-in of a user. */
  newUser?: string | undefined
}

/** Receives log messages. A level that is not set is written to the console. */
export interface LoggerInstance extends Record<string, unknown> {
  /** Every error of the library; one that is not an error of the user with `{ reference }`, as on the error page. */
  error(error: Error, ...message: unknown[]): void
  /** A warning with its code. */
  warn(code: WarningCode, ...message: unknown[]): void
  /** Debug messages; secrets are replaced by a hash. */
  debug(message: string, metadata?: unknown): void
}

/** Ends sessions in cookies before they expire. */
export interface RevocationOptions {
  /**
   * Seconds for which a process uses the answer of the store again, at most 3600: a session that has ended elsewhere is
   * accepted for as long. In the process that ends it, it ends at once.
   * @default 0: each read of a session reads the store
   */
  maxStaleness?: number | undefined
  /**
   * If the store does not respond: `refuse` answers 503, and the session stays; with `acceptFor`, a session that
   * this process has found not ended within so many seconds (at most 3600) is accepted.
   * @default 'refuse'
   */
  whenDown?: 'refuse' | { acceptFor: number } | undefined
}

/** What `session.lifetime` receives about a sign-in. */
export interface LifetimeFacts {
  /** As stored, or as the provider reports it. */
  user: User
  /** The account of the sign-in. */
  account: Account
  /**
   * Whether the user wants to stay signed in: the field or option `remember`; else, if the user confirms who they are or
   * links an account, whether the cookie of their session outlives the browser. `undefined`: unknown.
   */
  remember: boolean | undefined
  /** The headers of the request that completes the sign-in. */
  headers: Headers
}

/** How long a session lasts. */
export interface SessionLifetime {
  /** Idle timeout in seconds, from 1 to 34560000 (400 days). @default see {@link SessionOptions.lifetime} */
  idle?: number | undefined
  /** Absolute timeout in seconds; a longer one than `session.absoluteMaxAge` has no effect. @default `absoluteMaxAge` */
  absolute?: number | undefined
  /** `session`: the browser deletes the cookie when it is closed. @default see {@link SessionOptions.lifetime} */
  cookie?: 'persistent' | 'session' | undefined
}

/** Options for sessions. */
export interface SessionOptions {
  /** `jwt`: encrypted cookie. `database`: row and random token. @default 'database' with an adapter, else 'jwt' */
  strategy?: 'jwt' | 'database' | undefined
  /** Idle timeout in seconds. @default 2592000 (30 days) */
  maxAge?: number | undefined
  /** Seconds after which a session in use is extended (sliding expiration); 0: always. @default 86400 (1 day), or a tenth of a `maxAge` of at most a day */
  updateAge?: number | undefined
  /**
   * Absolute timeout in seconds after the sign-in, however much the session is used. A session of an earlier release
   * whose start is unknown is valid until its current expiry. @default none
   */
  absoluteMaxAge?: number | undefined
  /**
   * Chooses how long the session of a sign-in lasts. The built-in sign-in page then shows the box "Keep me signed in".
   * An error, or a result that is not valid, rejects the sign-in; so does a timeout of 10 seconds.
   * @default `maxAge`, `absoluteMaxAge` and a persistent cookie; with `remember: false`, `idle` is at most 1 day, and
   * the cookie ends with the browser
   */
  lifetime?: Hook<[facts: LifetimeFacts], Awaitable<SessionLifetime>>
  /**
   * Generates the token of a database session: at least 128 random bits, in at most 90 characters with the option
   * `tokens`, `absoluteMaxAge` or `lifetime`.
   * @default 32 random bytes in hexadecimal
   */
  generateSessionToken?: Hook<[], string>
  /**
   * Stores session tokens as SHA-256 hashes, so that a database leak exposes no sessions. Existing sessions are
   * migrated when used. Processes with and without the option can run at the same time.
   * @default false
   */
  hashTokens?: boolean | undefined
  /**
   * Ends sessions in cookies before they expire (session strategy `jwt`): after a sign-out, copies of the cookie are
   * worthless. Needs `store`, or an adapter that stores records.
   * @default none: a session ends when its cookie expires
   */
  revocation?: RevocationOptions | undefined
  /**
   * `kept`: sessions keep how their user was authenticated, so that `requireAuth` can require a `level` or `acr`, and with
   * sessions in the database also a `maxAge`.
   * @default 'off'
   */
  assurance?: 'off' | 'kept' | undefined
  /**
   * Lists the sessions of each user (`listSessions` of `lib-auth/sessions`): `listed` with start, last use and provider,
   * `described` also with the user agent and the network of the client address (/24 or /48). Needs `store`, or an adapter
   * that stores records; turns `revocation` on.
   * @default 'off'
   */
  devices?: 'off' | 'listed' | 'described' | undefined
  /** Sessions of a user, 1 to 1000: a sign-in ends the oldest. Needs what `devices` needs. @default no limit */
  maxPerUser?: number | undefined
}

/** Names and attributes of cookies; options that are not set keep their defaults. */
export interface CookiesOptions {
  sessionToken?: Partial<CookieOption> | undefined
  callbackUrl?: Partial<CookieOption> | undefined
  csrfToken?: Partial<CookieOption> | undefined
  /** @deprecated stored in the cookie that `state` configures */
  pkceCodeVerifier?: Partial<CookieOption> | undefined
  /** The transaction cookie: state, PKCE verifier and nonce. Its name is a prefix. */
  state?: Partial<CookieOption> | undefined
  /** @deprecated stored in the cookie that `state` configures */
  nonce?: Partial<CookieOption> | undefined
  /** The challenge of a passkey ceremony, valid for 5 minutes. Its name is a prefix. */
  webauthnChallenge?: Partial<CookieOption> | undefined
}

/** The configuration of `Auth`. */
export interface AuthConfig {
  /** Providers, in the order of the sign-in page. @default [] */
  providers?: readonly Provider[]
  /** At least 32 random bytes. For key rotation, an array: the first secret encrypts and signs, each one decrypts. */
  secret?: string | readonly string[] | undefined
  /** Database adapter, or a function that loads it on first use with `import()`. @default none */
  adapter?: BaseAdapter | (() => Awaitable<BaseAdapter>) | undefined
  /**
   * Stores counters of attempts and other records that expire, such as `RedisAdapter(client)`, or another adapter with
   * the four methods. @default the adapter, if it has them
   */
  store?: RecordStore | undefined
  session?: SessionOptions | undefined
  /** The tokens of providers, which `getAccessToken` reads and refreshes. @default {} */
  tokens?: TokensOptions | undefined
  /** What users may do with their own account (`lib-auth/account`). Needs `adapter`. @default none */
  account?: AccountOptions | undefined
  /** A second step after the sign-in (`lib-auth/factors`). Needs `adapter`. @default only users who have a factor need it */
  secondStep?: SecondStepOptions | undefined
  /** Signing out at providers. @default none */
  logout?: LogoutOptions | undefined
  jwt?: Partial<JWTOptions> | undefined
  /**
   * Accepts session cookies of `next-auth` 5 and `@auth/core` and reissues them, so that users stay signed in after the
   * migration. Requires the same `secret` and session strategy. Remove it once `session.maxAge` has passed.
   * @default false
   */
  migrateSessions?: boolean | undefined
  pages?: PagesOptions | undefined
  callbacks?: CallbacksOptions | undefined
  events?: EventsOptions | undefined
  /** Prints debug messages to the console; ignored if `logger` is set. @default false */
  debug?: boolean | undefined
  logger?: Partial<LoggerInstance> | undefined
  /** Receives sign-ins, sign-outs, and what was refused. @default none */
  audit?: AuditOptions | undefined
  theme?: Theme | undefined
  /** Whether cookies are restricted to https. @default true on https, false on http */
  useSecureCookies?: boolean | undefined
  cookies?: CookiesOptions | undefined
  /** Trusts the Host header, which requires a platform or proxy that validates it. @default false */
  trustHost?: boolean | undefined
  /**
   * Trusted hosts, as in `app.example.com`, `*.example.com` (one label) or `localhost:3000`. Without a port an entry
   * matches only the default ports of http and https; `localhost:*` matches any port.
   */
  trustedHosts?: readonly string[] | undefined
  /** The public origin, if it is not that of the request; set from `AUTH_URL`. */
  origin?: string | undefined
  /** Base path of the routes. @default '/auth' */
  basePath?: string | undefined
  /** For deployments that cannot register redirect URIs: the URL of a registered one, including its base path. */
  redirectProxyUrl?: string | undefined
  /**
   * Where the redirect proxy forwards authorization responses: exact origins, or `https://*.example.com` with one label
   * in place of the asterisk. List only your own origins: the responses contain authorization codes.
   * @default none
   */
  redirectProxyAllowedOrigins?: readonly string[] | undefined
  /**
   * Seals the data that passes through the redirect proxy. A separate secret keeps the production `secret` out of
   * preview deployments, which could issue production sessions with it. An array works as for `secret`. Set from
   * `AUTH_REDIRECT_PROXY_SECRET`.
   * @default {@link AuthConfig.secret}
   */
  redirectProxySecret?: string | readonly string[] | undefined
  /**
   * Limits on guessing and on e-mails. `off` sends every attempt to `authorize` and the mail server.
   * @default {} (on)
   */
  protection?: 'off' | ProtectionOptions | undefined
  /** `fetch` for every request to providers. @default the global one */
  fetch?: Fetch | undefined
  /** Features that may change in a minor version: `enableWebAuthn` allows passkey providers. @default {} */
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined
  /** See {@link skipCSRFCheck}. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  /** See {@link raw}. */
  raw?: typeof raw | undefined
}
