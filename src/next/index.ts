/** Authentication for Next.js. */
export { default } from './lib.ts'
export { AuthError } from '../errors/base.ts'
export { CredentialsSignin } from '../errors/classes.ts'
export { customFetch } from '../symbols.ts'

export type {
  AuthFunction,
  AuthHandler,
  AuthorizedParams,
  BuiltInHandler,
  InferredConfig,
  LibCallbacks,
  LibConfig,
  LibConfig as NextAuthConfig,
  LibConfigSource,
  LibRequest,
  LibRequest as NextAuthRequest,
  LibResult,
  LibResult as NextAuthResult,
  Passkeys,
  ProxyHandler,
  RouteContext,
  RouteHandler,
  SignIn,
  SignOut,
  SignOutUrl,
  Update,
  WrappedHandler,
} from './types.ts'
export type { AuthorizationParams, SignInOptions } from '../wrapper/types.ts'
export type { AdapterSession, AdapterUser } from '../adapters/index.ts'
export type { Passkey, RemovePasskeyOptions } from '../identity/passkey.ts'
export type { SessionOf, TellsSession } from '../session-of.ts'
// From the entry point of types: TypeScript augments only modules that the program imports.
export type { Account, DefaultSession, JWT, Profile, Session, User } from '../public-types.ts'
