/** Whether a user may choose a password: by its length, the list of common ones, and the function of the application. */
import { lazily } from '../async/cache.ts'
import type { PasswordOwner } from '../config/password-options.ts'
import { CallbackRouteError, PasswordRejected, TemporarilyUnavailable } from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import { normalizePassword } from './hash-password.ts'
import { isCommon } from './is-common.ts'
import type { PasswordContext } from './password-context.ts'

const loadCommon = lazily(async () => {
  const { COMMON_PASSWORDS } = await import('./common-passwords.ts')
  return new Set(COMMON_PASSWORDS.toLowerCase().split(' '))
})

const CODE = /^\w{1,32}$/

async function askApplication(
  ctx: PasswordContext,
  password: string,
  user: PasswordOwner,
): Promise<string | null> {
  const { check } = ctx.settings
  if (!check) return null
  const what = 'The function check of Password'
  let code: unknown
  try {
    code = await callHook<unknown>(ctx, { what, run: () => check(password, user) })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) throw cause
    throw new CallbackRouteError(`${what} threw an error.`, { cause })
  }
  if (code === null || (typeof code === 'string' && CODE.test(code))) return code
  throw new CallbackRouteError(
    `${what} returned neither null nor a code. Return null to accept the password, or 1 to 32 letters, digits and _ to reject it.`,
  )
}

async function rejectionCode(
  ctx: PasswordContext,
  password: string,
  user: PasswordOwner,
): Promise<string | null> {
  const { minLength, rejectsCommon } = ctx.settings
  const normal = normalizePassword(password)
  if (normal === null) return password.length > minLength ? 'unusable' : 'too_short'
  if (Array.from(normal).length < minLength) return 'too_short'
  if (rejectsCommon && isCommon(normal, await loadCommon())) return 'common'
  return askApplication(ctx, password, user)
}

/** Returns the password if the user may choose it. @throws PasswordRejected with a code */
export async function acceptPassword(
  ctx: PasswordContext,
  password: unknown,
  user: PasswordOwner,
): Promise<string> {
  const text = typeof password === 'string' ? password : ''
  ctx.secrets.add(text)
  const code = await rejectionCode(ctx, text, user)
  if (code === null) return text
  throw new PasswordRejected('The chosen password was rejected.', { code })
}
