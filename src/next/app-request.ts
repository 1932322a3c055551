/** The current request in the App Router: in server components, actions and route handlers Next says which it is. */
import type { cookies } from 'next/headers.js'
import type { NextRequest } from 'next/server.js'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { lazily } from '../lazily.ts'
import { visibleHeaders } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { givenRequest, keepRequest } from './given-request.ts'

type CookieStore = Awaited<ReturnType<typeof cookies>>

const load = lazily(() => import('next/headers.js'))

/**
 * Tells Next that a clock is read: what it renders ahead of a visit ends here, unless the page keeps it itself.
 * Only with `cacheComponents`, which Next says in place of the variable when it bundles, and only from 16 on.
 */
async function beforeReading(): Promise<void> {
  if (process.env['__NEXT_CACHE_COMPONENTS']) {
    const io: unknown = Reflect.get(await import('next/cache.js'), 'io')
    if (typeof io === 'function') await Reflect.apply(io, undefined, [])
  }
}

/** Where each of the functions is at home, and what to write elsewhere. */
const PLACES = {
  auth: 'auth() was called without arguments outside of a server component, a server action or a route handler. In an API route of the Pages Router call auth(request, response), in getServerSideProps auth(context), and write auth((request) => …) around an API route on the edge.',
  signIn:
    'signIn() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call signIn() of lib-auth/react.',
  signOut:
    'signOut() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call signOut() of lib-auth/react.',
  update:
    'update() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call update() of useSession() of lib-auth/react.',
} as const

/** A function that needs a request. */
export type Asking = keyof typeof PLACES

/** The current request, and where it came from. */
export interface AppRequest extends CurrentRequest {
  /** The page the call came from. */
  readonly referer: string | null
}

/** What Next keeps of the request; everything it throws is its business, but for this. */
async function contextFor(asking: Asking) {
  const { cookies, headers } = await load()
  try {
    const context = await Promise.all([cookies(), headers()])
    await beforeReading()
    return context
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('outside a request scope'))) throw cause
    throw new InvalidConfiguration(PLACES[asking], { cause })
  }
}

/** What is used of the cookie store; a mock in a test of an application may have no `getAll`. */
type CookieList = Pick<CookieStore, 'set'> & Partial<Pick<CookieStore, 'getAll'>>

/** The cookies as they are now: with those that this request has set itself. */
function cookieHeader(store: CookieList, sent: string | null): string {
  const cookies = store.getAll?.()
  if (!cookies) return sent ?? ''
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/**
 * The current request. Route handlers have it from Next.
 *
 * @throws InvalidConfiguration when there is none
 */
export async function appRequest(asking: Asking, request?: NextRequest): Promise<AppRequest> {
  const [store, list] = await contextFor(asking)
  const read = (name: string) => list.get(name)
  const cookies = () => cookieHeader(store, list.get('cookie'))
  const headers = visibleHeaders(read, cookies())
  if (request) keepRequest(list, request)
  return {
    key: list,
    headers,
    referer: list.get('referer'),
    cookies,
    nextRequest() {
      const all = new Headers([...list.entries()])
      all.set('cookie', cookies())
      return givenRequest(list, all)
    },
    setCookies(changes) {
      for (const { name, value, options } of changes) {
        const { encode: _encode, ...attributes } = options
        store.set(name, value, attributes)
      }
    },
  }
}
