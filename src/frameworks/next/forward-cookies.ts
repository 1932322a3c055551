/** Forwards cookies set by the proxy to the page, which is rendered after it. */
import { nextCookieHeader } from '../shared/cookies.ts'

/** Headers by which a proxy overrides request headers: a list of their names, and the prefix of each. */
const NAMES = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'

export function continuesToPage({ headers }: Response): boolean {
  return headers.has('x-middleware-next') || headers.has('x-middleware-rewrite')
}

function readPageHeaders({ headers }: Response, request: Request): Headers {
  const names = headers.get(NAMES)
  if (names === null) return new Headers(request.headers)
  const seen = new Headers()
  for (const name of names.split(',')) {
    const value = headers.get(PREFIX + name)
    if (value !== null) seen.set(name, value)
  }
  return seen
}

/** Replaces the Cookie header that the page receives. */
export function overrideCookies(
  response: Response,
  request: Request,
  setCookies: readonly string[],
): void {
  if (!continuesToPage(response)) return
  const headers = readPageHeaders(response, request)
  headers.set('cookie', nextCookieHeader(headers.get('cookie'), setCookies))
  response.headers.set(NAMES, [...headers.keys()].join(','))
  for (const [name, value] of headers) response.headers.set(PREFIX + name, value)
}
