/** Next passes `secret` to a dynamic page for the path `%73ecret`, so path rules must hold for both spellings. */
import type { NextRequest } from 'next/server.js'
import { overrideRequest } from './override-request.ts'

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
