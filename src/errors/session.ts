import { AuthError } from './base.ts'

/** A method of the database adapter failed; the original error is `cause.err`. */
export class AdapterError extends AuthError {
  static override type = 'AdapterError'
}

/** An event handler threw. The sign-in is not affected, except by `events.evict`, which rejects it. */
export class EventError extends AuthError {
  static override type = 'EventError'
}

/** A session token could not be encrypted or decrypted. */
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

/** The session lookup failed, for example in a database outage. It does not mean "signed out". */
export class SessionUnavailable extends AuthError {
  static override type = 'SessionUnavailable'
}

/** The sign-out did not complete. */
export class SignOutError extends AuthError {
  static override type = 'SignOutError'
}

/** A dependency did not respond in time. The same action can be repeated. */
export class TemporarilyUnavailable extends AuthError {
  static override type = 'TemporarilyUnavailable'
}
