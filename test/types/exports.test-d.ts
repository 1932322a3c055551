/** Compiled, never run: every name that the entry points have, and the shape that is promised of each. */
import { expectTypeOf } from 'vitest'
import type * as adapters from '../../src/adapters/index.ts'
import { AuthError, CredentialsSignin } from '../../src/errors.ts'
import type { ErrorOptions, ErrorType } from '../../src/errors.ts'
import * as library from '../../src/index.ts'
import type * as root from '../../src/index.ts'
import type * as jwt from '../../src/jwt.ts'
import { decode, encode, getToken } from '../../src/jwt.ts'
import type * as providers from '../../src/providers/index.ts'
import type * as types from '../../src/types.ts'

type Text = string | null | undefined
type Maybe<T> = T | undefined
type Promised<T> = T | PromiseLike<T>

export function account(): void {
  expectTypeOf<Pick<types.Account, 'provider' | 'providerAccountId'>>().toEqualTypeOf<{
    provider: string
    providerAccountId: string
  }>()
  expectTypeOf<types.Account['type']>().toEqualTypeOf<
    'oauth' | 'oidc' | 'email' | 'credentials' | 'webauthn'
  >()
  expectTypeOf<types.Account['userId']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<types.Account['expires_at']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<Pick<types.Account, 'expires_at'>>().toEqualTypeOf<{ expires_at?: number }>()
}

/** What the token endpoint said is there to be read. */
export function accountTokens(): void {
  expectTypeOf<
    Pick<
      types.Account,
      'access_token' | 'authorization_details' | 'expires_in' | 'id_token' | 'refresh_token'
    >
  >().toEqualTypeOf<{
    readonly access_token?: string
    readonly authorization_details?: types.AuthorizationDetails[]
    readonly expires_in?: number
    readonly id_token?: string
    readonly refresh_token?: string
  }>()
  expectTypeOf<Pick<types.Account, 'scope' | 'token_type'>>().toEqualTypeOf<{
    readonly scope?: string
    readonly token_type?: Lowercase<string>
  }>()
  expectTypeOf<types.TokenSet>().toExtend<Omit<types.Account, keyof typesOfAccount>>()
}
type typesOfAccount = Pick<types.Account, 'provider' | 'providerAccountId' | 'type' | 'userId'>

export function session(): void {
  expectTypeOf<types.DefaultSession['expires']>().toBeString()
  expectTypeOf<types.DefaultSession['user']>().toEqualTypeOf<Maybe<types.User>>()
  expectTypeOf<types.Session>().toExtend<types.DefaultSession>()
}

export function user(): void {
  expectTypeOf<types.DefaultUser['id']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<types.DefaultUser['name']>().toEqualTypeOf<Text>()
  expectTypeOf<types.DefaultUser['email']>().toEqualTypeOf<Text>()
  expectTypeOf<types.DefaultUser['image']>().toEqualTypeOf<Text>()
  expectTypeOf<types.User>().toExtend<types.DefaultUser>()
  expectTypeOf<{ id: string }>().toExtend<types.User>()
}

export function profile(): void {
  type Claims =
    | 'birthdate'
    | 'email'
    | 'family_name'
    | 'gender'
    | 'given_name'
    | 'id'
    | 'locale'
    | 'middle_name'
    | 'name'
    | 'nickname'
    | 'phone_number'
    | 'preferred_username'
    | 'profile'
    | 'sub'
    | 'website'
    | 'zoneinfo'
  expectTypeOf<types.Profile[Claims]>().toEqualTypeOf<Text>()
  expectTypeOf<Pick<types.Profile, Claims>>().toEqualTypeOf<{ [C in Claims]?: string | null }>()
  expectTypeOf<NonNullable<types.Profile['address']>>().toEqualTypeOf<{
    country?: string | null
    formatted?: string | null
    locality?: string | null
    postal_code?: string | null
    region?: string | null
    street_address?: string | null
  }>()
  expectTypeOf<null>().toExtend<types.Profile['address']>()
  expectTypeOf<types.Profile['email_verified']>().toEqualTypeOf<boolean | null | undefined>()
  expectTypeOf<types.Profile['picture']>().toBeAny()
  expectTypeOf<types.Profile['updated_at']>().toEqualTypeOf<
    string | number | Date | null | undefined
  >()
  expectTypeOf<types.Profile['any other claim']>().toBeUnknown()
  expectTypeOf<Record<never, never>>().toExtend<types.Profile>()
}

