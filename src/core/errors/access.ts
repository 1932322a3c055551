/** Errors of a user who may not go on without another sign-in. */
import { AuthError, SignInError } from './base.ts'
import type { ErrorResponse } from './response.ts'

function readText(cause: Readonly<Record<string, unknown>> | undefined, name: string): string {
  const text: unknown = cause?.[name]
  return typeof text === 'string' ? text : ''
}

/** `requireAuth` was called for a visitor who is not signed in. */
export class SessionRequired extends SignInError {
  static override type = 'SessionRequired'
  protected static override response: ErrorResponse = { status: 401, page: 'signIn' }

  /** The sign-in page, which leads back to the page of the request. */
  get url(): string {
    return readText(this.cause, 'url')
  }
}
/** The session is not fresh or strong enough: the user has to authenticate again. */
export class StepUpRequired extends AuthError {
  static override type = 'StepUpRequired'
  protected static override response: ErrorResponse = {
    status: 401,
    page: 'stepUp',
    byCode: {
      other_user: { status: 403, page: 'stepUp', denied: 'signin' },
      same_user: { status: 403, page: 'stepUp', denied: 'signin' },
    },
  }

  /** The page on which the user confirms who they are, with the requirement sealed. Valid for 15 minutes. */
  get url(): string {
    return readText(this.cause, 'url')
  }

  /** `www-authenticate` with the requirement (RFC 9470 §3). */
  override get headers(): Readonly<Record<string, string>> {
    const challenge = readText(this.cause, 'challenge')
    return challenge ? { 'www-authenticate': challenge } : {}
  }
}
