/** The routes for a program that is no page: it has no address of its own, and no cookies. */
import { createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import { parseURL } from '../errors/address.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { shared } from './state.ts'

/** Headers of a request, as Node or as the web has them. */
type RequestHeaders = Headers | { cookie?: string | undefined }

/** What functions need outside a browser: the request that is answered, or its headers. */
export interface GetSessionParams {
  headers?: RequestHeaders
  /** The request, as page props and API routes have it. */
  req?: { headers: RequestHeaders }
  /** @deprecated nothing that is merely read is told to other tabs */
  broadcast?: boolean
  /** @deprecated it is read in any case */
  event?: string
  /** @deprecated nothing that is merely read is told to other tabs */
  triggerEvent?: boolean
}

/** Variables that say where the site is, best first; the first one only inside of its network. */
const NAMES = ['NEXTAUTH_URL_INTERNAL', 'AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL']

function siteURL(): URL {
  const { env } = globalThis.process ?? { env: {} }
  const name = NAMES.find((each) => env[each])
  // A platform that says where it put the site names the host alone.
  const value = name ? env[name] : env['VERCEL_URL'] && `https://${env['VERCEL_URL']}`
  const url = parseURL(value ?? '')
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  const variable = name ?? 'AUTH_URL'
  throw new InvalidConfiguration(
    `Outside a browser, lib-auth/react requests the session from ${variable}, which is ${name ? 'not a URL' : 'not set'}. Set ${variable}=https://your.site, or call auth() of your configuration, which needs no request.`,
  )
}

function cookieOf({ headers, req }: GetSessionParams): string | undefined {
  const all = headers ?? req?.headers ?? {}
  return all instanceof Headers ? (all.get('cookie') ?? undefined) : all.cookie
}

/** A path below the one at which Next serves the application. */
function mounted(path: string, mount: string): string {
  return path.startsWith(`${mount}/`) ? path : mount + path
}

/** Says what to write in place of what a browser alone can do. */
export function refuse(name: string): never {
  throw new InvalidConfiguration(
    `${name}() of lib-auth/react was called outside a browser, where it cannot set cookies. Call it in an event handler in the browser. In a server action or route handler, call ${name}() of your configuration.`,
  )
}

/**
 * The routes, for whoever sent the request that is answered. Its Host header is not asked where they are: whoever
 * wrote that would be sent the cookie.
 *
 * @throws InvalidConfiguration when nothing says where the site is
 */
export function serverRoutes(params: GetSessionParams = {}): Routes {
  const { origin, pathname } = siteURL()
  const mount = process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
  const cookie = cookieOf(params)
  return createRoutes({
    baseUrl: origin,
    // A URL that names the application, and nothing below it, says nothing about the routes.
    basePath: pathname === '/' || pathname === mount ? mounted(shared.basePath, mount) : pathname,
    fetch: (input, init) =>
      globalThis.fetch(input, {
        ...init,
        cache: 'no-store',
        ...(cookie && { headers: { cookie } }),
      }),
  })
}