export function tokens(): void {
  expectTypeOf<types.JWT['name']>().toEqualTypeOf<Text>()
  expectTypeOf<types.JWT['email']>().toEqualTypeOf<Text>()
  expectTypeOf<types.JWT['picture']>().toEqualTypeOf<Text>()
  expectTypeOf<types.JWT['sub']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<types.JWT['iat']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<types.JWT['exp']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<types.JWT['jti']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<types.JWT['anything else']>().toBeUnknown()
  expectTypeOf<jwt.JWT>().toEqualTypeOf<types.JWT>()
  expectTypeOf<jwt.DefaultJWT>().toEqualTypeOf<types.DefaultJWT>()
}

/** `lib-auth/jwt`. */
export function tokenFunctions(): void {
  type Secret = string | readonly string[]
  expectTypeOf<jwt.JWTEncodeParams['token']>().toEqualTypeOf<Maybe<types.JWT>>()
  expectTypeOf<jwt.JWTEncodeParams['secret']>().toEqualTypeOf<Secret>()
  expectTypeOf<jwt.JWTEncodeParams['salt']>().toBeString()
  expectTypeOf<jwt.JWTEncodeParams['maxAge']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<jwt.JWTDecodeParams['token']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Omit<jwt.JWTDecodeParams, 'token'>>().toEqualTypeOf<{
    secret: Secret
    salt: string
  }>()
  expectTypeOf<jwt.JWTOptions['secret']>().toEqualTypeOf<Secret>()
  expectTypeOf<jwt.JWTOptions['maxAge']>().toBeNumber()
  expectTypeOf<jwt.JWTOptions['encode']>().toEqualTypeOf<
    (params: jwt.JWTEncodeParams) => Promised<string>
  >()
  expectTypeOf<jwt.JWTOptions['decode']>().toEqualTypeOf<
    (params: jwt.JWTDecodeParams) => Promised<types.JWT | null>
  >()
  expectTypeOf(encode).toEqualTypeOf<(params: jwt.JWTEncodeParams) => Promise<string>>()
  expectTypeOf(decode).toEqualTypeOf<(params: jwt.JWTDecodeParams) => Promise<types.JWT | null>>()
  expectTypeOf<Required<jwt.GetTokenParams<true>>['raw']>().toEqualTypeOf<Maybe<true>>()
  expectTypeOf<{ req: { headers: Record<string, string> } }>().toExtend<jwt.GetTokenParams>()
  expectTypeOf<{
    req: Request
    secret: string[]
    salt: string
    secureCookie: boolean
    cookieName: string
    decode: jwt.JWTOptions['decode']
  }>().toExtend<jwt.GetTokenParams>()
  expectTypeOf(getToken).toBeFunction()
}

