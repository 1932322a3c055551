import type { NextRequest } from 'next/server.js'
import { lazily } from '../cache.ts'
import { createActionURL } from '../config/env.ts'
import type { ResponseCookie } from '../types.ts'

// Not next/server.js, which loads many other modules.
const load = lazily(() => import('next/dist/server/web/spec-extension/request.js'))

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

function visibleHeaders(read: (name: string) => string | null, cookie: string): Headers {
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

/** Kept, so that the configuration for a request is created only once. */
const requests = new WeakMap<object, NextRequest>()

/** Ignores X-Forwarded-Host: whether it is trusted is decided later. */
function addressOf(headers: Headers, path: string): URL {
  try {
    const direct = new Headers(headers)
    direct.delete('x-forwarded-host')
    const { origin } = createActionURL('session', undefined, direct, {}, {})
    return new URL(origin + (path.startsWith('/') ? path : '/'))
  } catch {
    // Reading the session reports the invalid host, unless the configuration sets the origin.
    return new URL('http://localhost/')
  }
}

export function rememberRequest(key: object, request: NextRequest): void {
  requests.set(key, request)
}

/** The parts of a request that depend on the router. */
interface RequestSource extends Pick<CurrentRequest, 'key' | 'cookies' | 'setCookies'> {
  readonly read: (name: string) => string | null
  readonly names: () => Iterable<string>
  /** @default '/' */
  readonly path?: string | undefined
}

export function currentRequest({
  read,
  names,
  path = '/',
  ...source
}: RequestSource): CurrentRequest {
  const { key, cookies } = source
  return {
    ...source,
    headers: visibleHeaders(read, cookies()),
    async nextRequest() {
      const { NextRequest } = await load()
      const headers = new Headers()
      for (const name of names()) headers.set(name, read(name) ?? '')
      headers.set('cookie', cookies())
      const request = requests.get(key) ?? new NextRequest(addressOf(headers, path), { headers })
      requests.set(key, request)
      return request
    },
  }
}
