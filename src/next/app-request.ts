import type { cookies } from 'next/headers.js'
import type { NextRequest } from 'next/server.js'
import { lazily } from '../cache.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { currentRequest, rememberRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'

type CookieStore = Awaited<ReturnType<typeof cookies>>

const load = lazily(() => import('next/headers.js'))

/** With `cacheComponents`, Next requires this before the time is read. It replaces the variable when it bundles. */
async function beforeReading(): Promise<void> {
  if (process.env['__NEXT_CACHE_COMPONENTS']) {
    const io: unknown = Reflect.get(await import('next/cache.js'), 'io')
    if (typeof io === 'function') await Reflect.apply(io, undefined, [])
  }
}

const OUTSIDE_REQUEST = {
  auth: 'auth() was called without arguments outside a server component, a server action or a route handler. In the Pages Router, call auth(request, response) in an API route and auth(context) in getServerSideProps; on the edge, wrap the API route: auth((request) => …).',
  signIn:
    'signIn() was called outside a server action or a route handler. In the browser, and with the Pages Router, call signIn() of lib-auth/react.',
  signOut:
    'signOut() was called outside a server action or a route handler. In the browser, and with the Pages Router, call signOut() of lib-auth/react.',
  update:
    'update() was called outside a server action or a route handler. In the browser, and with the Pages Router, call update() of useSession() of lib-auth/react.',
} as const

const MOCK_HINT =
  "In a test, a mock of next/headers affects the library only if the test runner transforms it (Vitest: server.deps.inline: ['lib-auth'])."

export type FunctionName = keyof typeof OUTSIDE_REQUEST

export interface AppRequest extends CurrentRequest {
  readonly referer: string | null
}

/** Replaces only the error for a missing request, because Next throws errors for control flow. */
async function contextFor(functionName: FunctionName) {
  const { cookies, headers } = await load()
  try {
    const context = await Promise.all([cookies(), headers()])
    await beforeReading()
    return context
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('outside a request scope'))) throw cause
    throw new InvalidConfiguration(`${OUTSIDE_REQUEST[functionName]} ${MOCK_HINT}`, { cause })
  }
}

/** The cookie store of a mock in a test may lack `getAll`. */
type CookieList = Pick<CookieStore, 'set'> & Partial<Pick<CookieStore, 'getAll'>>

function cookieHeader(store: CookieList, sent: string | null): string {
  const cookies = store.getAll?.()
  if (!cookies) return sent ?? ''
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/** @throws InvalidConfiguration outside a request */
export async function appRequest(
  functionName: FunctionName,
  request?: NextRequest,
): Promise<AppRequest> {
  const [store, list] = await contextFor(functionName)
  if (request) rememberRequest(list, request)
  const current = currentRequest({
    key: list,
    read: (name) => list.get(name),
    names: () => list.keys(),
    cookies: () => cookieHeader(store, list.get('cookie')),
    setCookies(changes) {
      for (const { name, value, options } of changes) {
        const { encode: _encode, ...attributes } = options
        store.set(name, value, attributes)
      }
    },
  })
  return { ...current, referer: list.get('referer') }
}
