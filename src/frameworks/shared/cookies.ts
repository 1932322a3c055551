import { setCookieHeader } from '../../core/get-session.ts'
import type { ResponseCookie } from '../../core/types.ts'
import { perRequest } from './per-request.ts'
import { minimalRequest } from './request-adapter.ts'
import type { RequestAdapter } from './request-adapter.ts'

/** CDNs prefer `CDN-Cache-Control` (RFC 9213); the page may overwrite `Cache-Control`. */
export const NOT_SHARED = { 'cache-control': 'private, no-store', 'cdn-cache-control': 'no-store' }

export function cookieName(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf('='))
}

/** The Cookie header that the browser will send after these Set-Cookie headers. */
export function nextCookieHeader(header: string | null, setCookies: readonly string[]): string {
  const changed = new Map(setCookies.map((each) => [cookieName(each), each.split(';', 1)[0] ?? '']))
  const pairs = (header ?? '').split(/; */).filter(Boolean)
  const kept = pairs.filter((pair) => !changed.has(pair.split('=', 1)[0] ?? ''))
  const added = [...changed.values()].filter((pair) => !pair.endsWith('='))
  return [...kept, ...added].join('; ')
}

export function withHeaders(
  response: Response,
  changes: Readonly<Record<string, string>>,
): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(changes)) headers.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** The Set-Cookie headers of these cookies, except those that the application sets itself. */
export function missingCookies(
  changes: readonly ResponseCookie[],
  present: readonly string[],
): string[] {
  const own = new Set(present.map(cookieName))
  return changes.filter(({ name }) => !own.has(name)).map(setCookieHeader)
}

/** A copy with these cookies, which then must not be shared; without any, the response itself. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  if (cookies.length === 0) return response
  const copy = withHeaders(response, NOT_SHARED)
  for (const cookie of cookies) copy.headers.append('set-cookie', cookie)
  return copy
}

/** The cookies of a request, and those that its response will set. */
export interface CookieExchange<Req> {
  /** The Cookie header that the browser will send after this response; `undefined`: the one that it has sent. */
  readonly header: (req: Req) => string | undefined
  /** Changes whenever a call has set cookies. */
  readonly state: (req: Req) => string | number
  /** @throws if the response has begun */
  readonly set: (req: Req, changes: readonly ResponseCookie[]) => void
  /** As `set`, for cookies that must not be lost. @throws also if no middleware will add them to the response */
  readonly store: (req: Req, changes: readonly ResponseCookie[]) => void
  /** Runs the handlers of a request for a middleware that adds the pending cookies to their response. */
  readonly collect: <T>(req: Req, handle: () => Promise<T>) => Promise<T>
  /** What has been set so far, for frameworks that only add cookies to a `Response`. */
  readonly pending: (req: Req) => readonly ResponseCookie[]
}

const NOT_COLLECTED =
  'No middleware adds cookies to the response: it has begun, or the middleware of the library has not run before this handler.'

interface Changes {
  calls: number
  /** Middleware that will add the cookies to a response. */
  collectors: number
  readonly cookies: Map<string, ResponseCookie>
}

export function cookieExchange<Req extends object>(
  adapter: RequestAdapter<Req>,
): CookieExchange<Req> {
  const requests = perRequest<Changes>()
  const changesOf = (req: Req): Changes => {
    const key = adapter.key(req)
    const known = requests.get(key) ?? { calls: 0, collectors: 0, cookies: new Map() }
    requests.set(key, known)
    return known
  }
  const set = (req: Req, changes: readonly ResponseCookie[]) => {
    const known = changesOf(req)
    known.calls += 1
    adapter.setCookies?.(req, changes)
    for (const cookie of changes) known.cookies.set(cookie.name, cookie)
  }
  const pending = (req: Req) => [...(requests.get(adapter.key(req))?.cookies.values() ?? [])]
  const header = (req: Req) => {
    if (adapter.cookies) return adapter.cookies(req)
    const changes = pending(req)
    if (changes.length === 0) return undefined
    const sent = minimalRequest(req, adapter).headers.get('cookie')
    return nextCookieHeader(sent, changes.map(setCookieHeader))
  }
  return {
    header,
    pending,
    state(req) {
      const calls = requests.get(adapter.key(req))?.calls ?? 0
      // Other cookies of the request do not change.
      return adapter.cookies ? `${calls} ${adapter.cookies(req)}` : calls
    },
    set,
    store(req, changes) {
      if (!adapter.setCookies && changesOf(req).collectors === 0) throw new TypeError(NOT_COLLECTED)
      set(req, changes)
    },
    async collect(req, handle) {
      const known = changesOf(req)
      known.collectors += 1
      try {
        return await handle()
      } finally {
        known.collectors -= 1
      }
    },
  }
}
