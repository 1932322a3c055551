/** The request that a lazy configuration receives. */
import type { NextRequest } from 'next/server.js'
import { trustedRequest } from '../config/trusted-request.ts'
import { requestView } from './request-view.ts'

const HOST_HEADERS = ['host', 'x-forwarded-host', 'forwarded']

/**
 * The request on its public origin, as far as the environment alone can say which one that is. A client can send any
 * `X-Forwarded-Host`: it is visible only where the environment trusts it.
 */
export function publicRequest(request: NextRequest): NextRequest {
  const { origin, headers } = trustedRequest(process.env, request)
  const isAsSent =
    request.nextUrl.origin === origin &&
    HOST_HEADERS.every((name) => request.headers.get(name) === headers.get(name))
  if (isAsSent) return request
  const { protocol, hostname, port } = new URL(origin)
  // The port by itself: a host without one would keep that of Next.
  const nextUrl = Object.assign(request.nextUrl.clone(), { protocol, hostname, port })
  const { pathname, search } = new URL(request.url)
  return requestView(request, { nextUrl, url: origin + pathname + search, headers })
}
