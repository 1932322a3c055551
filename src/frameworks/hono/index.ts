/** Authentication for Hono 4.6 and later. */
export { default } from './lib.ts'
export { authHandler, getAuthUser, initAuthConfig, verifyAuth } from './compat.ts'
export * from '../shared/exports.ts'
export type { LibConfig, LibConfig as AuthConfig, LibResult } from './lib.ts'
export type { AuthUser } from './compat.ts'
export type {
  ProtectOptions,
  SessionAccess as SessionVariables,
  SignedIn,
  SignOutOptions,
} from '../shared/types.ts'
