import type { AuthAction } from '../types.ts'

/** A parsed request of a built-in route. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  /** HEAD is processed as GET, without a body and without side effects. */
  readonly isHead: boolean
  readonly action: AuthAction
  readonly providerId: string | undefined
  /** As received; the public origin is that of the context. */
  readonly url: URL
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  /** The body as sent, if it is a form without repeated fields, which two parsers could read differently. */
  readonly form?: string
  readonly original: Request
  /** Whether code of the application calls the route. A provider cannot ask for it: it may be of another copy of the library. */
  readonly isServerCall: boolean
}
