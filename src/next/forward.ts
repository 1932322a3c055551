/** Tells the page behind the proxy what the browser is told: it is rendered with the cookies as they will be. */
import type { ResponseCookie } from '../types.ts'

/** How a proxy tells Next which headers the page shall see: all of them by name, then each. */
const NAMES = 'x-middleware-override-headers'
const PREFIX = 'x-middleware-request-'

/** Whether a page is rendered after this response of the proxy. */
function goesOn({ headers }: Response): boolean {
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

/** The Cookie header as the browser will send it after this response. */
function nextCookies(header: string | null, changes: readonly ResponseCookie[]): string {
  const changed = new Map(changes.map(({ name, value }) => [name, value]))
  const pairs = (header ?? '').split(/; */).filter(Boolean)
  const kept = pairs.filter((pair) => !changed.has(pair.split('=', 1)[0] ?? ''))
  const added = [...changed].filter(([, value]) => value)
  return [...kept, ...added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join(
    '; ',
  )
}

/** Headers to add to a response of the proxy, so that the page sees these cookies. */
export function forwardedHeaders(
  response: Response,
  request: Request,
  changes: readonly ResponseCookie[],
): Headers {
  if (!goesOn(response)) return new Headers()
  const headers = seenHeaders(response, request)
  headers.set('cookie', nextCookies(headers.get('cookie'), changes))
  const forwarded = new Headers({ [NAMES]: [...headers.keys()].join(',') })
  for (const [name, value] of headers) forwarded.set(PREFIX + name, value)
  return forwarded
}
