import type { NextRequest } from 'next/server.js'
import type { ResponseCookie } from '../types.ts'

/** The current request, independent of the router. */
export interface CurrentRequest {
  /** Identifies the request in caches. */
  readonly key: object
  readonly headers: Headers
  /** The Cookie header, including cookies set in the response. */
  readonly cookies: () => string
  /** The argument of a configuration function. */
  readonly nextRequest: () => Promise<NextRequest>
  /** Throws where cookies cannot be set. */
  readonly setCookies: (changes: readonly ResponseCookie[]) => void
}

const SCHEME = 'x-forwarded-proto'

/** The only headers that the library receives. */
const VISIBLE = [
  'host',
  'x-forwarded-host',
  SCHEME,
  'x-forwarded-for',
  'user-agent',
  'accept-language',
  'origin',
  'sec-fetch-site',
]

export function visibleHeaders(read: (name: string) => string | null, cookie: string): Headers {
  const headers = new Headers({ cookie })
  for (const name of VISIBLE) {
    const value = read(name)
    if (value !== null) headers.set(name, value)
  }
  const scheme = headers.get(SCHEME)
  // Parsed as Next does for the URL of the request, so that the origin is the same everywhere.
  if (scheme !== null) headers.set(SCHEME, /https/i.test(scheme) ? 'https' : 'http')
  return headers
}
