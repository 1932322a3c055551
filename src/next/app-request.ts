import type { cookies } from 'next/headers.js'
import type { NextRequest } from 'next/server.js'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { lazily } from '../lazily.ts'
import { visibleHeaders } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { givenRequest, keepRequest } from './given-request.ts'

type CookieStore = Awaited<ReturnType<typeof cookies>>

const load = lazily(() => import('next/headers.js'))

/** With `cacheComponents`, Next requires this before the time is read. It replaces the variable when it bundles. */
async function beforeReading(): Promise<void> {
  if (process.env['__NEXT_CACHE_COMPONENTS']) {
    const io: unknown = Reflect.get(await import('next/cache.js'), 'io')
    if (typeof io === 'function') await Reflect.apply(io, undefined, [])
  }
}

const PLACES = {
  auth: 'auth() was called without arguments outside of a server component, a server action or a route handler. In an API route of the Pages Router call auth(request, response), in getServerSideProps auth(context), and write auth((request) => …) around an API route on the edge.',
  signIn:
    'signIn() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call signIn() of lib-auth/react.',
  signOut:
    'signOut() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call signOut() of lib-auth/react.',
  update:
    'update() was called outside of a server action or a route handler. In the browser, and with the Pages Router, call update() of useSession() of lib-auth/react.',
} as const

const IN_TESTS =
  "In a test, a mock of next/headers reaches the library only if the test runner transforms it (Vitest: server.deps.inline: ['lib-auth'])."

export type Asking = keyof typeof PLACES

export interface AppRequest extends CurrentRequest {
  readonly referer: string | null
}

/** Next throws errors for control flow; only the one for a missing request is replaced. */
async function contextFor(asking: Asking) {
  const { cookies, headers } = await load()
  try {
    const context = await Promise.all([cookies(), headers()])
    await beforeReading()
    return context
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('outside a request scope'))) throw cause
    throw new InvalidConfiguration(`${PLACES[asking]} ${IN_TESTS}`, { cause })
  }
}

/** The cookie store of a mock in a test may lack `getAll`. */
type CookieList = Pick<CookieStore, 'set'> & Partial<Pick<CookieStore, 'getAll'>>

function cookieHeader(store: CookieList, sent: string | null): string {
  const cookies = store.getAll?.()
  if (!cookies) return sent ?? ''
  return cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/** @throws InvalidConfiguration outside of a request */
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
