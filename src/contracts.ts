import type { AdapterUser } from './adapters/index.ts'
import type { CallbackCalls, EventCalls } from './config/callbacks.ts'
import type { CredentialFields } from './config/credentials.ts'
import type { PagesOptions, Theme } from './config/types.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from './cookies/policy.ts'
import type { Evidence } from './evidence.ts'
import type { Logger } from './log/logger.ts'
import type { Secrets } from './log/secrets.ts'
import type {
  Account,
  AuthAction,
  Profile,
  PublicProvider,
  Session,
  Untyped,
  User,
} from './types.ts'

export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  /** HEAD is processed as GET, without a body and without side effects. */
  readonly isHead: boolean
  readonly action: AuthAction
  readonly providerId: string | undefined
  /** As received; the public origin is {@link Context.origin}. */
  readonly url: URL
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  readonly original: Request
}

export interface SessionContext {
  readonly config: ResolvedConfig
  readonly cookies: CookiePolicy
  readonly jar: CookieJar
  /** What errors of application functions must not contain. */
  readonly secrets: Secrets
  /** Deadline of the whole request, in milliseconds since the epoch. */
  readonly deadline: number
}

export interface Context extends SessionContext {
  readonly request: AuthRequest
  readonly origin: string
}

export interface Reply {
  readonly status: number
  /** Sent as JSON, unless `html` is set. */
  readonly body?: unknown
  readonly html?: Html
  readonly redirect?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Html {
  readonly text: string
  readonly policy: string
}

/** The result of the user lookup, before the `signIn` callback is called. */
export interface Recognition {
  /** Passed to callbacks: the stored user, else the one from the evidence. */
  readonly user: User
  readonly account: Account
  /** The user who has signed in with this account or address before. */
  readonly known: AdapterUser | null
}

export interface Admission {
  readonly user: User
  readonly account: Account
  readonly isNewUser?: boolean
  readonly news: readonly News[]
  /** Whether the address of the user was verified when this sign-in read it; unknown without a database. */
  readonly wasVerified?: boolean
  /** Reads the owner again after the session was created; throws if an eviction took place in between. */
  readonly confirm?: () => Promise<void>
}

export type News =
  | { readonly event: 'createUser' | 'updateUser'; readonly user: User }
  | {
      readonly event: 'linkAccount'
      readonly user: User
      readonly account: Account
      readonly profile: User
    }

/** Looks up and creates users. No other module checks whether a database is configured. */
export interface UserDirectory {
  recognize(ctx: Context, evidence: Evidence): Promise<Recognition>
  /** Finds, links or creates the user; performs all of the writes or none. */
  admit(ctx: Context, evidence: Evidence, recognition: Recognition): Promise<Admission>
}

/** The methods of the callback route of a provider, with the guard of each. */
export type CallbackGuards = Readonly<Partial<Record<'GET' | 'POST', 'csrf' | 'none'>>>

export type SignInOffer =
  | { readonly kind: 'email' }
  | {
      readonly kind: 'button'
      readonly brandColor: string | undefined
      readonly logo?: string | undefined
    }
  | { readonly kind: 'form'; readonly fields: Readonly<CredentialFields> }
  | { readonly kind: 'none' }

/** A provider bound to the flow of its type; no other module branches on the type. */
export interface BoundProvider {
  readonly id: string
  readonly name: string
  readonly type: PublicProvider['type']
  readonly guards: CallbackGuards
  readonly offer: SignInOffer
  begin(ctx: Context): Promise<Reply>
  /** Returns the evidence of the sign-in, or the response that the browser needs first. */
  complete(ctx: Context): Promise<Evidence | Reply>
}

export interface ProviderList {
  readonly ids: readonly string[]
  get(id: string): BoundProvider | undefined
}

export interface SignInFacts {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
  /** Whether the address of the user was verified when this sign-in read it; unknown without a database. */
  readonly wasVerified?: boolean | undefined
  /** When the proof was checked, in milliseconds since the epoch. @default now */
  readonly provedAt?: number | undefined
}

export interface Subject {
  readonly id: string
  /** Time of the sign-in, if known. */
  readonly since: Date | null
  /** Whether the address was verified when they signed in; `null`: unknown. */
  readonly wasVerified: boolean | null
}

/** Stores sessions. No other module checks the session strategy. */
export interface SessionStrategy {
  /** Returns the session as exposed to the browser and extends it when due; `null`: signed out. */
  read(ctx: SessionContext): Promise<Session | null>
  /** Creates a session and returns its `identify` value; deletes the session again if `confirm` rejects. */
  create(ctx: SessionContext, facts: SignInFacts, confirm: () => Promise<void>): Promise<string>
  /** Passes the data that the browser sent to the `jwt` or `session` callback. */
  update(ctx: SessionContext, data: Untyped): Promise<Session | null>
  destroy(ctx: SessionContext): Promise<void>
  /** Identifies the sign-in while it lasts; empty when signed out. Does not query the database. */
  identify(ctx: SessionContext): Promise<string>
  subject(ctx: SessionContext): Promise<Subject | null>
  /** Ends all sessions of a user, or all but the current one; returns whether the strategy supports that. */
  endAll(ctx: SessionContext, userId: string, spare: 'none' | 'current'): Promise<boolean>
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
  readonly users: UserDirectory
  readonly cookies: CookiePolicies
  readonly useSecureCookies: boolean | undefined
  readonly trust: TrustPolicy
  readonly csrf: 'checked' | 'skipped'
  readonly log: Logger
}

export interface TrustPolicy {
  readonly origin: string | undefined
  readonly trustHost: boolean
  readonly trustedHosts: readonly string[]
}
