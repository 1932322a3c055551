/** Types of providers. Each provider is a separate module: `lib-auth/providers/<id>`. */
import type { EmailProviderType } from '../core/config/email.ts'
import type { Provider, ProviderConfig } from '../core/config/provider.ts'

export type * from '../core/config/button.ts'
export type * from '../core/config/credentials.ts'
export type * from '../core/config/email.ts'
export type { VerificationRequest as EmailProviderSendVerificationRequestParams } from '../core/config/email.ts'
export type * from '../core/config/provider.ts'
export type * from '../core/config/provider-options.ts'
export type * from '../core/config/token-provider-id.ts'
export type * from '../core/config/webauthn.ts'
export type {
  AuthorizationEndpoint as AuthorizationEndpointHandler,
  Endpoint as EndpointHandler,
  TokenEndpoint as TokenEndpointHandler,
  UserinfoEndpoint as UserinfoEndpointHandler,
} from '../core/config/provider.ts'
export type { ProviderType } from '../core/types.ts'

/** Id of a provider: the last segment of its routes. Any string, because a provider can be one of the application. */
export type ProviderId = string
export type {
  ProviderId as BuiltInProviderType,
  ProviderId as OAuthProviderId,
  ProviderId as OAuthProviderType,
}
/** Ids of providers whose `signIn` can return to the page: `redirect: false`. */
export type RedirectableProviderType = EmailProviderType | CredentialsProviderType
/** Provider factories by id. */
export type BuiltInProviders = Record<ProviderId, (...args: never[]) => ProviderConfig>

/** The {@link ProviderType} of providers that verify credentials with `authorize`. */
export type CredentialsProviderType = 'credentials'

/** The `providers` list of a configuration. */
export type AppProviders = Provider[]
