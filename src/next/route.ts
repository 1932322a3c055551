import type { NextRequest } from 'next/server.js'
import type { Session } from '../types.ts'
import { appRequest } from './app-request.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { notShared, readRequestSession, withAuth, withCookies, withSession } from './proxy.ts'
import type { SessionReader } from './session.ts'
import type { AuthHandler } from './types.ts'

export interface RouteCall {
  readonly request: NextRequest
  readonly context: unknown
  readonly handler: AuthHandler<unknown>
}

/** Sets the configured origin for redirects. Not in a proxy: Next would fetch a rewrite from that origin. */
function correctOrigin(request: NextRequest, { origin }: PreparedConfig): void {
  const { nextUrl } = request
  if (origin === undefined) return
  const { protocol, hostname, port, origin: configured } = new URL(origin)
  if (configured === nextUrl.origin) return
  // Set separately, because a `host` without a port keeps that of Next.
  Object.assign(nextUrl, { protocol, hostname, port })
  Object.defineProperty(request, 'url', { value: nextUrl.href, configurable: true })
}

async function callHandler(
  { request, context, handler }: RouteCall,
  session: Session | null,
  config: PreparedConfig,
): Promise<Response> {
  correctOrigin(request, config)
  const response = await handler(withAuth(request, session), context)
  return response ?? new Response(null, { status: 204 })
}

/** Next adds the cookies that were set. */
export async function runRoute(
  configFor: ConfigFor,
  read: SessionReader,
  call: RouteCall,
): Promise<Response> {
  const current = await appRequest('auth', call.request)
  const config = await configFor(() => call.request)
  const before = current.cookies()
  return withSession(call.request, config, {
    read: () => read(current),
    async use(session) {
      const response = await callHandler(call, session, config)
      return current.cookies() === before ? response : notShared(response)
    },
  })
}

export async function runEdgeRoute(configFor: ConfigFor, call: RouteCall): Promise<Response> {
  const config = await configFor(() => call.request)
  return withSession(call.request, config, {
    read: () => readRequestSession(call.request, config),
    use: async (reading) =>
      withCookies(await callHandler(call, reading.session, config), call.request, reading),
  })
}
