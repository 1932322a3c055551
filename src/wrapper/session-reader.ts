import type { AuthConfig } from '../config/types.ts'
import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { Awaitable } from '../types.ts'
import type { CookieExchange, CookieState } from './cookies.ts'
import { perRequest } from './per-request.ts'
import { readerOf } from './surface.ts'
import type { Surface } from './surface.ts'

export type SessionReader<Ask> = (ask: Ask) => Promise<SessionReading>

interface CachedReading {
  state: CookieState
  readonly reading: Promise<SessionReading>
  hasSetCookies: boolean
}

/** The headers of a request with the cookies that its response sets. */
export function currentHeaders<Ask extends object>(
  ask: Ask,
  surface: Surface<Ask>,
  cookies: CookieExchange<Ask>,
): Headers {
  const headers = new Headers(surface.headers(ask))
  headers.set('cookie', cookies.header(ask))
  return headers
}

/** Reads the session once per request, and again after a change. */
export function sessionReader<Ask extends object>(
  configFor: (ask: Ask) => Awaitable<AuthConfig>,
  surface: Surface<Ask>,
  cookies: CookieExchange<Ask>,
): SessionReader<Ask> {
  const cache = perRequest<CachedReading>()

  const read = async (ask: Ask): Promise<SessionReading> => {
    const request = readerOf(surface, ask)
    // A copy takes as long as the rest of the wrapper.
    const isCurrent = cookies.header(ask) === (request.headers.get('cookie') ?? '')
    const headers = isCurrent ? request.headers : currentHeaders(ask, surface, cookies)
    return readSession({ ...request, headers }, await configFor(ask))
  }

  return async (ask) => {
    const key = surface.key(ask)
    const state = cookies.state(ask)
    const previous = cache.get(key)
    const cached =
      previous?.state === state ? previous : { state, reading: read(ask), hasSetCookies: false }
    cache.set(key, cached)
    const reading = await cached.reading
    // Cookies of an outdated reading must not undo a sign-out.
    if (cached.hasSetCookies || cookies.state(ask) !== cached.state) return reading
    try {
      if (reading.cookies.length > 0) cookies.set(ask, reading.cookies)
      cached.hasSetCookies = true
    } catch {
      // The response has begun. The next call or request that can set cookies extends the session.
    }
    cached.state = cookies.state(ask)
    return reading
  }
}
