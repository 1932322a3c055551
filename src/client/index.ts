/** Client of the built-in routes for browsers, without a framework. */
export { createClient } from './client.ts'
export { ClientFetchError } from './fetch-error.ts'
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
