/** Compiled, never run: the exports of the entry points, and the shape of each. */
import { expectTypeOf } from 'vitest'
import { AuthError, CredentialsSignin } from '../../src/errors.ts'
import type { ErrorOptions, ErrorType } from '../../src/errors.ts'
import * as library from '../../src/index.ts'
import type * as root from '../../src/index.ts'
import { decode, encode, getToken } from '../../src/jwt.ts'
import type * as jwt from '../../src/jwt.ts'
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

/** The fields of the token response. */
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
  expectTypeOf<{ sub: string }>().toExtend<types.Profile>()
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

interface Ticket {
  readonly seat: number
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
    migrateSessions?: Maybe<boolean>
  }>()
  expectTypeOf<jwt.JWTOptions['secret']>().toEqualTypeOf<Secret>()
  expectTypeOf<jwt.JWTOptions['maxAge']>().toBeNumber()
  expectTypeOf<jwt.JWTOptions['encode']>().toEqualTypeOf<
    (params: jwt.JWTEncodeParams) => Promised<string>
  >()
  expectTypeOf<jwt.JWTOptions['decode']>().toEqualTypeOf<
    (params: jwt.JWTDecodeParams) => Promised<types.JWT | null>
  >()
  expectTypeOf(encode).toBeCallableWith({ token: { sub: '1', mine: 1 }, secret: 's', salt: 's' })
  expectTypeOf(encode<Ticket>).toEqualTypeOf<
    (params: jwt.JWTEncodeParams<Ticket>) => Promise<string>
  >()
  expectTypeOf<jwt.JWTEncodeParams<Ticket>['token']>().toEqualTypeOf<Maybe<Ticket>>()
  // @ts-expect-error The claims do not match the type argument.
  void encode<Ticket>({ token: { seat: '12' }, secret: 's', salt: 's' })
  const sealed: jwt.JWTDecodeParams = { token: '', secret: 's', salt: 's' }
  expectTypeOf(() => decode(sealed)).returns.resolves.toEqualTypeOf<types.JWT | null>()
  expectTypeOf(() => decode<Ticket>(sealed)).returns.resolves.toEqualTypeOf<Ticket | null>()
  // @ts-expect-error Without a type argument, the claims are those of `JWT`.
  expectTypeOf(() => decode(sealed)).returns.resolves.toEqualTypeOf<Ticket | null>()
  expectTypeOf<jwt.GetTokenParams<true>['raw']>().toEqualTypeOf<true>()
  expectTypeOf<jwt.GetTokenParams<boolean>['raw']>().toEqualTypeOf<Maybe<boolean>>()
  // @ts-expect-error Without `raw: true` the token is read.
  expectTypeOf<{ req: Request }>().toExtend<jwt.GetTokenParams<true>>()
  expectTypeOf((params: jwt.GetTokenParams<true>) =>
    getToken(params),
  ).returns.resolves.toEqualTypeOf<string | null>()
  expectTypeOf((params: jwt.GetTokenParams) =>
    getToken(params),
  ).returns.resolves.toEqualTypeOf<types.JWT | null>()
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

/** The result of `Auth`, for an application and for a wrapper. */
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
    | 'backchannel-logout'
    | 'callback'
    | 'confirm'
    | 'csrf'
    | 'error'
    | 'frontchannel-logout'
    | 'password'
    | 'post-logout'
    | 'providers'
    | 'session'
    | 'signin'
    | 'signout'
    | 'step-up'
    | 'verify-request'
    | 'webauthn-options'
  >()
  expectTypeOf<types.Awaitable<1>>().toEqualTypeOf<Promised<1>>()
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
