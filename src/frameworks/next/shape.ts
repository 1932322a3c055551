/** Type guards without `instanceof`: bundles and test environments can contain several copies of a class. */
import type { NextRequest } from 'next/server.js'
import type { AuthHandler } from './types.ts'

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export function isHandler(value: unknown): value is AuthHandler<unknown> {
  return typeof value === 'function'
}

export function isRequest(value: unknown): value is NextRequest {
  return isObject(value) && 'nextUrl' in value && 'method' in value && 'headers' in value
}

export type Caller = 'route' | 'edge route' | 'proxy' | 'unknown'

function sourcePage(value: unknown): string {
  if (!isObject(value) || !('sourcePage' in value)) return ''
  return typeof value.sourcePage === 'string' ? value.sourcePage : ''
}

/** The source file takes precedence: an application may call one handler from another, with any second argument. */
export function findCaller(request: unknown, context: unknown): Caller {
  const page = sourcePage(request) || sourcePage(context)
  if (/^\/(?:src\/)?(?:proxy|middleware)$/.test(page)) return 'proxy'
  if (!isObject(context)) return /^\/api(?:\/|$)/.test(page) ? 'edge route' : 'unknown'
  if ('params' in context) return 'route'
  return /^\/api(?:\/|$)/.test(page) ? 'edge route' : 'proxy'
}

export interface PagesResponse {
  readonly headers?: Headers
  readonly headersSent?: boolean
  readonly getHeader: (name: string) => unknown
  readonly setHeader: (name: string, value: string | readonly string[]) => unknown
}

interface PagesRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly url?: string
  readonly method?: string
}

/** The arguments of an API route, or the context of `getServerSideProps`. */
export interface PagesCall {
  readonly req: PagesRequest
  readonly res?: unknown
  /** In `getServerSideProps`. */
  readonly resolvedUrl?: string
}

export function isPagesRequest(value: unknown): value is PagesRequest {
  return (
    isObject(value) && 'headers' in value && isObject(value.headers) && !('get' in value.headers)
  )
}

export function isPagesResponse(value: unknown): value is PagesResponse {
  return isObject(value) && 'setHeader' in value && 'getHeader' in value
}

export function isPagesContext(value: unknown): value is PagesCall {
  return isObject(value) && 'req' in value && isPagesRequest(value.req)
}
