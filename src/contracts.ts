/** The internal vocabulary: what the parts hand each other. */
import type { AdapterUser } from './adapters/index.ts'
import type { CallbackCalls, EventCalls } from './config/callbacks.ts'
import type { CredentialInput } from './config/credentials.ts'
import type { PagesOptions, Theme } from './config/types.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { CookiePolicies, CookiePolicy } from './cookies/policy.ts'
import type { Evidence } from './evidence.ts'
import type { Logger } from './log/logger.ts'
import type {
  Account,
  AuthAction,
  Profile,
  PublicProvider,
  Session,
  Untyped,
  User,
} from './types.ts'

/** A request after parsing: everything in it is bounded and typed. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  /** HEAD is GET without a body, and without side effects. */
  readonly isHead: boolean
  readonly action: AuthAction
  readonly providerId: string | undefined
  /** As it reached us; the origin people use is {@link Context.origin}. */
  readonly url: URL
  readonly headers: Headers
  /** Fields of the form, or keys of the JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  readonly original: Request
}

/** What reading a session needs. */
export interface SessionContext {
  readonly config: ResolvedConfig
  readonly cookies: CookiePolicy
  /** The one mutable thing of a request. */
  readonly jar: CookieJar
  /** When the request has to be answered, in milliseconds since the epoch. */
  readonly deadline: number
}

/** What everything else needs too. */
export interface Context extends SessionContext {
  readonly request: AuthRequest
  /** The origin people use. */
  readonly origin: string
}

/** An answer before it is a `Response`. */
export interface Reply {
  readonly status: number
  /** Becomes JSON, unless `html` is there. */
  readonly body?: unknown
  readonly html?: Html
  readonly redirect?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A rendered page and the policy it needs. */
export interface Html {
  readonly text: string
  /** Value of Content-Security-Policy. */
  readonly policy: string
}

/** What is known of somebody before it is decided whether they come in. */
export interface Recognition {
  /** As callbacks are told: the stored user, else what the evidence says. */
  readonly user: User
  readonly account: Account
  /** Who has signed in with this before. */
  readonly known: AdapterUser | null
}

/** Somebody who comes in. */
export interface Admission {
  readonly user: User
  readonly account: Account
  readonly isNewUser?: boolean
  /** What was written, for those who listen. */
  readonly news: readonly News[]
  /** Reads the owner again once the session exists; throws when an eviction ran in between. */
  readonly confirm?: () => Promise<void>
}

/** Something that was written. */
export type News =
  | { readonly event: 'createUser' | 'updateUser'; readonly user: User }
  | {
      readonly event: 'linkAccount'
      readonly user: User
      readonly account: Account
      /** What the provider says of them. */
      readonly profile: User
    }

/** Who is a user. Nothing else asks whether there is a database. */
export interface UserDirectory {
  recognize(ctx: Context, evidence: Evidence): Promise<Recognition>
  /** Lets somebody in: writes all that this takes, or nothing. */
  admit(ctx: Context, evidence: Evidence, recognition: Recognition): Promise<Admission>
}

/** The callback methods a provider answers to, and what each asks for first. */
export type CallbackGuards = Readonly<Partial<Record<'GET' | 'POST', 'csrf' | 'none'>>>

/** How the sign-in page offers a provider. */
export type SignInOffer =
  | { readonly kind: 'email' }
  | {
      readonly kind: 'button'
      readonly brandColor: string | undefined
      readonly logo?: string | undefined
    }
  | { readonly kind: 'form'; readonly fields: Readonly<Record<string, CredentialInput>> }
  | { readonly kind: 'none' }

/** A provider tied to the flow of its type: what its type means is settled here. */
export interface BoundProvider {
  readonly id: string
  readonly name: string
  readonly type: PublicProvider['type']
  readonly guards: CallbackGuards
  readonly offer: SignInOffer
  /** Starts a sign-in. */
  begin(ctx: Context): Promise<Reply>
  /** Says who came back; or what the browser has to do first. */
  complete(ctx: Context): Promise<Evidence | Reply>
}

/** The providers of a configuration; each is bound when it is first asked for. */
export interface ProviderList {
  readonly ids: readonly string[]
  get(id: string): BoundProvider | undefined
}

/** What a session is made from. */
export interface SignInFacts {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
}

/** Who a session is about. */
export interface Subject {
  readonly id: string
  /** When they signed in, where that is known. */
  readonly since: Date | null
}

/** Where sessions live. Nothing else asks which strategy it is. */
export interface SessionStrategy {
  /** The session as the browser may see it; extends it when that is due. `null`: signed out. */
  read(ctx: SessionContext): Promise<Session | null>
  /** Creates a session and returns what `identify` says of it; deletes it again when `confirm` rejects. */
  create(ctx: SessionContext, facts: SignInFacts, confirm: () => Promise<void>): Promise<string>
  /** Lets the application change the session with what the browser sent. */
  update(ctx: SessionContext, data: Untyped): Promise<Session | null>
  destroy(ctx: SessionContext): Promise<void>
  /** Names this sign-in as long as it lasts; empty when signed out. Asks no database. */
  identify(ctx: SessionContext): Promise<string>
  /** Who is signed in; `null`: nobody. */
  subject(ctx: SessionContext): Promise<Subject | null>
  /** Ends all sessions of a user, or all but that of this browser; returns whether it can. */
  endAll(ctx: SessionContext, userId: string, spare: 'none' | 'current'): Promise<boolean>
}

/** The configuration with every default filled in; made once, frozen. */
export interface ResolvedConfig {
  readonly basePath: string
  readonly secrets: readonly string[]
  /** Seal what passes through the redirect proxy. */
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

/** Whose word counts for the origin. */
export interface TrustPolicy {
  readonly origin: string | undefined
  readonly trustHost: boolean
  readonly trustedHosts: readonly string[]
}
