/** Server-side authentication on web-standard Request and Response. */
export { Auth } from './core/auth.ts'
export { createActionURL, setEnvDefaults } from './core/config/env.ts'
export { getSession } from './core/get-session.ts'
export { getAccessToken, getAccessTokenFor } from './core/tokens/get-access-token.ts'
export { requestScopes } from './core/tokens/request-scopes.ts'
export { requireAuth } from './core/require-auth.ts'
export { isAuthAction } from './core/http/path.ts'
export {
  customFetch,
  insecureHttp,
  raw,
  skipCSRFCheck,
  untypedLogoutTokens,
} from './core/symbols.ts'

export type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  RecordStore,
  StoredRecord,
  VerificationToken,
} from './core/database/adapter.ts'
export type { CallbacksOptions, EventsOptions } from './core/config/callbacks.ts'
export type { Environment } from './core/config/variables.ts'
export type { AuthConfig, LifetimeFacts, SessionLifetime } from './core/config/types.ts'
export type { AssuranceLevel } from './core/assurance/level.ts'
export type { Assurance, Assured, AuthRequirement, LevelOf } from './core/assurance/assured.ts'
export type { RequireAuthOptions } from './core/require-auth.ts'
export type { AuditEvent, AuditOptions, AuditType } from './core/log/audit-event.ts'
export type { SessionResult } from './core/get-session.ts'
export type { CallResult } from './core/call-result.ts'
export type {
  AccessToken,
  AccessTokenOptions,
  RequestScopesOptions,
} from './core/tokens/options.ts'
export type { AccessTokenResult, TokenOwner, TypedConfig } from './core/tokens/get-access-token.ts'
export type { TokensOptions } from './core/tokens/options.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './core/http/read-headers.ts'
export type { SessionOf, TellsSession } from './core/session/session-of.ts'
export type {
  Account,
  AuthAction,
  DefaultJWT,
  DefaultSession,
  DefaultUser,
  JWT,
  Profile,
  ResponseInternal,
  Session,
  User,
} from './core/types.ts'
