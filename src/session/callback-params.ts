import type { JWTCallbackCall, SessionCallbackCall } from '../config/callbacks.ts'
import type { SignInFacts } from '../contracts.ts'
import { timestamp } from '../timestamp.ts'
import type { JWT, Session } from '../types.ts'

export interface SessionUpdate {
  readonly trigger?: 'update'
  readonly session?: unknown
}

type TokenSessionCall = SessionCallbackCall & { readonly session: Session }

export function sessionParams(token: JWT, expiry: number, update: SessionUpdate): TokenSessionCall {
  const user = { name: token.name, email: token.email, image: token.picture }
  const session = { user, expires: timestamp(new Date(expiry * 1000)) }
  return update.trigger
    ? { session, token, trigger: update.trigger, newSession: update.session }
    : { session, token }
}

export function signInParams({ user, account, profile, isNewUser }: SignInFacts): JWTCallbackCall {
  return {
    token: { name: user.name, email: user.email, picture: user.image, sub: user.id },
    user,
    account,
    ...(profile && { profile }),
    ...(isNewUser !== undefined && { isNewUser }),
    trigger: isNewUser ? 'signUp' : 'signIn',
  }
}
