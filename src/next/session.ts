import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { ResponseCookie, Session } from '../types.ts'
import type { ConfigFor } from './config.ts'
import type { CurrentRequest } from './current-request.ts'

const calls = new WeakMap<object, number>()

/** Sets the cookies of a call, and makes later reads ignore the cached session. */
export function finishCall(current: CurrentRequest, changes: readonly ResponseCookie[]): void {
  calls.set(current.key, (calls.get(current.key) ?? 0) + 1)
  current.setCookies(changes)
}

function stateOf({ key, cookies }: CurrentRequest): string {
  return `${calls.get(key) ?? 0} ${cookies()}`
}

export type SessionReader = (current: CurrentRequest) => Promise<Session | null>

interface CachedReading {
  state: string
  readonly reading: Promise<SessionReading>
  hasSetCookies: boolean
}

/** Reads the session once per request, and again after a change. */
export function sessionReader(configFor: ConfigFor): SessionReader {
  const cache = new WeakMap<object, CachedReading>()

  const read = async (current: CurrentRequest): Promise<SessionReading> =>
    readSession({ headers: current.headers }, await configFor(current.nextRequest))

  return async (current) => {
    const { headers, key } = current
    // While Next prerenders a page, there are no headers of a request.
    if (!headers.has('host') && !headers.get('cookie')) return null
    const state = stateOf(current)
    const previous = cache.get(key)
    const cached =
      previous?.state === state ? previous : { state, reading: read(current), hasSetCookies: false }
    cache.set(key, cached)
    const { session, cookies } = await cached.reading
    // Cookies of an outdated reading must not undo a sign-out.
    if (cached.hasSetCookies || stateOf(current) !== cached.state) return session
    try {
      if (cookies.length > 0) current.setCookies(cookies)
      cached.hasSetCookies = true
    } catch {
      // While a page is rendered. The next call or request that can set cookies extends the session.
    }
    cached.state = stateOf(current)
    return session
  }
}
