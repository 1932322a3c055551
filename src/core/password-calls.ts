/** What applications call about passwords: routes of the provider `Password`, which only applications with it load. */
import { callRoute } from './call-route.ts'
import type { RouteAnswer, RouteCaller } from './call-route.ts'
import type { AuthConfig } from './config/types.ts'

/** Fields of `signUp`. */
export interface SignUpFields {
  readonly email: string
  readonly password: string
  /** At most 100 characters. */
  readonly name?: string | undefined
  /** Return URL after the link of the mail: a path of the site. */
  readonly redirectTo?: string | undefined
}

/** Fields of `verifyEmail`. */
export interface VerifyEmailFields {
  /** Of the link. */
  readonly token: string
  /** In another browser than that of the sign-up: the password that was chosen. */
  readonly password?: string | undefined
}

/** Fields of `requestReset`. */
export interface RequestResetFields {
  readonly email: string
}

/** Fields of `reset`. */
export interface ResetFields {
  /** Of the link. */
  readonly token: string
  /** The new password. */
  readonly password: string
}

/** Fields of `change`. */
export interface ChangePasswordFields {
  /** The current password; a user without one needs a recent sign-in instead. */
  readonly current?: string | undefined
  /** The new password. */
  readonly password: string
}

export type PasswordFields =
  SignUpFields | VerifyEmailFields | RequestResetFields | ResetFields | ChangePasswordFields

export type PasswordAction = 'change' | 'forgot' | 'remove' | 'reset' | 'sign-up' | 'verify'

export interface PasswordCall {
  readonly action: PasswordAction
  readonly fields?: PasswordFields | FormData | undefined
}

const NAMES = ['email', 'password', 'current', 'name', 'token', 'callbackUrl', 'csrfToken'] as const

/** Files, and fields that no function has, are left out. */
function readFields(fields: PasswordFields | FormData): URLSearchParams {
  const given: Readonly<Record<string, unknown>> =
    fields instanceof FormData ? Object.fromEntries(fields) : { ...fields }
  const values = { ...given, callbackUrl: given['redirectTo'] ?? given['callbackUrl'] }
  const found = new URLSearchParams()
  for (const name of NAMES) {
    const value: unknown = Reflect.get(values, name)
    if (typeof value === 'string') found.set(name, value)
  }
  return found
}

/** Returns where the route redirects. */
export async function callPasswords(
  request: RouteCaller,
  config: AuthConfig,
  { action, fields }: PasswordCall,
): Promise<RouteAnswer> {
  return callRoute(request, config, {
    path: `password/${action}`,
    body: fields ? readFields(fields) : new URLSearchParams(),
  })
}
