import type { AuthConfig } from '../../core/config/types.ts'
import { readSession } from '../../core/get-session.ts'
import type { SessionReading } from '../../core/get-session.ts'
import type { Awaitable } from '../../core/types.ts'
import type { CookieExchange } from './cookies.ts'
import { perRequest } from './per-request.ts'
import { minimalRequest } from './request-adapter.ts'
import type { RequestAdapter } from './request-adapter.ts'

export type SessionReader<Req> = (req: Req) => Promise<SessionReading>

/** The headers of a request with the cookies that its response sets. */
export function currentHeaders<Req extends object>(
  req: Req,
  adapter: RequestAdapter<Req>,
  cookies: CookieExchange<Req>,
): Headers {
  const headers = new Headers(adapter.headers(req))
  const cookie = cookies.header(req)
  if (cookie !== undefined) headers.set('cookie', cookie)
  return headers
}

interface CachedReading {
  state: string | number
  /** An error is cached as well, so that it is logged once. */
  readonly reading: Promise<SessionReading>
  hasSetCookies: boolean
}

/** Reads the session once per request, and again after a change. */
export function sessionReader<Req extends object>(
  configFor: (req: Req) => Awaitable<AuthConfig>,
  adapter: RequestAdapter<Req>,
  cookies: CookieExchange<Req>,
): SessionReader<Req> {
  const cache = perRequest<CachedReading>()

  const read = async (req: Req): Promise<SessionReading> => {
    const request = minimalRequest(req, adapter)
    const cookie = cookies.header(req)
    // Copies the headers only if a cookie has changed: a copy takes as long as the rest of the wrapper.
    const isCurrent = cookie === undefined || cookie === (request.headers.get('cookie') ?? '')
    const headers = isCurrent ? request.headers : currentHeaders(req, adapter, cookies)
    return readSession({ ...request, headers }, await configFor(req))
  }

  return async (req) => {
    const key = adapter.key(req)
    const state = cookies.state(req)
    let cached = cache.get(key)
    if (cached?.state !== state) {
      cached = { state, reading: read(req), hasSetCookies: false }
      cache.set(key, cached)
    }
    const reading = await cached.reading
    // Cookies of an outdated reading must not undo a sign-out.
    if (cached.hasSetCookies || cookies.state(req) !== cached.state) return reading
    try {
      if (reading.cookies.length > 0) cookies.set(req, reading.cookies)
      cached.hasSetCookies = true
    } catch {
      // The response has begun. The next call or request that can set cookies extends the session.
    }
    cached.state = cookies.state(req)
    return reading
  }
}
