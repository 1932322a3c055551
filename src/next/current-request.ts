/** A request whose session can be read, wherever Next keeps it. */
import type { NextRequest } from 'next/server.js'
import type { ResponseCookie } from '../types.ts'

/** What the library needs of a request, and can do for it. */
export interface CurrentRequest {
  /** Stands for the request: there is one for each. */
  readonly key: object
  /** The headers that the library may see, with the cookies as they are now. */
  readonly headers: Headers
  /** The cookies as they are now: with what has been set in answer to this request. */
  readonly cookies: () => string
  /** The request for a configuration that is made for each. */
  readonly nextRequest: () => Promise<NextRequest>
  /** Hands cookies to the browser; throws where that cannot be done. */
  readonly setCookies: (changes: readonly ResponseCookie[]) => void
}

const SCHEME = 'x-forwarded-proto'

/** The headers that describe the client, its connection and the page it was on; the library receives no others. */
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

/** What of the headers of a request the library may see. */
export function visibleHeaders(read: (name: string) => string | null, cookie: string): Headers {
  const headers = new Headers({ cookie })
  for (const name of VISIBLE) {
    const value = read(name)
    if (value !== null) headers.set(name, value)
  }
  const scheme = headers.get(SCHEME)
  // As Next reads it for the URL of a request, so that every place is on the same origin.
  if (scheme !== null) headers.set(SCHEME, /https/i.test(scheme) ? 'https' : 'http')
  return headers
}
