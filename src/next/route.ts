/** Around a handler of the application that answers a route: tells it who sent the request. */
import type { NextRequest } from 'next/server.js'
import { readSession } from '../get-session.ts'
import type { SessionReading } from '../get-session.ts'
import type { Session } from '../types.ts'
import { appRequest } from './app-request.ts'
import type { ConfigFor } from './config.ts'
import { notShared, unavailable, withAuth, withCookies } from './proxy.ts'
import type { SessionReader } from './session.ts'
import type { AuthHandler } from './types.ts'

/** A call of a route. */
export interface RouteCall {
  readonly request: NextRequest
  /** What Next passed along; the handler gets it as it is. */
  readonly context: unknown
  readonly handler: AuthHandler<unknown>
}

async function answer({ request, context, handler }: RouteCall, session: Session | null) {
  const response = await handler(withAuth(request, session), context)
  return response ?? new Response(null, { status: 204 })
}

/** Answers as a route handler: Next adds the cookies that have been set. */
export async function runRoute(read: SessionReader, call: RouteCall): Promise<Response> {
  const current = await appRequest('auth', call.request)
  const before = current.cookies()
  let session
  try {
    session = await read(current)
  } catch (error) {
    return unavailable(error)
  }
  const response = await answer(call, session)
  return current.cookies() === before ? response : notShared(response)
}

/** Answers as an API route on the edge. */
export async function runEdgeRoute(configFor: ConfigFor, call: RouteCall): Promise<Response> {
  const { headers, url } = call.request
  const config = await configFor(() => call.request)
  let reading: SessionReading
  try {
    reading = await readSession({ headers, url: new URL(url) }, config)
  } catch (error) {
    return unavailable(error)
  }
  return withCookies(await answer(call, reading.session), call.request, reading)
}
