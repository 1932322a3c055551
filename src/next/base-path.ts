/** The `basePath` of the Next configuration, which Next hides from route handlers. */
import type { NextRequest } from 'next/server.js'
import type { PreparedConfig } from './config.ts'

/** Empty for the root. Next replaces the environment variable when it bundles. */
export function appBasePath(): string {
  return process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
}

/** Adds the base path; absolute URLs and paths that contain it stay unchanged. */
export function withBasePath(path: string, mount: string): string {
  return !path.startsWith('/') || path.startsWith(`${mount}/`) ? path : mount + path
}

/** Next adds the locale before the base path (`/de/app/de/page`) and removes neither, so path rules would not match. */
export function recognizeBasePath(request: NextRequest): void {
  const mount = appBasePath()
  const { nextUrl } = request
  if (!mount || nextUrl.basePath || !`${nextUrl.pathname}/`.startsWith(`${mount}/`)) return
  nextUrl.href = nextUrl.origin + nextUrl.pathname + nextUrl.search
  Object.defineProperty(request, 'url', { value: nextUrl.href, configurable: true })
}

/** Suffix of the default name of the `callbackUrl` cookie. */
const CALLBACK_URL_COOKIE = 'lib.callback-url'

/** Whether a route ends with a redirect to a page of the application. */
function endsWithRedirect(
  { pathname }: URL,
  { basePath = '', providers = [] }: PreparedConfig,
): boolean {
  const route = pathname.slice(basePath.length + 1).replace(/\/$/, '')
  if (/^sign(?:in|out)(?:\/[^/]*)?$/.test(route)) return true
  return providers.some(
    (each) =>
      typeof each !== 'function' && each.type === 'credentials' && route === `callback/${each.id}`,
  )
}

/** Whether neither query nor cookie contains a `callbackUrl`; the body has not been read. */
function lacksCallbackUrl(request: NextRequest, url: URL, config: PreparedConfig): boolean {
  if (!endsWithRedirect(url, config) || url.searchParams.has('callbackUrl')) return false
  const name = config.cookies?.callbackUrl?.name ?? CALLBACK_URL_COOKIE
  return !request.cookies.getAll().some((cookie) => cookie.name.endsWith(name))
}

/** Restores the base path that Next removed, and uses it as the default `callbackUrl` instead of the root. */
export function restoreBasePath(request: NextRequest, config: PreparedConfig): Request {
  const mount = appBasePath()
  if (!mount) return request
  const url = new URL(request.url)
  // If `nextUrl` has a base path, Next has not removed it from the URL.
  if (!request.nextUrl.basePath) url.pathname = mount + url.pathname
  if (lacksCallbackUrl(request, url, config)) url.searchParams.set('callbackUrl', mount)
  return url.href === request.url ? request : new Request(url, request)
}
