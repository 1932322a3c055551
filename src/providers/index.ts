/** Types of providers. Each provider is a separate module: `lib-auth/providers/<id>`. */
import type { Provider } from '../config/provider.ts'

export type {
  EmailConfig,
  EmailUserConfig,
  VerificationRequest,
  VerificationRequest as EmailProviderSendVerificationRequestParams,
} from '../config/email.ts'
export type { CredentialInput, CredentialsConfig } from '../config/credentials.ts'
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
} from '../config/provider.ts'
export type { ProviderType } from '../types.ts'

/** Id of a provider: the last segment of its routes. */
export type ProviderId = string
/** Id of an `oauth` or `oidc` provider. */
export type OAuthProviderId = ProviderId
/** Id of an `email` provider. */
export type EmailProviderId = ProviderId
/** Default id of the credentials provider. */
export type CredentialsProviderId = 'credentials'

/** The {@link ProviderType} of providers that send magic links. */
export type EmailProviderType = 'email'
/** The {@link ProviderType} of providers that verify credentials with `authorize`. */
export type CredentialsProviderType = 'credentials'
/** The {@link ProviderType} of passkey providers. */
export type WebAuthnProviderType = 'webauthn'

/** The `providers` list of a configuration. */
export type AppProviders = Provider[]
