import type { cookies } from 'next/headers.js'
import type { NextRequest } from 'next/server.js'
import { lazily } from '../../core/async/cache.ts'
import { createActionURL } from '../../core/config/env.ts'
import type { ResponseCookie } from '../../core/types.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import type { FunctionName } from './misuse.ts'

// Not next/server.js, which loads many other modules.
const loadRequest = lazily(() => import('next/dist/server/web/spec-extension/request.js'))

/** The current request, independent of the router. */
export interface CurrentRequest {
  readonly key: object
  readonly headers: Headers
  /** In the App Router, Next tells it only to route handlers. */
  readonly method: string | undefined
  /** Including those that {@link headers} leaves out. */
  readonly received: () => Headers
  readonly referer: string | null
  /** The Cookie header, including cookies set in the response. */
  readonly cookies: () => string
  /** The argument of a configuration function. */
  readonly nextRequest: () => Promise<NextRequest>
  /** Throws where cookies cannot be set. */
  readonly setCookies: (changes: readonly ResponseCookie[]) => void
}

export const currentAdapter: RequestAdapter<CurrentRequest> = {
  key: ({ key }) => key,
  headers: ({ headers }) => headers,
  method: ({ method }) => method,
  received: ({ received }) => received(),
  referer: ({ referer }) => referer,
  cookies: ({ cookies }) => cookies(),
  setCookies: ({ setCookies }, changes) => setCookies(changes),
}

/** While Next prerenders a page, there are no headers of a request. */
export function isPrerendered({ headers }: CurrentRequest): boolean {
  return !headers.has('host') && !headers.get('cookie')
}

/** The only headers that the library receives, except for the client address. */
const VISIBLE = [
  'host',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-for',
  'user-agent',
  'accept-language',
  'origin',
  'sec-fetch-site',
  // Of prefetches, whose responses must not spend a refresh token.
  'sec-purpose',
  'purpose',
  'next-router-prefetch',
]

interface HeaderList {
  get(name: string): string | null
  keys(): Iterable<string>
}

function visibleHeaders(list: HeaderList, cookie: string): Headers {
  const headers = new Headers({ cookie })
  for (const name of VISIBLE) {
    const value = list.get(name)
    // Parsed as Next does for the URL of the request, so that the origin is the same everywhere.
    const scheme = /https/i.test(value ?? '') ? 'https' : 'http'
    if (value !== null) headers.set(name, name === 'x-forwarded-proto' ? scheme : value)
  }
  return headers
}

function allHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (const name of list.keys()) headers.set(name, list.get(name) ?? '')
  return headers
}

/** Kept, so that the configuration for a request is created only once. */
const requests = new WeakMap<object, NextRequest>()

/** Ignores X-Forwarded-Host: whether it is trusted is decided later. */
function guessUrl(headers: Headers, path: string): URL {
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

interface RequestSource extends Pick<CurrentRequest, 'key' | 'cookies' | 'setCookies'> {
  readonly list: HeaderList
  readonly method?: string | undefined
  readonly path?: string | undefined
}

export function currentRequest({ list, path = '/', ...source }: RequestSource): CurrentRequest {
  const { key, cookies } = source
  return {
    ...source,
    headers: visibleHeaders(list, cookies()),
    method: source.method ?? requests.get(key)?.method,
    received: () => allHeaders(list),
    referer: list.get('referer'),
    async nextRequest() {
      const { NextRequest } = await loadRequest()
      const headers = allHeaders(list)
      headers.set('cookie', cookies())
      const request = requests.get(key) ?? new NextRequest(guessUrl(headers, path), { headers })
      requests.set(key, request)
      return request
    },
  }
}

const loadHeaders = lazily(() => import('next/headers.js'))

/** Replaces only the error for a missing request, because Next throws errors for control flow. */
async function loadContext(functionName: FunctionName) {
  const { cookies, headers } = await loadHeaders()
  try {
    const context = await Promise.all([cookies(), headers()])
    // With `cacheComponents`, Next requires this before the time is read. It replaces the variable when it bundles.
    if (process.env['__NEXT_CACHE_COMPONENTS']) {
      const cache: { io?: () => Promise<void> } = await import('next/cache.js')
      await cache.io?.()
    }
    return context
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('outside a request scope'))) throw cause
    throw (await import('./misuse.ts')).outsideRequest(functionName, cause)
  }
}

type CookieStore = Awaited<ReturnType<typeof cookies>>

/** The cookie store of a mock in a test may lack `getAll`. */
function cookieHeader(store: Partial<Pick<CookieStore, 'getAll'>>, sent: string | null): string {
  const cookies = store.getAll?.()
  if (!cookies) return sent ?? ''
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

export async function appRequest(
  functionName: FunctionName,
  request?: NextRequest,
): Promise<CurrentRequest> {
  const [store, list] = await loadContext(functionName)
  if (request) requests.set(list, request)
  return currentRequest({
    key: list,
    list,
    cookies: () => cookieHeader(store, list.get('cookie')),
    setCookies(changes) {
      for (const { name, value, options } of changes) {
        const { encode: _encode, ...attributes } = options
        store.set(name, value, attributes)
      }
    },
  })
}
