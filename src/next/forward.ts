/** Tells the page behind the proxy what the browser is told: it is rendered with the cookies as they will be. */
import { nextCookieHeader } from './cookie-header.ts'

/** How a proxy tells Next which headers the page shall see: all of them by name, then each. */
const NAMES = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'

/** Whether a page is rendered after this response of the proxy. */
export function goesOn({ headers }: Response): boolean {
  return headers.has('x-middleware-next') || headers.has('x-middleware-rewrite')
}

/** The headers the page sees so far: those the proxy has chosen, else those of the request. */
function seenHeaders({ headers }: Response, request: Request): Headers {
  const names = headers.get(NAMES)
  if (names === null) return new Headers(request.headers)
  const seen = new Headers()
  for (const name of names.split(',')) {
    const value = headers.get(PREFIX + name)
    if (value !== null) seen.set(name, value)
  }
  return seen
}

/** Headers to add to a response of the proxy, so that the page sees these cookies. */
export function forwardedHeaders(
  response: Response,
  request: Request,
  setCookies: readonly string[],
): Headers {
  if (!goesOn(response)) return new Headers()
  const headers = seenHeaders(response, request)
  headers.set('cookie', nextCookieHeader(headers.get('cookie'), setCookies))
  const forwarded = new Headers({ [NAMES]: [...headers.keys()].join(',') })
  for (const [name, value] of headers) forwarded.set(PREFIX + name, value)
  return forwarded
}
