import type { NextRequest } from 'next/server.js'
import { trustedRequest } from '../config/trusted-request.ts'
import { overrideRequest } from './decoded-path.ts'

const HOST_HEADERS = ['host', 'x-forwarded-host', 'forwarded']

/**
 * Uses the public origin. `X-Forwarded-Host`, which clients can forge, is visible only if the environment trusts it.
 */
export function withPublicOrigin(request: NextRequest): NextRequest {
  const { origin, headers } = trustedRequest(process.env, request)
  const isAsSent =
    request.nextUrl.origin === origin &&
    HOST_HEADERS.every((name) => request.headers.get(name) === headers.get(name))
  if (isAsSent) return request
  const { protocol, hostname, port } = new URL(origin)
  // Set separately, because a `host` without a port keeps that of Next.
  const nextUrl = Object.assign(request.nextUrl.clone(), { protocol, hostname, port })
  const { pathname, search } = new URL(request.url)
  const url = origin + pathname + search
  const state = new Request(url, { method: request.method, headers })
  return overrideRequest(request, { nextUrl, url, headers }, state)
}
