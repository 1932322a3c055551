/** Where a request is, and where it may be sent. */
import type { NextRequest } from 'next/server.js'
import type { PagesOptions } from '../config/types.ts'
import type { Site } from '../get-session.ts'
import { mounted } from './mount.ts'

/** A request as the browser shows it, and what has to be open to it. */
export interface Place {
  /** Whether this is a route of the library: nobody is ever sent elsewhere from there. */
  readonly isRoute: boolean
  /** Whether this is such a route, or the page that leads to them: open to everybody. */
  readonly isOpen: boolean
  /** The page to sign in on, told to come back here. */
  readonly signInUrl: string
  /** The target of a redirect, in full. */
  resolve(location: string): string
  /** Whether a redirect would go on forever: it leads from one of the pages of the configuration to itself. */
  isLoop(location: string): boolean
}

function withoutTrailingSlash(pathname: string): string {
  return pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
}

/** An address as Next reads it. */
type NextURL = NextRequest['nextUrl']

/** The address in the browser; Next adds a parameter of its own to what it fetches itself. */
function addressOf(nextUrl: NextURL, origin: string): URL {
  const { pathname, search } = new URL(nextUrl.href)
  const url = new URL(origin + pathname + search)
  if (url.searchParams.has('_rsc')) url.searchParams.delete('_rsc')
  return url
}

/** A path as the router of Next reads it: without what the application is below, and without a language. */
function routePath(nextUrl: NextURL, pathname: string): string {
  const url = nextUrl.clone()
  url.href = `${nextUrl.origin}${pathname}`
  return withoutTrailingSlash(url.pathname)
}

/** What a page of the application begins with when it is shown in another language than the first (`/de`). */
function languageOf({ locale, defaultLocale }: NextURL): string {
  return locale && locale !== defaultLocale ? `/${locale}` : ''
}

/** A page of the configuration, in the language of the page that leads to it. */
function pageOf(nextUrl: NextURL, origin: string, configured: string): URL {
  const { basePath: mount } = nextUrl
  const page = new URL(mounted(configured, mount), origin)
  const path = page.pathname.slice(mount.length)
  // What names a language itself keeps it.
  const isPlain =
    page.origin === origin && routePath(nextUrl, page.pathname) === withoutTrailingSlash(path)
  if (isPlain) page.pathname = mount + languageOf(nextUrl) + path
  return page
}

/** Where a request is that was sent to an address. */
export function locate(nextUrl: NextURL, site: Site, pages: PagesOptions = {}): Place {
  const { origin, basePath } = site
  const { basePath: mount, origin: ownOrigin } = nextUrl
  const address = addressOf(nextUrl, origin)
  const page =
    pages.signIn === undefined
      ? new URL(mounted(`${basePath}/signin`, mount), origin)
      : pageOf(nextUrl, origin, pages.signIn)
  const here = routePath(nextUrl, address.pathname)
  // The application may know the server by another name than people do.
  const isHere = (url: URL) =>
    (url.origin === origin || url.origin === ownOrigin) && routePath(nextUrl, url.pathname) === here
  // The base path holds that of Next when it comes from AUTH_URL.
  const inner = address.pathname.slice(basePath.startsWith(`${mount}/`) ? 0 : mount.length)
  const signIn = new URL(page)
  signIn.searchParams.set('callbackUrl', address.href)
  const isRoute = site.isRoute(inner)
  return {
    isRoute,
    isOpen: isRoute || isHere(page),
    signInUrl: signIn.href,
    resolve: (location) =>
      URL.canParse(location, address) ? new URL(location, address).href : location,
    isLoop: (location) =>
      URL.canParse(location, address) &&
      isHere(new URL(location, address)) &&
      Object.values(pages).some(
        (each) => each !== undefined && isHere(pageOf(nextUrl, origin, each)),
      ),
  }
}

/** Whether a program asks, which can make nothing of a page. */
export function isDataRequest({ headers }: NextRequest): boolean {
  const destination = headers.get('sec-fetch-dest')
  if (destination !== null && destination !== 'document') return !destination.includes('frame')
  if (headers.has('rsc') || headers.has('next-action')) return true
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Whether the browser shows the answer as a page. */
export function isNavigation(request: NextRequest): boolean {
  return !isDataRequest(request) && (request.headers.get('accept') ?? '').includes('text/html')
}