export function options(): void {
  type Config = root.AuthConfig
  expectTypeOf<types.AuthConfig>().toEqualTypeOf<Config>()
  expectTypeOf<Config['providers']>().toEqualTypeOf<Maybe<readonly providers.Provider[]>>()
  expectTypeOf<Config['adapter']>().toEqualTypeOf<Maybe<adapters.Adapter>>()
  expectTypeOf<Config['basePath']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Config['callbacks']>().toEqualTypeOf<Maybe<root.CallbacksOptions>>()
  expectTypeOf<Config['cookies']>().toEqualTypeOf<Maybe<types.CookiesOptions>>()
  expectTypeOf<Config['debug']>().toEqualTypeOf<Maybe<boolean>>()
  expectTypeOf<Config['events']>().toEqualTypeOf<Maybe<root.EventsOptions>>()
  expectTypeOf<{ enableWebAuthn: boolean }>().toExtend<Config['experimental']>()
  expectTypeOf<Config['jwt']>().toEqualTypeOf<Maybe<Partial<jwt.JWTOptions>>>()
  expectTypeOf<Config['logger']>().toEqualTypeOf<Maybe<Partial<types.LoggerInstance>>>()
  expectTypeOf<Config['pages']>().toEqualTypeOf<Maybe<types.PagesOptions>>()
  expectTypeOf<Config['raw']>().toEqualTypeOf<Maybe<typeof library.raw>>()
  expectTypeOf<Config['redirectProxyUrl']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<string | string[]>().toExtend<Config['secret']>()
  expectTypeOf<Config['session']>().toEqualTypeOf<Maybe<types.SessionOptions>>()
  expectTypeOf<Config['skipCSRFCheck']>().toEqualTypeOf<Maybe<typeof library.skipCSRFCheck>>()
  expectTypeOf<true>().not.toExtend<Config['skipCSRFCheck']>()
  expectTypeOf<true>().not.toExtend<Config['raw']>()
  expectTypeOf<Config['theme']>().toEqualTypeOf<Maybe<types.Theme>>()
  expectTypeOf<Config['trustHost']>().toEqualTypeOf<Maybe<boolean>>()
  expectTypeOf<Config['useSecureCookies']>().toEqualTypeOf<Maybe<boolean>>()
}

export function sessionOptions(): void {
  type Options = Required<types.SessionOptions>
  expectTypeOf<Options['strategy']>().toEqualTypeOf<'jwt' | 'database' | undefined>()
  expectTypeOf<Options['maxAge' | 'updateAge']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<NonNullable<Options['generateSessionToken']>>().toEqualTypeOf<() => string>()
}

export function cookies(): void {
  type Key =
    | 'sessionToken'
    | 'callbackUrl'
    | 'csrfToken'
    | 'pkceCodeVerifier'
    | 'state'
    | 'nonce'
    | 'webauthnChallenge'
  expectTypeOf<keyof types.CookiesOptions>().toEqualTypeOf<Key>()
  expectTypeOf<types.CookiesOptions[Key]>().toEqualTypeOf<Maybe<Partial<types.CookieOption>>>()
  expectTypeOf<types.CookieOption['name']>().toBeString()
  expectTypeOf<{
    encode: (value: string) => string
    maxAge: number
    expires: Date
    domain: string
    path: string
    httpOnly: boolean
    secure: boolean
    partitioned: boolean
    priority: 'low' | 'medium' | 'high'
    sameSite: boolean | 'lax' | 'strict' | 'none'
  }>().toEqualTypeOf<{
    -readonly [K in keyof types.CookieAttributes]-?: types.CookieAttributes[K]
  }>()
  expectTypeOf<types.CookieOption['options']>().toEqualTypeOf<types.CookieAttributes>()
}

export function pagesAndTheme(): void {
  expectTypeOf<keyof types.PagesOptions>().toEqualTypeOf<
    'signIn' | 'signOut' | 'error' | 'verifyRequest' | 'newUser'
  >()
  expectTypeOf<types.PagesOptions[keyof types.PagesOptions]>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Required<types.Theme>>().toEqualTypeOf<{
    colorScheme: 'auto' | 'dark' | 'light' | undefined
    logo: string | undefined
    brandColor: string | undefined
    buttonText: string | undefined
  }>()
}

