import { chain } from '../../core/async/awaitable.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { readSession } from '../../core/get-session.ts'
import type { SessionReading } from '../../core/get-session.ts'
import type { Awaitable } from '../../core/types.ts'
import type { CookieExchange, CookieState } from './cookies.ts'
import { perRequest } from './per-request.ts'
import { readerOf } from './request-adapter.ts'
import type { Surface } from './request-adapter.ts'

/** Synchronous if the configuration, the session strategy and the callbacks are. */
export type SessionReader<Ask> = (ask: Ask) => Awaitable<SessionReading>

interface CachedReading {
  state: CookieState
  readonly reading: Awaitable<SessionReading>
  hasSetCookies: boolean
}

/** The headers of a request with the cookies that its response sets. */
export function currentHeaders<Ask extends object>(
  ask: Ask,
  surface: Surface<Ask>,
  cookies: CookieExchange<Ask>,
): Headers {
  const headers = new Headers(surface.headers(ask))
  const cookie = cookies.header(ask)
  if (cookie !== undefined) headers.set('cookie', cookie)
  return headers
}

/** Reads the session once per request, and again after a change. */
export function sessionReader<Ask extends object>(
  configFor: (ask: Ask) => Awaitable<AuthConfig>,
  surface: Surface<Ask>,
  cookies: CookieExchange<Ask>,
): SessionReader<Ask> {
  const cache = perRequest<CachedReading>()

  const read = (ask: Ask): Awaitable<SessionReading> => {
    const request = readerOf(surface, ask)
    const cookie = cookies.header(ask)
    // A copy takes as long as the rest of the wrapper.
    const isCurrent = cookie === undefined || cookie === (request.headers.get('cookie') ?? '')
    const current = isCurrent
      ? request
      : { ...request, headers: currentHeaders(ask, surface, cookies) }
    return chain(configFor(ask), (config) => readSession(current, config))
  }

  /** An error is cached as well, so that it is logged once. */
  const begin = (ask: Ask): Awaitable<SessionReading> => {
    try {
      return read(ask)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  const settle = (ask: Ask, cached: CachedReading, reading: SessionReading): SessionReading => {
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

  return (ask) => {
    const key = surface.key(ask)
    const state = cookies.state(ask)
    let cached = cache.get(key)
    if (cached?.state !== state) {
      cached = { state, reading: begin(ask), hasSetCookies: false }
      cache.set(key, cached)
    }
    const { reading } = cached
    return chain(reading, (settled) => settle(ask, cached, settled))
  }
}
