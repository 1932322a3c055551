import type { AccountSettings } from './config/account-options.ts'
import type { CallbackCalls, EventCalls } from './config/callbacks.ts'
import type { Protection } from './config/protection-options.ts'
import type { SecondStepOptions } from './config/second-step-options.ts'
import type { AuthConfig, PagesOptions, SessionOptions } from './config/types.ts'
import type { Theme } from './pages/theme.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from './cookies/policy.ts'
import type { AdapterUser } from './database/adapter.ts'
import type { DatabaseAccess, DatabaseSource } from './database/database.ts'
import type {
  AccountEvidence,
  AddressEvidence,
  CommonEvidence,
  PasskeyProof,
  StepUp,
  UserEvidence,
} from './evidence.ts'
import type { AuthRequest } from './http/auth-request.ts'
import type { ReadRequest } from './http/read-headers.ts'
import type { AuditEvent } from './log/audit-event.ts'
import type { Logger } from './log/logger.ts'
import type { Secrets } from './log/secrets.ts'
import type { EndSession, EndSessionRequest, LogoutNotice } from './logout/logout-hint.ts'
import type { Html } from './pages/html.ts'
import type { PasskeyPage, PasswordLinks, SignInOffer } from './pages/sign-in-content.ts'
import type { RecordAccess } from './records/access.ts'
import type { EndOptions } from './session/end-options.ts'
import type { SessionFacts } from './session/facts.ts'
import type { LifetimeSettings } from './session/terms.ts'
import type { ListedSession } from './session/session-info.ts'
import type { TokenSettings } from './tokens/options.ts'
import type { RefreshOutcome } from './tokens/refresh-outcome.ts'
import type { StoredTokens } from './tokens/stored-tokens.ts'
import type { Account, Awaitable, PublicProvider, Session, User } from './types.ts'

export interface SessionContext {
  readonly config: ResolvedConfig
  readonly origin: string
  readonly cookies: CookiePolicy
  /** Mutable, as is {@link SessionContext.secrets}; nothing else is. */
  readonly jar: CookieJar
  /** Redacted in errors of application functions. */
  readonly secrets: Secrets
  /** Deadline of the whole request, in milliseconds as `performance.now()`: a change of the clock does not move it. */
  readonly deadline: number
}

export interface Context extends SessionContext {
  readonly request: AuthRequest
}

