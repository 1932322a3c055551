/** Reads the session where Next has no request to hand: in server components, actions and route handlers. */
import { cookies, headers } from 'next/headers.js'
import type { NextRequest } from 'next/server.js'
import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { ResponseCookie, Session } from '../types.ts'
import type { ConfigFor } from './config.ts'

type CookieStore = Awaited<ReturnType<typeof cookies>>
type HeaderList = Awaited<ReturnType<typeof headers>>

/** The headers that say who asks and how; no other of the browser's reaches the library. */
const FORWARDED = [
  'host',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-for',
  'user-agent',
  'accept-language',
]

/** The cookies as they are now: with what this request has set itself. */
function cookieHeader(store: CookieStore): string {
  return store
    .getAll()
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
}

/** The current request, as far as the library may see it. */
export interface CurrentRequest {
  readonly store: CookieStore
  /** Stands for the request: Next makes one for each. */
  readonly list: HeaderList
  readonly forwarded: Headers
}

/** The current request. */
export async function currentRequest(): Promise<CurrentRequest> {
  const [store, list] = await Promise.all([cookies(), headers()])
  const forwarded = new Headers({ cookie: cookieHeader(store) })
  for (const name of FORWARDED) {
    const value = list.get(name)
    if (value !== null) forwarded.set(name, value)
  }
  return { store, list, forwarded }
}

function setCookies(store: CookieStore, changes: readonly ResponseCookie[]): void {
  for (const { name, value, options } of changes) {
    const { encode: _encode, ...attributes } = options
    store.set(name, value, attributes)
  }
}

/** What each request has called the library for, other than to read the session. */
const calls = new WeakMap<HeaderList, number>()

/** Hands the cookies of a call to Next, which sends them with its own; the session is read anew after it. */
export function finishCall(
  { store, list }: CurrentRequest,
  changes: readonly ResponseCookie[],
): void {
  calls.set(list, (calls.get(list) ?? 0) + 1)
  setCookies(store, changes)
}

/** What a session depends on, as far as this request can change it. */
function stateOf({ store, list }: CurrentRequest): string {
  return `${calls.get(list) ?? 0} ${cookieHeader(store)}`
}

/** Hands cookies to Next where that can be done; while a page is rendered it cannot. */
function trySetCookies(store: CookieStore, changes: readonly ResponseCookie[]): void {
  try {
    setCookies(store, changes)
  } catch {
    // The next request that can set cookies extends the session.
  }
}

/** Gives the session of the current request; a handler may have the request itself. */
export type SessionReader = (request?: NextRequest) => Promise<Session | null>

interface Memory {
  /** What the session was read from; changes when the request extends it itself. */
  state: string
  readonly reading: Promise<SessionReading>
}

/** Reads the session of the current request: once, however often it is asked for, until something changes. */
export function sessionReader(configFor: ConfigFor): SessionReader {
  const memories = new WeakMap<HeaderList, Memory>()
  return async (request) => {
    const current = await currentRequest()
    const { store, list, forwarded } = current
    const state = stateOf(current)
    const known = memories.get(list)
    if (known?.state === state) return (await known.reading).session
    const reading = Promise.resolve(configFor(request)).then((config) =>
      readSession({ headers: forwarded }, config),
    )
    const memory: Memory = { state, reading }
    memories.set(list, memory)
    const { session, cookies: changes } = await reading
    // Who has signed out in the meantime stays signed out.
    if (stateOf(current) === state) {
      trySetCookies(store, changes)
      memory.state = stateOf(current)
    }
    return session
  }
}
