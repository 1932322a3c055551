import { Auth } from './auth.ts'
import { oncePerKey } from './async/cache.ts'
import { logError } from './log/logger.ts'
import { isFromOrigin } from './checks/source.ts'
import type { AuthConfig } from './config/types.ts'
import { MissingCSRF } from './errors/classes.ts'
import { findSite } from './get-session.ts'
import type { ReadRequest } from './http/read-headers.ts'
import { markServerCall } from './http/server-call.ts'
import type { ParameterSource } from './http/server-call.ts'
import { raw, skipCSRFCheck } from './symbols.ts'
import type { ResponseInternal } from './types.ts'

/** A call of a built-in route by code of the application. */
export interface RouteCall {
  readonly path: string
  readonly query?: URLSearchParams
  readonly body: URLSearchParams | string
  /** `redirected`: errors lead to the error page, except configuration errors. @default 'thrown' */
  readonly failures?: 'thrown' | 'redirected'
  /** @default 'application' */
  readonly parameters?: ParameterSource | undefined
  /** See `connect` of a server call. */
  readonly connect?: string
}

/** The request in which code of the application makes the call. */
export interface RouteCaller extends ReadRequest {
  /** With the current cookies. */
  readonly headers: Headers
  /** All headers, if `headers` is a selection. */
  readonly received?: (() => Headers) | undefined
  /** `framework`: it rejects calls by pages of other origins itself. */
  readonly csrf: 'framework' | 'checked'
}

/** `redirect`: the URL that the `redirect` callback returned; the origin of the site if the route does not redirect. */
export type RouteAnswer = ResponseInternal & { readonly redirect: string }

const checked = oncePerKey((config: AuthConfig) => ({ ...config, raw }) as const)
const unchecked = oncePerKey((config: AuthConfig) => ({ ...config, raw, skipCSRFCheck }) as const)

/** Headers that describe the body of the incoming request. */
const BODY_HEADERS = ['content-length', 'content-type', 'content-encoding', 'transfer-encoding']

const NO_ORIGIN =
  'The request does not show that a page of this site sent it: it has neither Sec-Fetch-Site: same-origin, nor the Origin of the site, nor a field csrfToken. Browsers send the headers with a form of method post, and not when a URL is opened: link to the route signin for that. A program must send the Origin header, or the token of the route csrf and its cookie.'

/** Calls a built-in route without a round trip. @throws MissingCSRF if a page of another origin sent the request */
export async function callRoute(
  request: RouteCaller,
  config: AuthConfig,
  { path, query, body, failures, parameters = 'application', connect }: RouteCall,
): Promise<RouteAnswer> {
  const { origin, basePath } = await findSite(request, config, 'same-origin')
  const isOwn = request.csrf === 'framework' || isFromOrigin(request.headers, origin)
  const hasToken = body instanceof URLSearchParams && body.has('csrfToken')
  if (!isOwn && !hasToken && !config.skipCSRFCheck)
    throw logError(new MissingCSRF(NO_ORIGIN), config)
  const url = new URL(`${basePath}/${path}?${query ?? ''}`, origin)
  const headers = new Headers(request.headers)
  for (const name of BODY_HEADERS) headers.delete(name)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  if (failures === 'redirected') headers.set('x-auth-return-redirect', '1')
  else headers.delete('x-auth-return-redirect')
  const { received } = request
  const call = markServerCall(new Request(url, { method: 'POST', headers, body }), {
    parameters,
    connect,
    received,
  })
  const answer = await Auth(call, (isOwn ? unchecked : checked)(config))
  return { redirect: origin, ...answer }
}
