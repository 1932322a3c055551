import type { NextRequest } from 'next/server.js'

type NextURL = NextRequest['nextUrl']

/**
 * The `basePath` of the Next configuration, which Next hides from route handlers; empty for the root. Next replaces the
 * environment variable when it bundles.
 */
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

interface RequestOverrides {
  readonly nextUrl: NextURL
  readonly url: string
  readonly headers?: Headers
}

/**
 * Returns a view of a request, whose clones are views as well. `new Request(view)` reads the private state behind symbols,
 * which is that of `state`.
 */
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

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // Next rejects the request.
    return pathname
  }
}

/** The request with the decoded path, or `undefined` if both are the same (RFC 3986 §6.2.2.2). */
export function decodedRequest(request: NextRequest): NextRequest | undefined {
  const { nextUrl } = request
  if (!nextUrl.pathname.includes('%')) return undefined
  const other = nextUrl.clone()
  other.pathname = decoded(nextUrl.pathname)
  return other.pathname === nextUrl.pathname
    ? undefined
    : overrideRequest(request, { nextUrl: other, url: other.href })
}

/** Encoded unreserved characters (RFC 3986 §2.3). */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

function plain(pathname: string): string {
  return pathname.replace(ENCODED_UNRESERVED, (encoded) => decodeURIComponent(encoded))
}

/** Decodes unreserved characters in `url` and `nextUrl`, for path rules in handlers. Returns the original address. */
export function normalizePath(request: NextRequest): NextURL {
  const { nextUrl } = request
  const pathname = plain(nextUrl.pathname)
  if (pathname === nextUrl.pathname) return nextUrl
  const sent = nextUrl.clone()
  nextUrl.pathname = pathname
  const url = new URL(request.url)
  url.pathname = plain(url.pathname)
  Object.defineProperty(request, 'url', { value: url.href, configurable: true })
  return sent
}

/** Next adds the locale before the base path (`/de/app/de/page`) and removes neither, so path rules would not match. */
export function recognizeBasePath(request: NextRequest): void {
  const mount = appBasePath()
  const { nextUrl } = request
  if (!mount || nextUrl.basePath || !`${nextUrl.pathname}/`.startsWith(`${mount}/`)) return
  nextUrl.href = nextUrl.origin + nextUrl.pathname + nextUrl.search
  Object.defineProperty(request, 'url', { value: nextUrl.href, configurable: true })
}
