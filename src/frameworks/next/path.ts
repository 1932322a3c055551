import type { NextRequest } from 'next/server.js'
import type { PagesOptions } from '../../core/config/types.ts'
import { parseURL } from '../../core/errors/url.ts'
import type { Site } from '../../core/get-session.ts'

type NextURL = NextRequest['nextUrl']

/** The `basePath` of the Next configuration; empty for the root. Next replaces the variable when it bundles. */
export function appBasePath(): string {
  return process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
}

/** Adds the base path; absolute URLs and paths that contain it stay unchanged. */
export function withBasePath(path: string, mount: string): string {
  return !path.startsWith('/') || path.startsWith(`${mount}/`) ? path : mount + path
}

export function setOrigin(nextUrl: NextURL, origin: string): NextURL {
  const { protocol, hostname, port } = new URL(origin)
  // Set separately, because a `host` without a port keeps that of Next.
  return Object.assign(nextUrl, { protocol, hostname, port })
}

export function setUrl(request: NextRequest, { href: value }: NextURL | URL): void {
  Object.defineProperty(request, 'url', { value, configurable: true })
}

type Overrides = Pick<NextRequest, 'nextUrl' | 'url'> & Partial<Pick<NextRequest, 'headers'>>

/** A view of a request and its clones. `new Request(view)` reads the private state behind symbols: that of `state`. */
export function overrideRequest<T extends Request>(
  request: T,
  changes: Overrides,
  state: Request = request,
): T {
  return new Proxy(request, {
    get(target, name) {
      if (name === 'clone') return () => overrideRequest(target.clone(), changes, state)
      if (typeof name === 'symbol') return Reflect.get(state, name)
      const value: unknown = Object.hasOwn(changes, name)
        ? Reflect.get(changes, name)
        : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // Next rejects the request.
    return pathname
  }
}

/** With `skipTrailingSlashRedirect`, Next shows a page with and without the slash. It replaces the variable when it bundles. */
function withConfiguredSlash(pathname: string): string {
  const path = withoutTrailingSlash(pathname)
  const isPage = path !== '/' && !/\.[^/]*$/.test(path)
  return process.env['__NEXT_TRAILING_SLASH'] && isPage ? `${path}/` : path
}

/** The request with each other spelling of its path: decoded (RFC 3986 §6.2.2.2), and as Next redirects it to. */
export function otherSpellings(request: NextRequest): NextRequest[] {
  const { pathname } = request.nextUrl
  const known = new Set([pathname])
  const paths = [decoded(pathname), pathname].flatMap((each) => [each, withConfiguredSlash(each)])
  return paths.flatMap((path) => {
    const nextUrl = request.nextUrl.clone()
    nextUrl.pathname = path
    if (known.has(nextUrl.pathname)) return []
    known.add(nextUrl.pathname)
    return [overrideRequest(request, { nextUrl, url: nextUrl.href })]
  })
}

/** Encoded unreserved characters (RFC 3986 §2.3). */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

function plain(pathname: string): string {
  return pathname.replace(ENCODED_UNRESERVED, (encoded) => decodeURIComponent(encoded))
}

/** Decodes unreserved characters in `url` and `nextUrl`, for path rules in handlers. Returns the address as sent. */
export function normalizePath(request: NextRequest): NextURL {
  const mount = appBasePath()
  const { nextUrl } = request
  if (mount && !nextUrl.basePath && `${nextUrl.pathname}/`.startsWith(`${mount}/`)) {
    // Next adds the locale before the base path (`/de/app/de/page`) and removes neither unless it parses the URL again.
    nextUrl.href = nextUrl.origin + nextUrl.pathname + nextUrl.search
    setUrl(request, nextUrl)
  }
  const pathname = plain(nextUrl.pathname)
  if (pathname === nextUrl.pathname) return nextUrl
  const sent = nextUrl.clone()
  nextUrl.pathname = pathname
  const url = new URL(request.url)
  url.pathname = plain(url.pathname)
  setUrl(request, url)
  return sent
}

export interface Place {
  /** Whether this is a route of the library: requests to it are never redirected. */
  readonly isRoute: boolean
  readonly isPublic: boolean
  readonly signInUrl: string
  resolve(location: string): string
  /** Whether a redirect leads from a configured page to itself. */
  isLoop(location: string): boolean
}

function withoutTrailingSlash(pathname: string): string {
  return pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
}

/** Removes `_rsc`, which Next adds to its own requests. */
function publicUrl(nextUrl: NextURL, origin: string): URL {
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

function resolvePage(nextUrl: NextURL, origin: string, configured: string): URL {
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
  const address = publicUrl(nextUrl, origin)
  const page =
    pages.signIn === undefined
      ? new URL(withBasePath(`${basePath}/signin`, mount), origin)
      : resolvePage(nextUrl, origin, pages.signIn)
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
      return configured.some((each) => isHere(resolvePage(nextUrl, origin, each)))
    },
  }
}
