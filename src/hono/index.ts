/** Authentication for Hono 4.6 and later. */
export { default } from './lib.ts'
export { authHandler, getAuthUser, initAuthConfig, verifyAuth } from './established.ts'
export { AuthError } from '../errors/base.ts'
export { CredentialsSignin } from '../errors/classes.ts'
export { customFetch } from '../symbols.ts'
export type {
  LibConfig,
  LibConfig as AuthConfig,
  LibResult,
  SessionVariables,
  SignedIn,
} from './lib.ts'
export type { AuthUser } from './established.ts'
export type {
  AuthorizationParams,
  ProtectOptions,
  SignInOptions,
  SignOutOptions,
} from '../wrapper/types.ts'
export type { Account, DefaultSession, JWT, Profile, Session, User } from '../public-types.ts'
export type { SessionOf, TellsSession } from '../session-of.ts'
