/** Compiled, never run: the options of providers, and the rows of adapters. */
import { expectTypeOf } from 'vitest'
import type * as adapters from '../../src/adapters/index.ts'
import type * as library from '../../src/index.ts'
import type * as root from '../../src/index.ts'
import type * as providers from '../../src/providers/index.ts'
import type * as types from '../../src/types.ts'

type Maybe<T> = T | undefined
type Promised<T> = T | PromiseLike<T>

/** `lib-auth/adapters`; adapters.test-d.ts covers the methods. */
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
    'identifier' | 'url' | 'code' | 'expires' | 'provider' | 'token' | 'theme' | 'request' | 'fetch'
  >()
  expectTypeOf<providers.VerificationRequest['code']>().toEqualTypeOf<Maybe<string>>()
  expectTypeOf<Mail['method']>().toEqualTypeOf<Maybe<'link' | 'code' | 'both'>>()
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
  expectTypeOf<providers.AppProviders>().toEqualTypeOf<providers.Provider[]>()
  expectTypeOf<providers.AppProvider['id']>().toEqualTypeOf<providers.ProviderId>()
  expectTypeOf<providers.OAuthProviderId>().toEqualTypeOf<providers.ProviderId>()
  expectTypeOf<providers.EmailProviderId>().toEqualTypeOf<providers.ProviderId>()
  expectTypeOf<providers.CredentialsProviderId>().toEqualTypeOf<'credentials'>()
  expectTypeOf<
    providers.CredentialsProviderType | providers.EmailProviderType | providers.WebAuthnProviderType
  >().toExtend<providers.ProviderType>()
  expectTypeOf<providers.AuthorizationEndpointHandler>().toExtend<providers.EndpointHandler>()
  expectTypeOf<providers.EmailProviderSendVerificationRequestParams>().toEqualTypeOf<
    Parameters<NonNullable<Mail['sendVerificationRequest']>>[0]
  >()
  expectTypeOf<providers.AppProvider['signinUrl' | 'callbackUrl']>().toBeString()
}
