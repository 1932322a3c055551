/** Types for providers. Each provider is a module of its own: `lib-auth/providers/<id>`. */
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

/** Names a provider: the last part of its routes. */
export type ProviderId = string
/** The same, where it is of the type `oauth` or `oidc`. */
export type OAuthProviderId = ProviderId
/** The same, where it is of the type `email`. */
export type EmailProviderId = ProviderId
/** The same for credentials, where the provider is not given another id. */
export type CredentialsProviderId = 'credentials'

/** The {@link ProviderType} of providers that send links. */
export type EmailProviderType = 'email'
/** The {@link ProviderType} of providers that ask for a password or the like. */
export type CredentialsProviderType = 'credentials'
/** The {@link ProviderType} of passkeys. */
export type WebAuthnProviderType = 'webauthn'

/** Providers as a configuration lists them. */
export type AppProviders = Provider[]
