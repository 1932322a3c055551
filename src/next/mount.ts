/** Where Next serves the application: the `basePath` of its configuration, which it hides from route handlers. */
import type { NextRequest } from 'next/server.js'
import type { PreparedConfig } from './config.ts'

/** That path, which Next puts in place of this when it bundles; empty for the root. */
export function mountPath(): string {
  return process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
}

/** A path of the application as the browser shows it. What is in full already stays as it is. */
export function mounted(path: string, mount: string): string {
  return !path.startsWith('/') || path.startsWith(`${mount}/`) ? path : mount + path
}

/**
 * Corrects what Next hands to the proxy below a base path for a page in another language than the first: it puts the
 * language before the base path (`/de/app/de/page`), and then takes neither off. Rules on paths would not match.
 */
export function correctAddress(request: NextRequest): void {
  const mount = mountPath()
  const { nextUrl } = request
  if (!mount || nextUrl.basePath || !`${nextUrl.pathname}/`.startsWith(`${mount}/`)) return
  nextUrl.href = nextUrl.origin + nextUrl.pathname + nextUrl.search
  Object.defineProperty(request, 'url', { value: nextUrl.href, configurable: true })
}

/** What the cookie ends with that remembers where to go, unless it was given a name. */
const REMEMBERING = 'lib.callback-url'

/** Whether a request is for a route that leads on to a page of the application. */
function leadsOn({ pathname }: URL, { basePath = '', providers = [] }: PreparedConfig): boolean {
  const [route, id, ...more] = pathname
    .slice(basePath.length + 1)
    .replace(/\/$/, '')
    .split('/')
  if (more.length > 0) return false
  if (route !== 'callback') return route === 'signin' || route === 'signout'
  return providers.some(
    (each) => typeof each !== 'function' && each.type === 'credentials' && each.id === id,
  )
}

/** Whether neither a request nor an earlier one says where to go afterwards; its body is not known yet. */
function isUndirected(request: NextRequest, url: URL, config: PreparedConfig): boolean {
  if (!leadsOn(url, config) || url.searchParams.has('callbackUrl')) return false
  const name = config.cookies?.callbackUrl?.name ?? REMEMBERING
  return !request.cookies.getAll().some((cookie) => cookie.name.endsWith(name))
}

/** The request as the browser sent it; it ends at the application where it would end at the root of the site. */
export function asSent(request: NextRequest, config: PreparedConfig): Request {
  const mount = mountPath()
  if (!mount) return request
  const url = new URL(request.url)
  // With a base path of its own, the URL has not been cut.
  if (!request.nextUrl.basePath) url.pathname = mount + url.pathname
  if (isUndirected(request, url, config)) url.searchParams.set('callbackUrl', mount)
  return url.href === request.url ? request : new Request(url, request)
}
