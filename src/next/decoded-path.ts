/** Next passes `secret` to a dynamic page for the path `%73ecret`, so path rules must hold for both spellings. */
import type { NextRequest } from 'next/server.js'

interface RequestOverrides {
  readonly nextUrl: NextRequest['nextUrl']
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
export function normalizePath(request: NextRequest): NextRequest['nextUrl'] {
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
