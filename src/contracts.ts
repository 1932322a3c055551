/** The internal vocabulary: what the parts hand each other. */
import type { CallbackCalls, EventsOptions } from './config/callbacks.ts'
import type { CredentialInput } from './config/provider.ts'
import type { PagesOptions, Theme } from './config/types.ts'
import type { CookieJar } from './cookies/jar.ts'
import type { Logger } from './log/logger.ts'
import type {
  Account,
  AuthAction,
  CookieOption,
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

/** Names and attributes of the cookies for one kind of connection. */
export interface CookiePolicy {
  readonly sessionToken: CookieOption
  /** The same, and other names a session cookie of ours may have from before a change of the configuration. */
  readonly sessionTokens: readonly CookieOption[]
  readonly callbackUrl: CookieOption
  readonly csrfToken: CookieOption
  readonly transaction: CookieOption
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

/** Who came back from a provider, and what proves it. */
export interface Evidence {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly credentials?: Record<string, Untyped>
  readonly isNewUser?: boolean
  /** Where the browser goes when it is signed in. */
  readonly returnTo: string
}

/** The callback methods a provider answers to, and what each asks for first. */
export type CallbackGuards = Readonly<Partial<Record<'GET' | 'POST', 'csrf' | 'none'>>>

/** How the sign-in page offers a provider. */
export type SignInOffer =
  | { readonly kind: 'button'; readonly brandColor: string | undefined }
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

/** Where sessions live. Nothing else asks which strategy it is. */
export interface SessionStrategy {
  /** The session as the browser may see it; extends it when that is due. `null`: signed out. */
  read(ctx: SessionContext): Promise<Session | null>
  /** Makes the session of a new sign-in; answers what {@link SessionStrategy.identify} says of it. */
  create(ctx: SessionContext, facts: SignInFacts): Promise<string>
  /** Lets the application change the session with what the browser sent. */
  update(ctx: SessionContext, data: Untyped): Promise<Session | null>
  destroy(ctx: SessionContext): Promise<void>
  /** Names this sign-in as long as it lasts; empty when signed out. */
  identify(ctx: SessionContext): Promise<string>
}

/** The configuration with every default filled in; made once, frozen. */
export interface ResolvedConfig {
  readonly basePath: string
  readonly secrets: readonly string[]
  readonly providers: ProviderList
  readonly callbacks: CallbackCalls
  readonly events: EventsOptions
  readonly pages: PagesOptions
  readonly theme: Theme
  readonly session: SessionStrategy
  readonly cookies: { readonly secure: CookiePolicy; readonly plain: CookiePolicy }
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
