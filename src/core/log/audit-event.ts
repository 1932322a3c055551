import type { ErrorType } from '../errors/error-type.ts'
import type { Awaitable } from '../types.ts'

/** What an event of the audit log is about. `factor` is a passkey. */
export type AuditType =
  | 'signin'
  | 'signout'
  | 'session.ended'
  | 'session.limited'
  | 'account.linked'
  | 'account.unlinked'
  | 'user.created'
  | 'user.deleted'
  | 'user.merged'
  | 'factor.added'
  | 'factor.removed'
  | 'password.changed'
  | 'password.removed'
  | 'reset.requested'
  | 'attempt.limited'
  | 'csrf.refused'
  | 'transaction.replayed'
  | 'token.lost'
  | 'scope.granted'
  | 'logout.received'
  | 'address.requested'
  | 'address.changed'
  | 'address.restored'
  | 'mail.failed'

/** Something that happened to a session, a user or an account. Contains no token, code, password or query string. */
export interface AuditEvent {
  /** Unique: 43 random characters. */
  readonly id: string
  readonly time: Date
  readonly type: AuditType
  /** `denied`: a rule refused it. `failure`: the proof was wrong, or a service failed. */
  readonly outcome: 'success' | 'failure' | 'denied'
  /** The type of the error, or why there was no error. */
  readonly reason?: ErrorType | (string & {})
  /** On the error page and in the log message of the same failure. */
  readonly ref: string
  readonly actor: {
    readonly kind: 'user' | 'anonymous' | 'application' | 'provider'
    /** Id of the user who has proved their identity. */
    readonly id?: string
  }
  readonly target?: {
    readonly kind: 'user' | 'account' | 'factor' | 'session'
    /** Of a failed sign-in, what was typed in: an HMAC, unless `identifiers` is `plain`. */
    readonly id: string
  }
  /** The exhausted limit of `protection`, such as `password.account`; only with the type `attempt.limited`. */
  readonly limit?: string
  /** Id of the provider. */
  readonly provider?: string
  /** Identifies the session; the session cannot be read with it. */
  readonly sid?: string
  /** The client address, an IPv6 address as its /64; only with `protection.clientAddress`. */
  readonly address?: string
  /** User-Agent header, at most 256 characters. */
  readonly userAgent?: string
  /** Events before this one that were not written, because 1000 were pending or `write` took more than 30 s. */
  readonly dropped?: number
}

/** Where the events of the audit log are written. */
export interface AuditOptions {
  /** Stores an event. A request waits for it for at most one second; an error is logged and has no other effect. */
  write: (event: AuditEvent) => Awaitable<void>
  /**
   * How a failed sign-in names what was typed in: `hashed` as an HMAC with the secret, which is equal for equal
   * addresses, or `plain`.
   * @default 'hashed'
   */
  identifiers?: 'hashed' | 'plain' | undefined
}
