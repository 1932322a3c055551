import { normalizeBasePath } from './base-path.ts'
import type { PagesOptions } from '../config/types.ts'
import { BASE_PATH } from '../config/defaults.ts'
import type { AuthAction } from '../types.ts'

/** The built-in routes, and whether a provider id is their second segment; for `password`, the name of a page. */
export const ROUTES: Readonly<Record<AuthAction, 'with provider' | 'alone'>> = {
  'backchannel-logout': 'with provider',
  callback: 'with provider',
  confirm: 'alone',
  csrf: 'alone',
  error: 'alone',
  'frontchannel-logout': 'with provider',
  password: 'with provider',
  'post-logout': 'alone',
  providers: 'alone',
  session: 'alone',
  signin: 'with provider',
  signout: 'alone',
  'step-up': 'alone',
  'verify-request': 'alone',
  'webauthn-options': 'with provider',
}

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
  return Object.hasOwn(ROUTES, action)
}

/** Unreserved characters (RFC 3986 §2.3): percent-decoding cannot turn them into another path. */
const PROVIDER_ID = /^[\w.~-]+$/

export function isProviderId(id: string): boolean {
  return PROVIDER_ID.test(id) && id !== '.' && id !== '..'
}

/** Also for a configuration that has not been validated. */
export function readBasePath({ basePath }: { readonly basePath?: unknown }): string {
  return normalizeBasePath(typeof basePath === 'string' ? basePath : BASE_PATH)
}

export interface Route {
  readonly action: AuthAction
  readonly providerId: string | undefined
}

/** Ignores the query and one trailing slash. */
export function isSamePage(one: URL, other: URL): boolean {
  const trimSlash = ({ pathname }: URL) => pathname.replace(/\/$/, '')
  return one.origin === other.origin && trimSlash(one) === trimSlash(other)
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
  const isRoute = ROUTES[action] === 'with provider' && isProviderId(providerId)
  return isRoute ? { action, providerId } : null
}

export interface PageSite {
  readonly origin: string
  readonly config: { readonly basePath: string; readonly pages: PagesOptions }
}

export type ReplaceablePage = 'signIn' | 'signOut' | 'stepUp' | 'error' | 'verifyRequest'

const PAGES: Readonly<Record<ReplaceablePage, AuthAction>> = {
  signIn: 'signin',
  signOut: 'signout',
  stepUp: 'step-up',
  error: 'error',
  verifyRequest: 'verify-request',
}

export function builtInPageUrl(page: ReplaceablePage, { origin, config }: PageSite): URL {
  return new URL(`${config.basePath}/${PAGES[page]}`, origin)
}

/** URL of the configured page, which may be relative, or of the built-in one. */
export function pageUrl(page: ReplaceablePage, site: PageSite): URL {
  const own = site.config.pages[page]
  return own ? new URL(own, site.origin) : builtInPageUrl(page, site)
}

/** An error on these routes is shown in place, because a redirect could loop. */
export function isPageAction(action: AuthAction | undefined): boolean {
  return Object.values(PAGES).some((route) => route === action)
}
