import { AuthError } from './base.ts'

/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = 'AdapterError'
}

/** An event handler threw. The sign-in it reported on is not affected, except by `events.evict`, which rejects it. */
export class EventError extends AuthError {
  static override type = 'EventError'
}

/** An encrypted session token could not be read or written. */
export class JWTSessionError extends AuthError {
  static override type = 'JWTSessionError'
}

/** A database session could not be read or written. */
export class SessionTokenError extends AuthError {
  static override type = 'SessionTokenError'
}

/** The session does not fit into cookies; the message names its largest keys. */
export class SessionTooLarge extends AuthError {
  static override type = 'SessionTooLarge'
}

/** Whether somebody is signed in cannot be said right now. Never means "signed out". */
export class SessionUnavailable extends AuthError {
  static override type = 'SessionUnavailable'
}

/** Signing out did not complete. */
export class SignOutError extends AuthError {
  static override type = 'SignOutError'
}

/** Something this sign-in depends on did not answer in time. The same action can be repeated. */
export class TemporarilyUnavailable extends AuthError {
  static override type = 'TemporarilyUnavailable'
}
