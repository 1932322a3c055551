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

/** Providers as a configuration lists them. */
export type AppProviders = Provider[]
