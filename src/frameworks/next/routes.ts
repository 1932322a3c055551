/** The built-in routes in the App Router. */
import type { NextRequest } from 'next/server.js'
import { Auth } from '../../core/auth.ts'
import { discardUnread } from '../shared/unread-body.ts'
import type { PreparedConfig } from './config.ts'
import { appBasePath } from './path.ts'

const CALLBACK_URL_COOKIE = 'lib.callback-url'

/** Whether a route redirects to a page of the application, and neither query nor cookie contains a `callbackUrl`. */
function lacksCallbackUrl(request: NextRequest, url: URL, config: PreparedConfig): boolean {
  const { basePath = '', providers = [], cookies } = config
  const route = url.pathname.slice(basePath.length + 1).replace(/\/$/, '')
  const isCredentials = providers.some(
    (each) =>
      typeof each !== 'function' && each.type === 'credentials' && route === `callback/${each.id}`,
  )
  if (!isCredentials && !/^sign(?:in|out)(?:\/[^/]*)?$/.test(route)) return false
  const name = cookies?.callbackUrl?.name ?? CALLBACK_URL_COOKIE
  const isKnown = request.cookies.getAll().some((cookie) => cookie.name.endsWith(name))
  return !isKnown && !url.searchParams.has('callbackUrl')
}

/** Restores the base path that Next removed, and uses it as the default `callbackUrl` instead of the root. */
function restoreBasePath(request: NextRequest, config: PreparedConfig): Request {
  const mount = appBasePath()
  if (!mount) return request
  const url = new URL(request.url)
  // If `nextUrl` has a base path, Next has not removed it from the URL.
  if (!request.nextUrl.basePath) url.pathname = mount + url.pathname
  if (lacksCallbackUrl(request, url, config)) url.searchParams.set('callbackUrl', mount)
  return url.href === request.url ? request : new Request(url, request)
}

export function runAuth(request: NextRequest, config: PreparedConfig): Promise<Response> {
  return discardUnread(restoreBasePath(request, config), (copy) => Auth(copy, config))
}
