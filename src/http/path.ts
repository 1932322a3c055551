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

/** The routes that take a provider as their second segment. */
const providerActions: ReadonlySet<string> = new Set<AuthAction>([
  'callback',
  'signin',
  'webauthn-options',
])

/**
 * Whether this is the name of a built-in route.
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

/** Characters that a path shows as they are (RFC 3986 §2.3): no second reading of them is another path. */
const PROVIDER_ID = /^[\w.~-]+$/

/** Whether this can be the id of a provider, which is a segment of a path. */
export function isProviderId(id: string): boolean {
  return PROVIDER_ID.test(id) && id !== '.' && id !== '..'
}

/** Which route a path names. */
export interface Route {
  readonly action: AuthAction
  readonly providerId: string | undefined
}

/** Whether two URLs show the same page, whatever their queries; one slash at the end makes no difference. */
export function isSamePage(one: URL, other: URL): boolean {
  const pathOf = ({ pathname }: URL) => pathname.replace(/\/$/, '')
  return one.origin === other.origin && pathOf(one) === pathOf(other)
}

/**
 * The route of a path below the base path; `null` when there is none. Each route has one spelling: nothing
 * is decoded and no doubled slash is forgiven, so that a rule on paths elsewhere sees what we see.
 */
export function parsePath(pathname: string, basePath: string): Route | null {
  if (!pathname.startsWith(basePath) || pathname.charAt(basePath.length) !== '/') return null
  // One slash at the end is how some frameworks spell every URL.
  const path = pathname.slice(basePath.length + 1, pathname.endsWith('/') ? -1 : undefined)
  const slash = path.indexOf('/')
  const action = slash === -1 ? path : path.slice(0, slash)
  if (!isAuthAction(action)) return null
  if (slash === -1) return { action, providerId: undefined }
  const providerId = path.slice(slash + 1)
  return isProviderId(providerId) && providerActions.has(action) ? { action, providerId } : null
}