/** What pages of an application, and its logger, may be told. */
export function messages(): void {
  expectTypeOf<'Configuration' | 'AccessDenied' | 'Verification'>().toExtend<types.ErrorPageParam>()
  expectTypeOf<
    | 'Signin'
    | 'OAuthSignin'
    | 'OAuthCallbackError'
    | 'OAuthCreateAccount'
    | 'EmailCreateAccount'
    | 'Callback'
    | 'OAuthAccountNotLinked'
    | 'EmailSignin'
    | 'CredentialsSignin'
    | 'SessionRequired'
  >().toExtend<types.SignInPageErrorParam>()
  expectTypeOf<'MissingCSRF' | 'AccountNotLinked'>().toExtend<types.SignInPageErrorParam>()
  expectTypeOf<
    'debug-enabled' | 'csrf-disabled' | 'env-url-basepath-redundant' | 'env-url-basepath-mismatch'
  >().toExtend<types.WarningCode>()
  const theirs = {
    error(code: Error, ..._message: unknown[]) {
      console.error(code)
    },
    warn(code: types.WarningCode) {
      console.warn(code)
    },
    debug(code: string, ..._message: unknown[]) {
      console.debug(code)
    },
  }
  expectTypeOf(theirs).toExtend<NonNullable<root.AuthConfig['logger']>>()
  expectTypeOf<Required<types.LoggerInstance>['error']>().parameter(0).toEqualTypeOf<Error>()
}

export function callbacks(): void {
  type Callbacks = Required<root.CallbacksOptions>
  type Parameter<N extends keyof Callbacks> = Parameters<NonNullable<Callbacks[N]>>[0]
  type Result<N extends keyof Callbacks> = ReturnType<NonNullable<Callbacks[N]>>
  expectTypeOf<Result<'signIn'>>().toEqualTypeOf<Promised<boolean | string>>()
  expectTypeOf<Result<'redirect'>>().toEqualTypeOf<Promised<string>>()
  expectTypeOf<Result<'session'>>().toEqualTypeOf<Promised<types.Session | types.DefaultSession>>()
  expectTypeOf<Result<'jwt'>>().toEqualTypeOf<Promised<types.JWT | null>>()
  expectTypeOf<Parameter<'signIn'>>().toEqualTypeOf<types.SignInCallbackParams>()
  expectTypeOf<Parameter<'redirect'>>().toEqualTypeOf<{ url: string; baseUrl: string }>()
  expectTypeOf<Parameter<'session'>>().toEqualTypeOf<types.SessionCallbackParams>()
  expectTypeOf<Parameter<'session'>['user']>().toEqualTypeOf<adapters.AdapterUser>()
  expectTypeOf<Parameter<'jwt'>>().toEqualTypeOf<types.JWTCallbackParams>()
  expectTypeOf<types.JWTTrigger>().toEqualTypeOf<'signIn' | 'signUp' | 'update'>()
}

export function events(): void {
  type Events = Required<root.EventsOptions>
  type Message<N extends keyof Events> = Parameters<NonNullable<Events[N]>>[0]
  expectTypeOf<keyof Events>().toEqualTypeOf<
    'signIn' | 'signOut' | 'createUser' | 'updateUser' | 'linkAccount' | 'session'
  >()
  expectTypeOf<Message<'createUser' | 'updateUser'>>().toEqualTypeOf<{ user: types.User }>()
  expectTypeOf<Message<'linkAccount'>>().toEqualTypeOf<{
    user: types.User
    account: types.Account
    profile: types.User
  }>()
  expectTypeOf<Message<'signIn'>['profile']>().toEqualTypeOf<Maybe<types.Profile>>()
  expectTypeOf<Message<'signIn'>['isNewUser']>().toEqualTypeOf<Maybe<boolean>>()
  expectTypeOf<adapters.AdapterSession | null | undefined>().toExtend<
    Message<'signOut'>['session']
  >()
  expectTypeOf<Message<'signOut'>['token']>().toEqualTypeOf<Maybe<types.JWT | null>>()
  expectTypeOf<() => Promise<void>>().toExtend<Events['signIn']>()
}

