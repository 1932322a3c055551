import type { AuthRequest } from '../contracts.ts'
import { InvalidRequest, MethodNotAllowed, UnknownAction } from '../errors/request.ts'
import type { Fields } from './body.ts'
import { readBody, refuseRepeated } from './body.ts'
import { parsePath } from './path.ts'

const MAX_QUERY_LENGTH = 8 * 1024
const NO_FIELDS: Fields = {}

/** How the caller wants to hear of a redirect, or of a failure. */
export function wanted(headers: Headers): AuthRequest['wants'] {
  if (headers.has('x-auth-return-redirect')) return 'url'
  if (headers.get('content-type')?.includes('application/json')) return 'json'
  const accept = headers.get('accept')
  return accept?.includes('application/json') && !accept.includes('text/html') ? 'json' : 'redirect'
}

function methodOf(request: Request): 'GET' | 'POST' {
  if (request.method === 'POST') return 'POST'
  if (request.method === 'GET' || request.method === 'HEAD') return 'GET'
  throw new MethodNotAllowed('No route has this method.', { allow: 'GET, POST' })
}

/**
 * Turns a request into a route and bounded, typed input.
 *
 * @throws UnknownAction when the path names no route
 * @throws MethodNotAllowed for methods no route has
 * @throws InvalidRequest when the query cannot be accepted; for the body see {@link readBody}
 */
export async function parse(
  request: Request,
  url: URL,
  { basePath, wants }: { readonly basePath: string; readonly wants: AuthRequest['wants'] },
): Promise<AuthRequest> {
  const route = parsePath(url.pathname, basePath)
  if (!route) throw new UnknownAction(`There is no such route below ${basePath || '/'}.`)
  const method = methodOf(request)
  if (url.search) {
    if (url.search.length > MAX_QUERY_LENGTH) throw new InvalidRequest('The query is too long.')
    refuseRepeated(url.searchParams)
  }
  return {
    method,
    isHead: request.method === 'HEAD',
    action: route.action,
    providerId: route.providerId,
    url,
    headers: request.headers,
    body: method === 'POST' ? await readBody(request) : NO_FIELDS,
    wants,
    original: request,
  }
}
