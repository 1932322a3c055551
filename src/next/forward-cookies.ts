/** Forwards cookies set by the proxy to the page, which is rendered after it. */
import { nextCookieHeader } from './cookie-header.ts'

/** Headers by which a proxy overrides request headers: a list of their names, and the prefix of each. */
const NAMES = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'

export function continuesToPage({ headers }: Response): boolean {
  return headers.has('x-middleware-next') || headers.has('x-middleware-rewrite')
}

/** The headers overridden by the proxy, else those of the request. */
function requestHeadersOf({ headers }: Response, request: Request): Headers {
  const names = headers.get(NAMES)
  if (names === null) return new Headers(request.headers)
  const seen = new Headers()
  for (const name of names.split(',')) {
    const value = headers.get(PREFIX + name)
    if (value !== null) seen.set(name, value)
  }
  return seen
}

export function overrideHeaders(
  response: Response,
  request: Request,
  setCookies: readonly string[],
): Headers {
  if (!continuesToPage(response)) return new Headers()
  const headers = requestHeadersOf(response, request)
  headers.set('cookie', nextCookieHeader(headers.get('cookie'), setCookies))
  const forwarded = new Headers({ [NAMES]: [...headers.keys()].join(',') })
  for (const [name, value] of headers) forwarded.set(PREFIX + name, value)
  return forwarded
}
