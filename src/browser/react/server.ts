import { shared } from '../client/page-state.ts'
import { createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import { parseURL } from '../../core/errors/url.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'

/** Parameters outside a browser: the current request, or its headers. */
export interface GetSessionParams {
  headers?: Headers | { cookie?: string | undefined }
  /** The request of `getServerSideProps` or an API route. */
  req?: { headers: NonNullable<GetSessionParams['headers']> }
  /** @deprecated ignored: reading does not notify other tabs */
  broadcast?: boolean
  /** @deprecated ignored */
  event?: string
  /** @deprecated ignored: reading does not notify other tabs */
  triggerEvent?: boolean
}

/** Environment variables with the URL of the site, by precedence; the first is for the internal network. */
const URL_VARIABLES = ['NEXTAUTH_URL_INTERNAL', 'AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL']

function siteURL(): URL {
  const { env } = globalThis.process ?? { env: {} }
  const name = URL_VARIABLES.find((each) => env[each])
  // Vercel sets only the host.
  const value = name ? env[name] : env['VERCEL_URL'] && `https://${env['VERCEL_URL']}`
  const url = parseURL(value ?? '')
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  const variable = name ?? 'AUTH_URL'
  throw new InvalidConfiguration(
    `Outside a browser, lib-auth/react requests the session from ${variable}, which is ${name ? 'not a URL' : 'not set'}. Set ${variable}=https://your.site, or call auth() of your configuration, which needs no request.`,
  )
}

function readCookie({ headers, req }: GetSessionParams): string | undefined {
  const all = headers ?? req?.headers ?? {}
  return all instanceof Headers ? (all.get('cookie') ?? undefined) : all.cookie
}

function withBasePath(path: string, mount: string): string {
  return path.startsWith(`${mount}/`) ? path : mount + path
}

/** Ignores the Host header of the request: an attacker who forges it would receive the cookies. */
export function serverRoutes(params: GetSessionParams = {}): Routes {
  const { origin, pathname } = siteURL()
  const mount = process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
  const cookie = readCookie(params)
  return createRoutes({
    baseUrl: origin,
    // A URL without a path below the application does not set the base path of the routes.
    basePath:
      pathname === '/' || pathname === mount ? withBasePath(shared.basePath, mount) : pathname,
    fetch: (input, init) => {
      const headers = cookie && { headers: { cookie } }
      return globalThis.fetch(input, { ...init, cache: 'no-store', ...headers })
    },
  })
}
