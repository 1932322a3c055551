/** Compiled, never run: every option, callback and event, with its type. */
import { expectTypeOf } from 'vitest'
import type * as adapters from '../../src/adapters/index.ts'
import type * as library from '../../src/index.ts'
import type * as root from '../../src/index.ts'
import type * as jwt from '../../src/jwt.ts'
import type * as providers from '../../src/providers/index.ts'
import type * as types from '../../src/types.ts'

type Maybe<T> = T | undefined
type Promised<T> = T | PromiseLike<T>

export function options(): void {
  type Config = root.AuthConfig
  expectTypeOf<types.AuthConfig>().toEqualTypeOf<Config>()
  expectTypeOf<Config['providers']>().toEqualTypeOf<Maybe<readonly providers.Provider[]>>()
  expectTypeOf<Config['adapter']>().toEqualTypeOf<
    Maybe<adapters.BaseAdapter | (() => Promised<adapters.BaseAdapter>)>
  >()
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
    'signIn' | 'signOut' | 'stepUp' | 'error' | 'verifyRequest' | 'newUser'
  >()
  expectTypeOf<types.PagesOptions[keyof types.PagesOptions]>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Required<types.Theme>>().toEqualTypeOf<{
    name: string | undefined
    messages: types.CustomMessages | undefined
    colorScheme: 'auto' | 'dark' | 'light' | undefined
    logo: string | undefined
    brandColor: string | undefined
    buttonText: string | undefined
  }>()
}

/** Error codes for pages, and warning codes for loggers. */
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
    | 'signIn'
    | 'signOut'
    | 'createUser'
    | 'updateUser'
    | 'linkAccount'
    | 'unlinkAccount'
    | 'deleteUser'
    | 'revokeSession'
    | 'tokenRefreshFailed'
    | 'evict'
    | 'session'
  >()
  expectTypeOf<Message<'evict'>>().toEqualTypeOf<{
    user: adapters.AdapterUser
    accounts: readonly adapters.AdapterAccount[]
  }>()
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