export interface Reply {
  readonly status: number
  /** Sent as JSON, unless `html` is set. */
  readonly body?: unknown
  readonly html?: Html
  readonly redirect?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface PasskeyEvidence extends PasskeyProof {
  /** Looks up the user, with code that only passkey providers load. */
  readonly match: (ctx: Context & DatabaseAccess) => Promise<UserMatch>
}

export type Evidence = AccountEvidence | AddressEvidence | PasskeyEvidence | UserEvidence

/** The user of a sign-in: the stored one, else a new one from the evidence. */
export interface UserMatch extends Pick<CommonEvidence, 'user' | 'account'> {
  /** Creates or links the user if needed; performs all of the writes or none. */
  provision(): Promise<ProvisionedUser>
}

export interface ProvisionedUser extends Pick<CommonEvidence, 'user' | 'account' | 'isNewUser'> {
  readonly events: readonly UserEvent[]
  /** Whether the address was verified when this sign-in read the user; `null`: not in the database; unknown without one. */
  readonly wasVerified?: boolean | null | undefined
  /** Called after the events, whose handlers may change the user. */
  readonly settle?: () => Promise<void>
  /** Reads the owner again after the session was created; throws if an eviction took place in between. */
  readonly confirm?: () => Promise<void>
}

export type UserEvent =
  | { readonly event: 'createUser' | 'updateUser'; readonly message: { user: User } }
  | {
      readonly event: 'linkAccount'
      readonly message: { user: User; account: Account; profile: User }
    }

/** Looks up the user of a sign-in. No other module checks whether a database is configured. */
export type MatchUser = (ctx: Context, evidence: Evidence) => Promise<UserMatch>

export type CallbackGuards = Readonly<Partial<Record<'GET' | 'POST', 'csrf' | 'none'>>>

/** What a provider does with the tokens that it has issued. */
export interface TokenIssuer {
  /** Equal only for the same client at the same provider. */
  readonly issuedBy: string
  /** Empty if it is missing in the configuration. */
  readonly clientId: string
  /** Requests new tokens with the refresh token; never rejects. */
  refresh(ctx: SessionContext, tokens: StoredTokens): Promise<RefreshOutcome>
  /** Revokes tokens, if the provider has an endpoint for that. */
  revoke(ctx: SessionContext, tokens: StoredTokens): Promise<void>
}

/** What a provider offers to users who sign out. */
export interface ProviderLogout {
  readonly clientId: string
  /** @throws InvalidLogoutToken, TemporarilyUnavailable without the keys of the provider */
  verify(ctx: SessionContext, logoutToken: string): Promise<LogoutNotice>
  /** Origins of the pages that may load the front channel in a frame. */
  framingOrigins(ctx: SessionContext): Promise<readonly string[]>
  hasEndSession(ctx: SessionContext): Promise<boolean>
  /** `null` if the provider has no endpoint for it. */
  start(ctx: SessionContext, request: EndSessionRequest): Promise<EndSession | null>
  /** Where a redirect proxy forwards a return with this state; `null`: it is for this site, or not allowed. */
  deployment(ctx: SessionContext, state: string): Promise<string | null>
}

/** What the provider of `lib-auth/password` does besides the sign-in. */
export interface PasswordFlow {
  readonly links: PasswordLinks
  /** A page about passwords, by the last part of its path; `act`: what its form does. */
  show(ctx: Context): Promise<Reply>
  act(ctx: Context): Promise<Reply>
  /** @throws AccountMailError */
  sendReset(ctx: AuditContext & SessionContext, user: AdapterUser): Promise<void>
}

/** A provider bound to the flow of its type; no other module branches on the type. */
export interface BoundProvider extends Pick<PublicProvider, 'id' | 'name' | 'type'> {
  readonly guards: CallbackGuards
  readonly offer: SignInOffer
  readonly statesContext?: boolean
  begin(ctx: Context, stepUp?: StepUp): Promise<Reply>
  readonly showOptions?: (ctx: Context) => Promise<Reply>
  /** The forms of the sign-in page, and the script that runs the ceremonies. */
  readonly passkeyPage?: () => Awaitable<Pick<PasskeyPage, 'script' | 'forms'>>
  /** Only `oauth` and `oidc`. */
  readonly tokens?: TokenIssuer
  /** Only `oauth` and `oidc`. */
  readonly logout?: ProviderLogout
  /** Only `Password` of `lib-auth/password`. */
  readonly passwords?: PasswordFlow
  /** Returns the evidence of the sign-in, or the response that the browser needs first. */
  complete(ctx: Context): Promise<Evidence | Reply>
}

export interface ProviderList {
  readonly ids: readonly string[]
  /** Loads what a sign-in needs. Called when a sign-in is likely to follow, because loading takes milliseconds. */
  preload(): void
  get(id: string): BoundProvider | undefined
}

/** What a session strategy receives about a sign-in. */
export interface SignInFacts
  extends
    Pick<CommonEvidence, 'user' | 'account' | 'profile' | 'isNewUser' | 'proofId'>,
    Pick<ProvisionedUser, 'wasVerified'> {
  /** Kept by the session; undefined: no option needs them. */
  readonly session?: SessionFacts | undefined
  /** Receives the id of the user that the `jwt` callback has set; throws if no session of that user must begin. */
  readonly refuse?: ((id: string | undefined) => void) | undefined
  /** Of the request that completes the sign-in. */
  readonly headers: Headers
  /** When the proof was checked, in milliseconds since the epoch. @default now */
  readonly provedAt?: number | undefined
}

/** The user of a session. */
export interface Subject {
  readonly id: string
  /** Identifies the session while it lasts, also after it was extended; reveals nothing about its token. */
  readonly sid: () => Awaitable<string>
  /** `null`: the session was created by an earlier release, or no option needs them. */
  readonly facts: () => SessionFacts | null
  readonly since: Date | null
  /** Whether the address was verified at the sign-in; `null`: unknown. */
  readonly wasVerified: boolean | null
  /** Whether the id is that of a user in the database; `null`: unknown. */
  readonly isStored: boolean | null
  /** Whether the token shows that they are no guest, whatever the id is; it may be empty. If not, the database shows it. */
  readonly isUser: boolean
  /** E-mail address or name, for the user only. */
  readonly label: string | null
  /** If it was read together with the session. */
  readonly user?: AdapterUser
}

/** Called before the browser receives a session. */
export type ConfirmSession = (sid: () => Awaitable<string>) => Promise<void>

/** Stores sessions. No other module checks the session strategy. */
export interface SessionStrategy {
  /** Returns the session as exposed to the browser and extends it when due; `null`: signed out. */
  read(ctx: SessionContext): Awaitable<Session | null>
  /** Does what {@link read} does, and returns the user instead. */
  readSubject(ctx: SessionContext): Awaitable<Subject | null>
  /** Does what {@link read} does, and returns the user, too; no user: the session does not tell who it is. */
  readAssured(ctx: SessionContext): Promise<{ session: Session; subject: Subject | null } | null>
  /** Creates a session and returns its `identify` value; deletes the session again if `confirm` rejects. */
  create(ctx: SessionContext, facts: SignInFacts, confirm: ConfirmSession): Promise<string>
  /** Passes the data that the browser sent to the `jwt` or `session` callback. */
  update(ctx: SessionContext, data: unknown): Awaitable<Session | null>
  /** Returns the id of the user who was signed in; `null` if no session was found. */
  destroy(ctx: SessionContext): Promise<string | null>
  /** Identifies the sign-in while it lasts; empty when signed out. Does not query the database. */
  identify(ctx: SessionContext): Awaitable<string>
  subject(ctx: SessionContext): Promise<Subject | null>
  /** Whether sessions can end before they expire: those in cookies only with `session.revocation`. */
  readonly isRevocable: boolean
  /**
   * Ends one session; returns whether it was one of this user that had not ended. Without a list of sessions, it is not
   * known whether there was one.
   */
  endOne(ctx: SessionContext, userId: string, sid: string): Promise<boolean>
  /** Whether there is a list of sessions: that of database sessions, or the option `session.devices`. */
  readonly isListed: boolean
  /** The sessions of a user, newest first. @throws InvalidConfiguration, MissingAdapterMethods if there is no list */
  list(ctx: SessionContext, userId: string): Promise<readonly ListedSession[]>
  /** Ends sessions of a user; returns whether the strategy supports that. */
  endAll(ctx: SessionContext, userId: string, options: EndOptions): Promise<boolean>
}

export type AuditContext = Pick<SessionContext, 'config'> &
  Partial<Pick<SessionContext, 'deadline'>> & {
    readonly request: Pick<ReadRequest, 'headers'> & Partial<Omit<AuthRequest, 'headers'>>
  }

/** The part of an event that its caller supplies. */
export interface AuditFact extends Pick<
  AuditEvent,
  'type' | 'outcome' | 'reason' | 'limit' | 'actor' | 'provider'
> {
  /** @default new */
  readonly ref?: string
  readonly target?: AuditEvent['target']
  /** What a visitor typed in to sign in. */
  readonly identifier?: string | undefined
  /** What `SessionStrategy.identify` returns; empty without a session. */
  readonly session?: string
}

export interface AuditLog {
  record(ctx: AuditContext, fact: AuditFact): Promise<void>
  /** Records an error whose row in the error table has a type of event. */
  recordFailure(ctx: AuditContext, error: Error): Promise<void>
}

/** Of a configuration with the option `logout`. */
export interface LogoutSettings {
  readonly keepsIdTokens: boolean
  readonly backChannel: readonly string[]
  readonly frontChannel: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** Keeps what is stored for a session as long as the session, which was extended. */
  readonly extend: (ctx: SessionContext, sid: () => Awaitable<string>) => Promise<void>
}

export interface ResolvedConfig {
  readonly basePath: string
  readonly secrets: readonly string[]
  /** Seal the data that passes through the redirect proxy. */
  readonly proxySecrets: readonly string[]
  readonly providers: ProviderList
  readonly callbacks: CallbackCalls
  readonly events: EventCalls
  readonly pages: PagesOptions
  readonly theme: Theme
  readonly session: SessionStrategy
  readonly lifetime: LifetimeSettings & { readonly choose: SessionOptions['lifetime'] }
  /** Whether sessions keep facts of their sign-in, because an option needs them. */
  readonly keepsFacts: boolean
  readonly assurance: 'all' | 'time' | 'none'
  readonly matchUser: MatchUser
  /** Undefined without an adapter. */
  readonly database: DatabaseSource | undefined
  /** Undefined without `store`, if the adapter has no records either. */
  readonly records: RecordAccess | undefined
  readonly cookies: CookiePolicies
  readonly useSecureCookies: boolean | undefined
  readonly trust: TrustPolicy
  readonly csrf: 'checked' | 'skipped'
  /** Undefined if it is switched off. */
  readonly protection: Protection | undefined
  readonly log: Logger
  readonly tokens: TokenSettings
  // These are undefined unless configured.
  readonly logout: LogoutSettings | undefined
  readonly audit: AuditLog | undefined
  readonly account: AccountSettings | undefined
  readonly secondStep: SecondStepOptions | undefined
}

/** The origin has no trailing slash. */
export type TrustPolicy = Pick<AuthConfig, 'origin' | 'trustHost' | 'trustedHosts'>