/** What `Auth` answers, to a caller on the web and to a wrapper. */
export function answers(): void {
  expectTypeOf(library.Auth(new Request('https://app.test'), {})).toEqualTypeOf<Promise<Response>>()
  expectTypeOf(library.Auth(new Request('https://app.test'), { raw: library.raw })).toEqualTypeOf<
    Promise<root.ResponseInternal>
  >()
  expectTypeOf<types.ResponseInternal['status']>().toBeNumber()
  expectTypeOf<types.ResponseInternal['headers']>().toEqualTypeOf<Headers>()
  expectTypeOf<types.ResponseInternal['redirect']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<types.ResponseInternal['cookies'][number]>().toExtend<
    types.CookieOption & { value: string }
  >()
  expectTypeOf<types.PublicProvider>().toEqualTypeOf<{
    readonly id: string
    readonly name: string
    readonly type: types.ProviderType
    readonly signinUrl: string
    readonly callbackUrl: string
  }>()
}

export function functions(): void {
  expectTypeOf(library.isAuthAction).guards.toEqualTypeOf<types.AuthAction>()
  expectTypeOf(library.createActionURL).parameters.toEqualTypeOf<
    [
      action: types.AuthAction,
      protocol: Maybe<string>,
      headers: Headers,
      envObject: root.Environment,
      config: Pick<root.AuthConfig, 'basePath' | 'logger'>,
    ]
  >()
  expectTypeOf(library.createActionURL).returns.toEqualTypeOf<URL>()
  expectTypeOf(library.setEnvDefaults).returns.toEqualTypeOf<void>()
  expectTypeOf(library.setEnvDefaults).parameter(2).toEqualTypeOf<Maybe<boolean>>()
  expectTypeOf<typeof library.customFetch>().toExtend<symbol>()
  expectTypeOf<types.AuthAction>().toEqualTypeOf<
    | 'callback'
    | 'csrf'
    | 'error'
    | 'providers'
    | 'session'
    | 'signin'
    | 'signout'
    | 'verify-request'
    | 'webauthn-options'
  >()
  expectTypeOf<types.Awaitable<1>>().toEqualTypeOf<Promised<1>>()
}

/** `lib-auth/adapters`; adapters.test-d.ts says more about the methods. */
export function adapterTypes(): void {
  expectTypeOf<adapters.AdapterUser>().toExtend<
    types.User & { id: string; email: string; emailVerified: Date | null }
  >()
  expectTypeOf<adapters.AdapterSession>().toEqualTypeOf<{
    sessionToken: string
    userId: string
    expires: Date
  }>()
  expectTypeOf<adapters.VerificationToken>().toEqualTypeOf<{
    identifier: string
    token: string
    expires: Date
  }>()
  expectTypeOf<adapters.AdapterAccountType>().toEqualTypeOf<
    'oauth' | 'oidc' | 'email' | 'webauthn'
  >()
  expectTypeOf<adapters.AdapterAccount['userId']>().toBeString()
  expectTypeOf<adapters.AdapterAuthenticator>().toExtend<types.Authenticator & { userId: string }>()
  expectTypeOf<root.AdapterUser>().toEqualTypeOf<adapters.AdapterUser>()
  expectTypeOf<root.AdapterSession>().toEqualTypeOf<adapters.AdapterSession>()
  expectTypeOf<types.VerificationToken>().toEqualTypeOf<adapters.VerificationToken>()
}

