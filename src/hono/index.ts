/** Authentication for Hono 4.6 and later. */
export { default } from './lib.ts'
export { authHandler, getAuthUser, initAuthConfig, verifyAuth } from './established.ts'
export * from '../wrapper/exports.ts'
export type {
  LibConfig,
  LibConfig as AuthConfig,
  LibResult,
  SessionVariables,
  SignedIn,
} from './lib.ts'
export type { AuthUser } from './established.ts'
export type { ProtectOptions, SignOutOptions } from '../wrapper/types.ts'
