import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { ResponseCookie, Session } from '../types.ts'
import type { ConfigFor } from './config.ts'
import type { CurrentRequest } from './current-request.ts'

/** Number of calls per request that may have changed the session. */
const calls = new WeakMap<object, number>()

/** Sets the cookies of a call, and makes later reads ignore the cached session. */
export function finishCall(current: CurrentRequest, changes: readonly ResponseCookie[]): void {
  calls.set(current.key, (calls.get(current.key) ?? 0) + 1)
  current.setCookies(changes)
}

function stateOf({ key, cookies }: CurrentRequest): string {
  return `${calls.get(key) ?? 0} ${cookies()}`
}

/** Returns `false` where cookies cannot be set, as while a page is rendered. */
function trySetCookies(current: CurrentRequest, changes: readonly ResponseCookie[]): boolean {
  try {
    if (changes.length > 0) current.setCookies(changes)
    return true
  } catch {
    // The next call or request that can set cookies extends the session.
    return false
  }
}

/** Whether Next prerenders a page, without the headers of a request. */
function isPrerendering({ headers }: CurrentRequest): boolean {
  return !headers.has('host') && !headers.get('cookie')
}

export type SessionReader = (current: CurrentRequest) => Promise<Session | null>

interface CachedReading {
  state: string
  readonly reading: Promise<SessionReading>
  /** Whether the cookies of the reading are in the response. */
  hasSetCookies: boolean
}

/** Reads the session once per request, and again after a change. */
export function sessionReader(configFor: ConfigFor): SessionReader {
  const cache = new WeakMap<object, CachedReading>()

  const read = async (current: CurrentRequest): Promise<SessionReading> =>
    readSession({ headers: current.headers }, await configFor(current.nextRequest))

  return async (current) => {
    if (isPrerendering(current)) return null
    const state = stateOf(current)
    const previous = cache.get(current.key)
    const cached =
      previous?.state === state ? previous : { state, reading: read(current), hasSetCookies: false }
    cache.set(current.key, cached)
    const { session, cookies } = await cached.reading
    // Cookies of an outdated reading must not undo a sign-out.
    if (!cached.hasSetCookies && stateOf(current) === cached.state) {
      cached.hasSetCookies = trySetCookies(current, cookies)
      cached.state = stateOf(current)
    }
    return session
  }
}
