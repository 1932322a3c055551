/** Server-side authentication on web-standard Request and Response. */
export { Auth } from './auth.ts'
export { createActionURL, setEnvDefaults } from './config/env.ts'
export { getSession } from './get-session.ts'
export { isAuthAction } from './http/path.ts'
export { customFetch, insecureHttp, raw, skipCSRFCheck } from './symbols.ts'

export type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  RecordStore,
  StoredRecord,
  VerificationToken,
} from './adapters/index.ts'
export type { CallbacksOptions, EventsOptions } from './config/callbacks.ts'
export type { Environment } from './variables.ts'
export type { AuthConfig } from './config/types.ts'
export type { AuditEvent, AuditOptions, AuditType } from './audit-event.ts'
export type { SessionResult } from './get-session.ts'
export type { HeaderRecord, RequestLike, ServerRequest } from './http/read-headers.ts'
export type { SessionOf, TellsSession } from './session-of.ts'
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
} from './types.ts'
