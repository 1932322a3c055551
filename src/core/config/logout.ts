/** The option `logout`: its problems, and its defaults. */
import type { HttpPolicy } from '../flows/oauth/endpoint-url.ts'
import { isAllowed } from '../flows/oauth/endpoint-url.ts'
import { isOrigin } from '../http/origin.ts'
import { isRecord } from '../is-record.ts'
import { mismatch } from './describe-value.ts'
import type { LogoutOptions, LogoutSettings } from './logout-options.ts'

function* originProblems(origins: unknown, http: HttpPolicy): Iterable<string> {
  if (!Array.isArray(origins)) {
    yield `${mismatch('logout.allowedOrigins', 'a list of origins', origins)} Write ['https://www.example.com'].`
    return
  }
  for (const [index, origin] of origins.entries()) {
    const isValid = typeof origin === 'string' && isOrigin(origin)
    if (!isValid || !isAllowed(new URL(origin), http))
      yield `${mismatch(`logout.allowedOrigins[${index}]`, 'an https origin', origin)} Write it like https://www.example.com.`
  }
}

export function* logoutProblems(logout: unknown, http: HttpPolicy): Iterable<string> {
  if (logout === undefined) return
  if (!isRecord(logout)) {
    yield `${mismatch('logout', 'an object', logout)} Write logout: {}.`
    return
  }
  const { idTokenHint = 'kept', allowedOrigins = [] } = logout
  if (idTokenHint !== 'kept' && idTokenHint !== 'none')
    yield mismatch('logout.idTokenHint', '"kept" or "none"', idTokenHint)
  yield* originProblems(allowedOrigins, http)
}

export function logoutSettings(logout: LogoutOptions | undefined): LogoutSettings | undefined {
  if (!logout) return undefined
  const { idTokenHint = 'kept', allowedOrigins = [] } = logout
  return { keepsIdTokens: idTokenHint === 'kept', allowedOrigins: [...allowedOrigins] }
}
