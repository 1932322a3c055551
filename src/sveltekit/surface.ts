import type { RequestEvent } from '@sveltejs/kit'
import { perRequest } from '../wrapper/per-request.ts'
import type { Surface } from '../wrapper/surface.ts'

/** What is known of a request. */
interface Visit {
  /** The event of `handle`. Load functions receive copies, whose `url` records which parts they read. */
  event: RequestEvent
  headers?: Headers
  hasSetCookies?: true
}

const visits = perRequest<Visit>()

function visitOf(event: RequestEvent): Visit {
  const known = visits.get(event.request)
  if (known) return known
  const visit: Visit = { event }
  visits.set(event.request, visit)
  return visit
}

export function bindEvent(event: RequestEvent): void {
  visitOf(event).event = event
}

/** Whether the response of this request sets cookies of ours. */
export function hasSetCookies(event: RequestEvent): boolean {
  return visitOf(event).hasSetCookies === true
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

/** In a remote function, `event.url` is the page that the browser names in a header. */
function urlOf(event: RequestEvent): URL {
  const { isRemoteRequest, request, url } = visitOf(event).event
  return isRemoteRequest ? new URL(request.url) : url
}

export const surface: Surface<RequestEvent> = {
  key: visitOf,
  headers: (event) => (visitOf(event).headers ??= readHeaders(event)),
  reads: (event) => ({ headers: event.request.headers, url: urlOf(event) }),
  url: urlOf,
  setCookies(event, changes) {
    const visit = visitOf(event)
    for (const { name, value, options } of changes)
      visit.event.cookies.set(name, value, {
        path: '/',
        httpOnly: false,
        secure: false,
        sameSite: false,
        ...options,
      })
    visit.hasSetCookies = true
  },
}
