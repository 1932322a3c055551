import { isRecord } from '../is-record.ts'
import type { ErrorType } from './error-type.ts'
import type { ErrorResponse } from './response.ts'

/** Details of an error: `cause` and every other key are set on {@link AuthError.cause}. */
export type ErrorOptions = Error | Record<string, unknown>

/** The original error under `err`, and details for debugging. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

function toCause(options: unknown): ErrorCause | undefined {
  if (options instanceof Error) return { err: options }
  if (!isRecord(options)) return undefined
  const { cause, ...details } = options
  const inner = toCause(cause)
  if (!inner && Object.keys(details).length === 0) return undefined
  return { ...inner, ...details }
}

function adopt(origin: ErrorOptions): ErrorCause | undefined {
  if (!(origin instanceof Error)) return toCause(origin)
  const { cause } = origin
  return { err: origin, ...(!(cause instanceof Error) && isRecord(cause) && cause) }
}

export function withoutLink(message: string): string {
  return message.replace(/ ?Read more: \S+$/, '')
}

function withLink(given: string, type: string): string {
  const message = given || (type === 'CredentialsSignin' ? 'The credentials were rejected.' : '')
  const link = `Read more: node_modules/lib-auth/docs/errors.md#${type.toLowerCase()}`
  if (!message) return link
  return /[.!?]$/.test(message) ? `${message} ${link}` : `${message}. ${link}`
}

/** Finds the response to the type of a class; the default for a type that the application has defined. */
function findResponse(errorClass: typeof AuthError): ErrorResponse {
  if (!Object.hasOwn(errorClass, 'type')) return findResponse(Object.getPrototypeOf(errorClass))
  return (Object.hasOwn(errorClass, 'response') ? errorClass : AuthError)['response']
}

/** Base class of all errors of the library. Branch on `instanceof` or {@link AuthError.type}, never on the message. */
export class AuthError extends Error {
  static type: string = 'AuthError'
  static kind: string = 'error'
  /** The response to errors of this type. @default that to an invalid configuration */
  protected static response: ErrorResponse = { status: 500, type: 'hidden' }

  /** Type of the error, for example `CredentialsSignin`. */
  readonly type: ErrorType | (string & {})
  /** The page that shows it: `signIn` or `error`. */
  readonly kind: string
  /** HTTP status for a response to this error: that of its type, 500 for a type that the application has defined. */
  readonly status: number
  /** Headers for a response to this error, which error handlers of servers, such as that of Express, send. */
  get headers(): Readonly<Record<string, string>> {
    return {}
  }
  override readonly cause?: ErrorCause

  constructor(message?: string | ErrorOptions, errorOptions?: ErrorOptions) {
    const { type, kind, name } = new.target
    super(typeof message === 'string' ? message : undefined)
    const origin = typeof message === 'string' || message === undefined ? undefined : adopt(message)
    const options = toCause(errorOptions)
    const cause = origin || options ? { ...origin, ...options } : undefined
    if (cause) this.cause = cause
    // Our classes keep their names when a bundler renames them; a subclass of the application has its own.
    this.name = Object.hasOwn(new.target, 'type') ? type : name
    this.type = type
    this.kind = kind
    // The error handlers of servers read it. An own property, because some of them set it.
    const { status, byCode } = findResponse(new.target)
    this.status = byCode?.[String(cause?.['code'])]?.status ?? status
    // The message of an error from the `signIn` callback is not changed.
    const isQuoted = type === 'AccessDenied' && cause?.err?.message === this.message
    if (!isQuoted || !this.message) this.message = withLink(this.message, type)
  }
}

/** Base class of errors that the sign-in page shows. */
export class SignInError extends AuthError {
  static override kind = 'signIn'
}
