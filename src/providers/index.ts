/** Types of providers. Each provider is a separate module: `lib-auth/providers/<id>`. */
import type { EmailProviderType } from '../config/email.ts'
import type { Provider, ProviderConfig } from '../config/provider.ts'

export type {
  EmailConfig,
  EmailProviderId,
  EmailProviderType,
  EmailUserConfig,
  VerificationRequest,
  VerificationRequest as EmailProviderSendVerificationRequestParams,
} from '../config/email.ts'
export type {
  CredentialFields,
  CredentialInput,
  CredentialsConfig,
  CredentialsProviderId,
  InputAttribute,
  InputAttributes,
} from '../config/credentials.ts'
export type {
  AccountCallback,
  AppProvider,
  AuthorizationEndpoint,
  AuthorizationEndpoint as AuthorizationEndpointHandler,
  Check,
  ClientMetadata,
  ClientPrivateKey,
  CommonProviderOptions,
  Endpoint,
  Endpoint as EndpointHandler,
  IssuerContext,
  OAuth2Config,
  OAuthConfig,
  OAuthEndpointType,
  OAuthProviderButtonStyles,
  OAuthProviderContext,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProfileContext,
  Provider,
  ProviderConfig,
  TokenEndpoint,
  TokenEndpoint as TokenEndpointHandler,
  TokenEndpointAuthMethod,
  UserinfoEndpoint,
  UserinfoEndpoint as UserinfoEndpointHandler,
  WebAuthnConfig,
} from '../config/provider.ts'
export type { ProviderType } from '../types.ts'

/** Id of a provider: the last segment of its routes. */
export type ProviderId = string
/** Id of an `oauth` or `oidc` provider. */
export type OAuthProviderId = ProviderId
/** Id of an `oauth` or `oidc` provider; any string, because a provider can be an object of the application. */
export type OAuthProviderType = ProviderId
/** Id of any provider. */
export type BuiltInProviderType = ProviderId
/** Ids of providers whose `signIn` can return to the page: `redirect: false`. */
export type RedirectableProviderType = EmailProviderType | CredentialsProviderType
/** Provider factories by id. */
export type BuiltInProviders = Record<ProviderId, (...args: never[]) => ProviderConfig>

/** The {@link ProviderType} of providers that verify credentials with `authorize`. */
export type CredentialsProviderType = 'credentials'
/** The {@link ProviderType} of passkey providers. */
export type WebAuthnProviderType = 'webauthn'

/** The `providers` list of a configuration. */
export type AppProviders = Provider[]
