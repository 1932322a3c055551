import type { NextRequest } from 'next/server.js'
import type { PagesOptions } from '../config/types.ts'
import { parseURL } from '../errors/address.ts'
import type { Site } from '../get-session.ts'
import { withBasePath } from './path.ts'

export interface Place {
  /** Whether this is a route of the library: requests to it are never redirected. */
  readonly isRoute: boolean
  /** Whether this is such a route or the sign-in page: accessible without a session. */
  readonly isPublic: boolean
  /** The sign-in page, with the current URL as `callbackUrl`. */
  readonly signInUrl: string
  resolve(location: string): string
  /** Whether a redirect leads from a configured page to itself. */
  isLoop(location: string): boolean
}

function withoutTrailingSlash(pathname: string): string {
  return pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
}

type NextURL = NextRequest['nextUrl']

/** Removes `_rsc`, which Next adds to its own requests. */
function addressOf(nextUrl: NextURL, origin: string): URL {
  const { pathname, search } = new URL(nextUrl.href)
  const url = new URL(origin + pathname + search)
  if (url.searchParams.has('_rsc')) url.searchParams.delete('_rsc')
  return url
}

function routePath(nextUrl: NextURL, pathname: string): string {
  const url = nextUrl.clone()
  url.href = `${nextUrl.origin}${pathname}`
  return withoutTrailingSlash(url.pathname)
}

function localePrefix({ locale, defaultLocale }: NextURL): string {
  return locale && locale !== defaultLocale ? `/${locale}` : ''
}

function pageOf(nextUrl: NextURL, origin: string, configured: string): URL {
  const { basePath: mount } = nextUrl
  const page = new URL(withBasePath(configured, mount), origin)
  const path = page.pathname.slice(mount.length)
  // A path that already contains a locale keeps it.
  const isPlain =
    page.origin === origin && routePath(nextUrl, page.pathname) === withoutTrailingSlash(path)
  if (isPlain) page.pathname = mount + localePrefix(nextUrl) + path
  return page
}

export function locate(nextUrl: NextURL, site: Site, pages: PagesOptions = {}): Place {
  const { origin, basePath } = site
  const { basePath: mount, origin: ownOrigin } = nextUrl
  const address = addressOf(nextUrl, origin)
  const page =
    pages.signIn === undefined
      ? new URL(withBasePath(`${basePath}/signin`, mount), origin)
      : pageOf(nextUrl, origin, pages.signIn)
  const here = routePath(nextUrl, address.pathname)
  // Behind a reverse proxy, the origin of Next can differ from the public one.
  const isHere = (url: URL) =>
    (url.origin === origin || url.origin === ownOrigin) && routePath(nextUrl, url.pathname) === here
  // A base path from AUTH_URL includes that of Next.
  const inner = address.pathname.slice(basePath.startsWith(`${mount}/`) ? 0 : mount.length)
  const signIn = new URL(page)
  signIn.searchParams.set('callbackUrl', address.href)
  const isRoute = site.isRoute(inner)
  return {
    isRoute,
    isPublic: isRoute || isHere(page),
    signInUrl: signIn.href,
    resolve: (location) => parseURL(location, address.href)?.href ?? location,
    isLoop(location) {
      const target = parseURL(location, address.href)
      if (!target || !isHere(target)) return false
      const configured = Object.values(pages).flatMap((each) => each ?? [])
      return configured.some((each) => isHere(pageOf(nextUrl, origin, each)))
    },
  }
}

/** Whether a script sent the request, which cannot follow a redirect to a page. */
export function isDataRequest({ headers }: NextRequest): boolean {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null && destination !== 'document') return !destination.includes('frame')
  if (headers.has('rsc') || headers.has('next-action')) return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

export function isNavigation(request: NextRequest): boolean {
  return !isDataRequest(request) && (request.headers.get('accept') ?? '').includes('text/html')
}
