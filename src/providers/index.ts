/** Types for providers. Each provider is a module of its own: `lib-auth/providers/<id>`. */
export type { EmailConfig, EmailUserConfig, VerificationRequest } from '../config/email.ts'
export type { CredentialInput, CredentialsConfig } from '../config/credentials.ts'
export type {
  AppProvider,
  AuthorizationEndpoint,
  Check,
  ClientMetadata,
  ClientPrivateKey,
  CommonProviderOptions,
  Endpoint,
  IssuerContext,
  OAuth2Config,
  OAuthConfig,
  OAuthProviderButtonStyles,
  OAuthProviderContext,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileContext,
  Provider,
  ProviderConfig,
  TokenEndpoint,
  TokenEndpointAuthMethod,
  UserinfoEndpoint,
} from '../config/provider.ts'
export type { ProviderType } from '../types.ts'
