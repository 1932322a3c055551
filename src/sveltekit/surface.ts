import type { RequestEvent } from '@sveltejs/kit'
import type { Surface } from '../wrapper/surface.ts'

/** The event of `handle`. Load functions receive copies, whose `url` records which parts they read. */
const events = new WeakMap<Request, RequestEvent>()
const changed = new WeakSet<Request>()
const headers = new WeakMap<Request, Headers>()

export function bindEvent(event: RequestEvent): void {
  events.set(event.request, event)
}

/** Whether the response of this request sets cookies of ours. */
export function hasSetCookies({ request }: RequestEvent): boolean {
  return changed.has(request)
}

/** Neither browsers nor proxies send this: SvelteKit renders the page while it builds, or calls an endpoint itself. */
export function isWithoutVisitor({ request }: RequestEvent): boolean {
  return !request.headers.has('host') && !request.headers.has('cookie')
}

/** Whether a script of SvelteKit sent the request. It follows redirects to pages. */
function isFromRouter({ request, isDataRequest, isRemoteRequest }: RequestEvent): boolean {
  return isDataRequest || isRemoteRequest || request.headers.has('x-sveltekit-action')
}

function readHeaders(event: RequestEvent): Headers {
  const copy = new Headers(event.request.headers)
  if (isFromRouter(event)) {
    copy.set('accept', 'text/html')
    copy.set('sec-fetch-dest', 'document')
  }
  return copy
}

export const surface: Surface<RequestEvent> = {
  key: ({ request }) => request,
  headers(event) {
    const known = headers.get(event.request) ?? readHeaders(event)
    headers.set(event.request, known)
    return known
  },
  // In a remote function, `event.url` is the page that the browser names in a header.
  url(event) {
    const { isRemoteRequest, request, url } = events.get(event.request) ?? event
    return isRemoteRequest ? new URL(request.url) : url
  },
  setCookies(event, changes) {
    const { cookies } = events.get(event.request) ?? event
    for (const { name, value, options } of changes)
      cookies.set(name, value, {
        path: '/',
        httpOnly: false,
        secure: false,
        sameSite: false,
        ...options,
      })
    changed.add(event.request)
  },
}
