/** Client of the built-in routes for browsers, without a framework. */
export { createClient } from './client.ts'
export { ClientFetchError } from './routes.ts'
export { createSession } from './session.ts'
export type { RefetchOptions } from './refetch.ts'
export type { ClientSession, SessionOptions, SessionSnapshot } from './session.ts'
export type {
  Client,
  ClientOptions,
  SignInAuthorizationParams,
  SignInErrorType,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from './types.ts'
// From the entry point of types: TypeScript augments only modules that the program imports.
export type { Session } from '../../types.ts'
