import type { RequestEvent } from '@sveltejs/kit'
import { perRequest } from '../shared/per-request.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'

/** What is known of a request. */
interface RequestState {
  /** The event of `handle`. Load functions receive copies, whose `url` records which parts they read. */
  event: RequestEvent
  headers?: Headers
  hasSetCookies?: true
}

const states = perRequest<RequestState>()

function requestState(event: RequestEvent): RequestState {
  const known = states.get(event.request)
  if (known) return known
  const state: RequestState = { event }
  states.set(event.request, state)
  return state
}

export function bindEvent(event: RequestEvent): void {
  requestState(event).event = event
}

/** Whether the response of this request sets cookies of ours. */
export function hasSetCookies(event: RequestEvent): boolean {
  return requestState(event).hasSetCookies === true
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
function requestUrl(event: RequestEvent): URL {
  const { isRemoteRequest, request, url } = requestState(event).event
  return isRemoteRequest ? new URL(request.url) : url
}

/** `paths.base` of the configuration: SvelteKit replaces the name in what it bundles. */
declare const __SVELTEKIT_PATHS_BASE__: string | undefined

/** A parameter in the id of a route: `[name]`, `[[optional]]`, `[...rest]`, `[name=matcher]`, or a character, `[x+2e]`. */
const PARAMETER = /\[\[?(?:\.\.\.)?(?:[xu]\+([\da-f]+(?:-[\da-f]+)*)|([^\]=]+))[^\]]*\]\]?/gi

/** The path of the route that was chosen: the hook `reroute` may have replaced that of the URL. */
function routedPath(event: RequestEvent): string {
  const { isRemoteRequest, params, route } = requestState(event).event
  if (isRemoteRequest || !route.id) return requestUrl(event).pathname
  const segments = route.id.split('/').filter((each) => !/^\(.*\)$/.test(each))
  const path = segments
    .map((segment) =>
      segment.replace(PARAMETER, (_match, code: string | undefined, name = '') => {
        if (code === undefined) return params[String(name)] ?? ''
        return String.fromCodePoint(...code.split('-').map((each) => parseInt(each, 16)))
      }),
    )
    .filter((segment) => segment !== '')
    .join('/')
  const base = typeof __SVELTEKIT_PATHS_BASE__ === 'string' ? __SVELTEKIT_PATHS_BASE__ : ''
  // Encoded again, because SvelteKit has decoded the parameters.
  return `${base}/${path.replace(/[%?#]/g, encodeURIComponent)}`
}

export const adapter: RequestAdapter<RequestEvent> = {
  key: requestState,
  headers: (event) => (requestState(event).headers ??= readHeaders(event)),
  reads: (event) => ({ headers: event.request.headers, url: requestUrl(event) }),
  method: ({ request }) => request.method,
  url: requestUrl,
  routed: routedPath,
  // The option `trailingSlash` of a page can make SvelteKit ignore it.
  ignored: () => 'trailing slash',
  isForAll: isWithoutVisitor,
  setCookies(event, changes) {
    const state = requestState(event)
    for (const { name, value, options } of changes)
      state.event.cookies.set(name, value, {
        path: '/',
        httpOnly: false,
        secure: false,
        sameSite: false,
        ...options,
      })
    state.hasSetCookies = true
  },
}
