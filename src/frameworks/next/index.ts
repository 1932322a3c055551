/** Authentication for Next.js. */
export { default } from './lib.ts'
export * from '../shared/exports.ts'

export type {
  AccountFunctions,
  AuthFunction,
  AuthHandler,
  AuthorizedParams,
  BuiltInHandler,
  GetAccessToken,
  InferredConfig,
  LibCallbacks,
  LibConfig,
  LibConfig as NextAuthConfig,
  LibConfigSource,
  LibRequest,
  LibRequest as NextAuthRequest,
  LibResult,
  LibResult as NextAuthResult,
  PagesTokenOptions,
  Passkeys,
  PropsContext,
  ProxyHandler,
  RequestScopes,
  RouteContext,
  RouteHandler,
  SignIn,
  SignOut,
  SignOutUrl,
  Update,
  WrappedHandler,
} from './types.ts'
export type { AdapterSession, AdapterUser } from '../../adapters/index.ts'
export type { Passkey, RemovePasskeyOptions } from '../../core/identity/passkey.ts'
