/** Reads the session of the current request. */
import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { ResponseCookie, Session } from '../types.ts'
import type { ConfigFor } from './config.ts'
import type { CurrentRequest } from './current-request.ts'

/** What each request has called the library for, other than to read the session. */
const calls = new WeakMap<object, number>()

/** Hands over the cookies of a call, which are sent with those of the page; the session is read anew after it. */
export function finishCall(current: CurrentRequest, changes: readonly ResponseCookie[]): void {
  calls.set(current.key, (calls.get(current.key) ?? 0) + 1)
  current.setCookies(changes)
}

/** What a session depends on, as far as this request can change it. */
function stateOf({ key, cookies }: CurrentRequest): string {
  return `${calls.get(key) ?? 0} ${cookies()}`
}

/** Hands over cookies where that can be done; while a page is rendered it cannot. */
function trySetCookies(current: CurrentRequest, changes: readonly ResponseCookie[]): boolean {
  try {
    if (changes.length > 0) current.setCookies(changes)
    return true
  } catch {
    // The next call or request that can set cookies extends the session.
    return false
  }
}

/** Whether nobody can have sent this: Next renders a page that is to be the same for all, and hides the request. */
function isForAll({ headers }: CurrentRequest): boolean {
  return !headers.has('host') && !headers.get('cookie')
}

/** Gives the session of a request. */
export type SessionReader = (current: CurrentRequest) => Promise<Session | null>

interface Memory {
  /** What the session was read from; changes when the request extends it itself. */
  state: string
  readonly reading: Promise<SessionReading>
  /** Whether the browser is told what the reading changed. */
  isTold: boolean
}

/** Reads the session of a request: once, however often it is asked for, until something changes. */
export function sessionReader(configFor: ConfigFor): SessionReader {
  const memories = new WeakMap<object, Memory>()

  const read = async (current: CurrentRequest): Promise<SessionReading> =>
    readSession({ headers: current.headers }, await configFor(current.nextRequest))

  return async (current) => {
    if (isForAll(current)) return null
    const state = stateOf(current)
    const known = memories.get(current.key)
    const memory = known?.state === state ? known : { state, reading: read(current), isTold: false }
    memories.set(current.key, memory)
    const { session, cookies } = await memory.reading
    // Who has signed out in the meantime stays signed out.
    if (!memory.isTold && stateOf(current) === memory.state) {
      memory.isTold = trySetCookies(current, cookies)
      memory.state = stateOf(current)
    }
    return session
  }
}
