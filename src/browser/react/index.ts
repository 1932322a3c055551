'use client'
/** React components, hooks and functions for the session. */
export { getCsrfToken, getProviders, getSession, signIn, signOut } from './functions.ts'
export { SessionContext, SessionProvider, useSession } from './session.tsx'

export type {
  LiteralUnion,
  SignInAuthorizationParams,
  SignInErrorType,
  SignInOptions,
  SignInResponse,
  SignOutOptions as SignOutParams,
  SignOutResponse,
} from '../client/types.ts'
export type { GetSessionParams } from './server.ts'
export type {
  SessionContextValue,
  SessionControls,
  SessionProviderProps,
  UseSessionOptions,
} from './session.tsx'
export type { AdapterSession, AdapterUser } from '../../core/database/adapter.ts'
export type { SessionOf, TellsSession } from '../../core/session/session-of.ts'
// From the entry point of types: TypeScript augments only modules that the program imports.
export type { PublicProvider as ClientSafeProvider, Session, User } from '../../types.ts'
export type { UpdateSession } from '../client/session-value.ts'
