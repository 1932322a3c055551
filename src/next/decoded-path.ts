/** The other way to read a path: what `%73ecret` says to a page with parameters is `secret`. */
import type { NextRequest } from 'next/server.js'
import { requestView } from './request-view.ts'

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // Next refuses what cannot be decoded.
    return pathname
  }
}

/**
 * The request as the parameters of a page will say it, when that is another path: `undefined` for nearly every
 * request. A rule on paths has to hold for both (RFC 3986 §6.2.2.2).
 */
export function decodedRequest(request: NextRequest): NextRequest | undefined {
  const { nextUrl } = request
  if (!nextUrl.pathname.includes('%')) return undefined
  const other = nextUrl.clone()
  other.pathname = decoded(nextUrl.pathname)
  return other.pathname === nextUrl.pathname
    ? undefined
    : requestView(request, { nextUrl: other, url: other.href })
}

/** Letters, digits and four marks, which never need to be encoded (RFC 3986 §2.3). */
const NEEDLESS = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi

function plain(pathname: string): string {
  return pathname.replace(NEEDLESS, (encoded) => decodeURIComponent(encoded))
}

/**
 * Takes encoding away that says nothing, so that rules on paths in a handler of the application hold, too: those that
 * read `url` as well as those that read `nextUrl`. Returns the address as it was sent.
 */
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
