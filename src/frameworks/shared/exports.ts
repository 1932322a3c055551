/** What every wrapper exports under the same names. Only the entry points of wrappers import this module. */
export { AuthError, SignInError } from '../../core/errors/base.ts'
export { CredentialsSignin } from '../../core/errors/classes.ts'
export { customFetch } from '../../core/symbols.ts'
export type {
  AuthorizationParams,
  ReadSession,
  RequireAuth,
  ScopesOptions,
  SignInOptions,
  UserAccount,
} from './types.ts'
export type { UserSessions } from './user-sessions.ts'
// From the entry point of types: TypeScript augments only modules that the program imports.
export type { Account, DefaultSession, JWT, Profile, Session, User } from '../../types.ts'
export type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
export type { UserPassword } from './password-functions.ts'
export type {
  ChangePasswordFields,
  RequestResetFields,
  ResetFields,
  SignUpFields,
  VerifyEmailFields,
} from '../../core/password-calls.ts'
// The results of functions: declaration files of an application name them, although it may import only this module.
export type {
  LinkedAccount,
  LinkedAccountKey,
  PasswordInfo,
  PendingEmail,
  UnlinkAccountOptions,
} from '../../core/account/account-info.ts'
export type {
  AuthenticatorApp,
  ConfirmedFactor,
  Enrollment,
  EnrollOptions,
  SecondFactors,
} from '../../core/factors/factor-info.ts'
export type { UserFactors } from './factor-types.ts'
export type {
  SessionInfo,
  SessionPage,
  SessionPageOptions,
} from '../../core/session/session-info.ts'
