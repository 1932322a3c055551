/** What the clients of user interface frameworks export under the same names. */
export { signIn, signOut } from './page-functions.ts'
export { ClientFetchError } from './routes.ts'
export type { RefetchOptions } from './refetch.ts'
export type { SessionValue, UpdateSession } from './session-value.ts'
export type {
  SignInAuthorizationParams,
  SignInErrorType,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from './types.ts'
// From the entry point of types: TypeScript augments only modules that the program imports.
export type { Session } from '../../types.ts'
export type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
