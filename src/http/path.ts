import { normalizeBasePath } from '../base-path.ts'
import { BASE_PATH } from '../defaults.ts'
import type { AuthAction } from '../types.ts'

const actions: ReadonlySet<string> = new Set<AuthAction>([
  'callback',
  'csrf',
  'error',
  'providers',
  'session',
  'signin',
  'signout',
  'verify-request',
  'webauthn-options',
])

/** The routes with a provider id as their second segment. */
const providerActions: ReadonlySet<string> = new Set<AuthAction>([
  'callback',
  'signin',
  'webauthn-options',
])

/**
 * Whether a text is the name of a built-in route.
 *
 * @example
 * ```ts
 * import { isAuthAction } from 'lib-auth'
 *
 * export function isOurs(pathname: string): boolean {
 *   return isAuthAction(pathname.split('/')[2] ?? '')
 * }
 * ```
 */
export function isAuthAction(action: string): action is AuthAction {
  return actions.has(action)
}

/** Unreserved characters (RFC 3986 §2.3): percent-decoding cannot turn them into another path. */
const PROVIDER_ID = /^[\w.~-]+$/

/** A provider id is a segment of a path. */
export function isProviderId(id: string): boolean {
  return PROVIDER_ID.test(id) && id !== '.' && id !== '..'
}

/** Also for a configuration that has not been validated. */
export function basePathOf({ basePath }: { readonly basePath?: unknown }): string {
  return normalizeBasePath(typeof basePath === 'string' ? basePath : BASE_PATH)
}

export interface Route {
  readonly action: AuthAction
  readonly providerId: string | undefined
}

/** Ignores the query and one trailing slash. */
export function isSamePage(one: URL, other: URL): boolean {
  const pathOf = ({ pathname }: URL) => pathname.replace(/\/$/, '')
  return one.origin === other.origin && pathOf(one) === pathOf(other)
}

/**
 * Parses the path of a request; `null` if it is not a route. Each route has one spelling: percent-encoding and doubled
 * slashes are rejected, so that path rules of a proxy or framework match the same requests.
 */
export function parsePath(pathname: string, basePath: string): Route | null {
  if (!pathname.startsWith(basePath) || pathname.charAt(basePath.length) !== '/') return null
  // Some frameworks append a slash to every URL.
  const path = pathname.slice(basePath.length + 1, pathname.endsWith('/') ? -1 : undefined)
  const slash = path.indexOf('/')
  const action = slash === -1 ? path : path.slice(0, slash)
  if (!isAuthAction(action)) return null
  if (slash === -1) return { action, providerId: undefined }
  const providerId = path.slice(slash + 1)
  return isProviderId(providerId) && providerActions.has(action) ? { action, providerId } : null
}
