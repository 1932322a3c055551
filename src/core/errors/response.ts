import type { AuditType } from '../log/audit-event.ts'

/** The response to an error. */
export interface ErrorResponse {
  readonly status: number
  /** The page to redirect to; `none`: no redirect, the error is shown with its status. @default 'none' */
  readonly page?: 'signIn' | 'stepUp' | 'verifyRequest' | 'error' | 'none'
  /** `exposed`: the browser receives the type. `hidden`: it receives `Configuration`. @default 'exposed' */
  readonly type?: 'exposed' | 'hidden'
  /**
   * `info`: attacks and user errors. `warn`: a dependency failed. `error`: a bug or an invalid configuration. @default
   * `error` if the type is hidden, else `info`
   */
  readonly level?: 'info' | 'warn' | 'error'
  readonly retryable?: true
  /** The event in the audit log if the proof was wrong, or a service failed. */
  readonly failed?: AuditType
  /** The event in the audit log if a rule refused the request. */
  readonly denied?: AuditType
  /** The responses to errors with a `cause.code`, which is exposed beyond the type. */
  readonly byCode?: Readonly<Record<string, ErrorResponse>>
}
