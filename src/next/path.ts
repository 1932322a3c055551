import type { NextRequest } from 'next/server.js'

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

interface RequestOverrides {
  readonly nextUrl: NextURL
  readonly url: string
  readonly headers?: Headers
}

/** A view of a request and its clones. `new Request(view)` reads the private state behind symbols: that of `state`. */
export function overrideRequest<T extends Request>(
  request: T,
  changes: RequestOverrides,
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

/** The request with the decoded path, or `undefined` if both are the same (RFC 3986 §6.2.2.2). */
export function decodedRequest(request: NextRequest): NextRequest | undefined {
  if (!request.nextUrl.pathname.includes('%')) return undefined
  const nextUrl = request.nextUrl.clone()
  try {
    nextUrl.pathname = decodeURIComponent(nextUrl.pathname)
  } catch {
    // Next rejects the request.
    return undefined
  }
  if (nextUrl.pathname === request.nextUrl.pathname) return undefined
  return overrideRequest(request, { nextUrl, url: nextUrl.href })
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
