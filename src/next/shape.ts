/** Tells values by their shape: with bundles and test environments, there may be several classes of one name. */
import type { NextRequest } from 'next/server.js'
import type { AuthHandler } from './types.ts'

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether this is a handler of the application. */
export function isHandler(value: unknown): value is AuthHandler<unknown> {
  return typeof value === 'function'
}

/** Whether this is a request as Next hands it over. */
export function isRequest(value: unknown): value is NextRequest {
  return isObject(value) && 'nextUrl' in value && 'method' in value && 'headers' in value
}

/** Whether this is a response. */
export function isResponse(value: unknown): value is Response {
  return isObject(value) && 'status' in value && 'headers' in value && 'body' in value
}

/** Who calls a handler. */
export type Caller = 'route' | 'edge route' | 'proxy' | 'nobody'

/** The file that runs, as what Next hands to a proxy and on the edge says. */
function sourcePageOf(value: unknown): string {
  if (!isObject(value) || !('sourcePage' in value)) return ''
  return typeof value.sourcePage === 'string' ? value.sourcePage : ''
}

/**
 * Next says which file runs where that may be the proxy, whatever else it passes along, or an application that calls
 * one handler from another. Otherwise it hands parameters to route handlers, and events to the proxy.
 */
export function callerOf(request: unknown, context: unknown): Caller {
  const page = sourcePageOf(request) || sourcePageOf(context)
  if (/^\/(?:src\/)?(?:proxy|middleware)$/.test(page)) return 'proxy'
  if (!isObject(context)) return /^\/api(?:\/|$)/.test(page) ? 'edge route' : 'nobody'
  if ('params' in context) return 'route'
  return /^\/api(?:\/|$)/.test(page) ? 'edge route' : 'proxy'
}

/** What is used of a request of the Pages Router. */
export interface PagesRequest {
  /** By name, in lower case. */
  readonly headers: object
  readonly url?: string
}

/** What is used of a response of the Pages Router. */
export interface PagesResponse {
  /** On the edge. */
  readonly headers?: Headers
  readonly headersSent?: boolean
  readonly getHeader: (name: string) => unknown
  readonly setHeader: (name: string, value: string | readonly string[]) => unknown
}

/** What is used of the context of `getServerSideProps`. */
export interface PagesContext {
  readonly req: unknown
  readonly res?: unknown
  readonly resolvedUrl?: string
}

/** Whether this is a request of the Pages Router: its headers are no `Headers`. */
export function isPagesRequest(value: unknown): value is PagesRequest {
  return (
    isObject(value) && 'headers' in value && isObject(value.headers) && !('get' in value.headers)
  )
}

/** Whether this is a response of the Pages Router. */
export function isPagesResponse(value: unknown): value is PagesResponse {
  return isObject(value) && 'setHeader' in value && 'getHeader' in value
}

/** Whether this is the context of `getServerSideProps`. */
export function isPagesContext(value: unknown): value is PagesContext {
  return isObject(value) && 'req' in value
}