/** `lib-auth/providers`. */
export function oauthProviders(): void {
  type Config = providers.OAuth2Config
  expectTypeOf<Config>().toExtend<providers.CommonProviderOptions & { type: 'oauth' }>()
  expectTypeOf<providers.OIDCConfig>().toExtend<
    providers.CommonProviderOptions & { type: 'oidc'; idToken?: Maybe<boolean> }
  >()
  expectTypeOf<providers.OAuthConfig>().toEqualTypeOf<Config | providers.OIDCConfig>()
  expectTypeOf<Config['issuer' | 'wellKnown' | 'clientId' | 'clientSecret']>().toEqualTypeOf<
    Maybe<string>
  >()
  expectTypeOf<Config['redirectProxyUrl']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Config['authorization']>().toEqualTypeOf<
    Maybe<string | providers.AuthorizationEndpointHandler>
  >()
  expectTypeOf<Config['token']>().toEqualTypeOf<Maybe<string | providers.TokenEndpointHandler>>()
  expectTypeOf<Config['userinfo']>().toEqualTypeOf<
    Maybe<string | providers.UserinfoEndpointHandler>
  >()
  expectTypeOf<providers.OAuthEndpointType>().toExtend<keyof Config>()
  expectTypeOf<Config['client']>().toEqualTypeOf<Maybe<providers.ClientMetadata>>()
  expectTypeOf<Config['checks']>().toEqualTypeOf<Maybe<('pkce' | 'state' | 'nonce' | 'none')[]>>()
  expectTypeOf<Config['style']>().toEqualTypeOf<Maybe<providers.OAuthProviderButtonStyles>>()
  expectTypeOf<Config['allowDangerousEmailAccountLinking']>().toEqualTypeOf<Maybe<boolean>>()
  expectTypeOf<Config['options']>().toEqualTypeOf<Maybe<providers.OAuthUserConfig>>()
  expectTypeOf<NonNullable<Config['profile']>>().toEqualTypeOf<providers.ProfileCallback>()
  expectTypeOf<NonNullable<Config['account']>>().toEqualTypeOf<providers.AccountCallback>()
  expectTypeOf<Record<typeof library.customFetch, typeof fetch>>().toExtend<
    Pick<Config, typeof library.customFetch>
  >()
  expectTypeOf<'type'>().not.toExtend<keyof providers.OIDCUserConfig>()
}

export function otherProviders(): void {
  type Mail = providers.EmailConfig
  expectTypeOf<Mail['type']>().toEqualTypeOf<'email'>()
  expectTypeOf<Mail['from' | 'secret' | 'apiKey']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Mail['maxAge']>().toEqualTypeOf<Maybe<number>>()
  expectTypeOf<keyof providers.VerificationRequest>().toEqualTypeOf<
    'identifier' | 'url' | 'expires' | 'provider' | 'token' | 'theme' | 'request'
  >()
  expectTypeOf<NonNullable<Mail['generateVerificationToken']>>().toEqualTypeOf<
    () => Promised<string>
  >()
  expectTypeOf<NonNullable<Mail['normalizeIdentifier']>>().toEqualTypeOf<
    (identifier: string) => string
  >()
  expectTypeOf<{ server: string; from: string }>().toExtend<providers.EmailUserConfig>()
  expectTypeOf<providers.CredentialsConfig['type']>().toEqualTypeOf<'credentials'>()
  expectTypeOf<NonNullable<providers.CredentialsConfig['authorize']>>().returns.toEqualTypeOf<
    Promised<types.User | null>
  >()
  expectTypeOf<{
    label: string
    type: string
    placeholder: string
  }>().toExtend<providers.CredentialInput>()
  expectTypeOf<providers.ProviderType>().toEqualTypeOf<types.ProviderType>()
  expectTypeOf<() => Mail>().toExtend<providers.Provider>()
  expectTypeOf<providers.AppProvider['signinUrl' | 'callbackUrl']>().toBeString()
}

/** `lib-auth/errors`. */
export function errors(): void {
  expectTypeOf(AuthError).constructorParameters.toEqualTypeOf<
    [message?: string | ErrorOptions | undefined, options?: ErrorOptions | undefined]
  >()
  expectTypeOf<AuthError>().toExtend<Error>()
  expectTypeOf<Error>().toExtend<NonNullable<NonNullable<AuthError['cause']>['err']>>()
  expectTypeOf<AuthError['message' | 'name']>().toBeString()
  expectTypeOf<AuthError['stack']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<ErrorType>().toExtend<AuthError['type']>()
  expectTypeOf<CredentialsSignin>().toExtend<AuthError>()
  expectTypeOf(CredentialsSignin).constructorParameters.toEqualTypeOf<
    ConstructorParameters<typeof AuthError>
  >()
  expectTypeOf<CredentialsSignin['code']>().toBeString()
  expectTypeOf<(typeof CredentialsSignin)['kind' | 'type']>().toExtend<string>()
}
