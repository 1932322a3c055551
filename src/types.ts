/** The entry point `lib-auth/types`. No other module imports it, because it depends on all of the others. */
export type * from './core/types.ts'
export type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  Authenticator,
  AuthenticatorChanges,
  RecordStore,
  StoredRecord,
  VerificationToken,
} from './core/database/adapter.ts'
export type { SessionOf, sessionType, TellsSession } from './core/session/session-of.ts'
export type { ErrorPageParam, WarningCode } from './core/errors/codes.ts'
export type {
  CallbacksOptions,
  EventsOptions,
  EvictMessage,
  JWTCallbackParams,
  JWTTrigger,
  RedirectCallbackParams,
  RevokeSessionMessage,
  SessionCallbackParams,
  SignInCallbackParams,
  SignOutMessage,
  TokenRefreshFailedMessage,
} from './core/config/callbacks.ts'
export type * from './core/config/types.ts'
export type { LogoutOptions } from './core/config/logout-options.ts'
export type { Theme } from './core/pages/theme.ts'
export type { AuditEvent, AuditOptions, AuditType } from './core/log/audit-event.ts'
export type {
  Attempt,
  ClientAddressHeader,
  LIMIT_NAMES,
  LimitName,
  LimitOptions,
  ProtectionOptions,
  RateDecision,
  RateLimit,
  RateLimitStore,
} from './core/config/protection-options.ts'
export type * from './core/flows/webauthn/options-response.ts'
export type { englishMails, MailMessage, MailMessages } from './core/pages/mail-messages.ts'
export type {
  englishPasswords,
  PasswordMessage,
  PasswordMessages,
} from './core/pages/password-messages.ts'
export type {
  CustomMessages,
  english,
  PageMessage,
  PageMessages,
  signInErrors,
  SignInPageErrorParam,
} from './core/pages/messages.ts'
export type { ceremonies, passwordSupport, postedUser } from './core/symbols.ts'
export type { EmailFunctions } from './frameworks/shared/email-functions.ts'
export type {
  ConfigSource,
  InferredSource,
  ProviderFunction,
  RedirectingFunctions,
  RespondingFunctions,
  ReturnedSession,
  SessionFunctions,
  SignInArgs,
  WithSession,
  WrapperAuthorizedParams,
  WrapperCallbacks,
  WrapperConfig,
} from './frameworks/shared/types.ts'

// TypeScript augments only modules of the program, so the modules that applications augment are imported here.
export type { SessionResult } from './index.ts'
export type { JWT } from './jwt.ts'
