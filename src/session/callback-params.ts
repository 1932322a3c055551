/** The parameters of the `jwt` and `session` callbacks when sessions are tokens. */
import type { JWTCallbackCall, SessionCallbackCall } from '../config/callbacks.ts'
import type { SignInFacts } from '../contracts.ts'
import { timestamp } from '../timestamp.ts'
import type { JWT, Session, Untyped } from '../types.ts'

/** What the browser wants to change, if anything. */
export interface Update {
  readonly trigger?: 'update'
  readonly session?: Untyped
}

/** What the `session` callback is told, which is a session as it is. */
type TokenSessionCall = SessionCallbackCall & { readonly session: Session }

/** What the `session` callback is told: by default the browser sees name, e-mail address and picture. */
export function sessionParams(token: JWT, expiry: number, update: Update): TokenSessionCall {
  const user = { name: token.name, email: token.email, image: token.picture }
  const session = { user, expires: timestamp(new Date(expiry * 1000)) }
  return update.trigger
    ? { session, token, trigger: update.trigger, newSession: update.session }
    : { session, token }
}

/** What the `jwt` callback is told at sign-in. */
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
