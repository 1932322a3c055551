import { chain } from '../awaitable.ts'
import type { AuthRequest } from '../contracts.ts'
import { InvalidRequest, MethodNotAllowed, UnknownAction } from '../errors/request.ts'
import { plainText } from '../log/redact.ts'
import type { Awaitable } from '../types.ts'
import type { Fields } from './body.ts'
import { readBody, refuseRepeated } from './body.ts'
import { parsePath } from './path.ts'

const MAX_QUERY_LENGTH = 8 * 1024
/** Characters of a path that the response repeats. */
const MAX_SHOWN_PATH = 128
const NO_FIELDS: Fields = {}

function methodOf(request: Request): 'GET' | 'POST' {
  if (request.method === 'POST') return 'POST'
  if (request.method === 'GET' || request.method === 'HEAD') return 'GET'
  throw new MethodNotAllowed('The method of the request is not GET, HEAD or POST.', {
    allow: 'GET, POST',
  })
}

/** The URL parser has percent-encoded control characters; `shown` is the message for the visitor. */
function unknownRoute(path: string, basePath: string): UnknownAction {
  const shown = `There is no route ${plainText(path, MAX_SHOWN_PATH)}. The base path of the routes is ${basePath || '/'}.`
  return new UnknownAction(`${shown} Check basePath and the folder of the route file.`, { shown })
}

/**
 * Parses a request into a route and bounded, typed input.
 * @throws UnknownAction if the path is not a route
 * @throws MethodNotAllowed for methods that no route accepts
 * @throws InvalidRequest if the query is not accepted; for the body see {@link readBody}
 */
export function parse(
  request: Request,
  url: URL,
  { basePath }: { readonly basePath: string },
): Awaitable<AuthRequest> {
  const route = parsePath(url.pathname, basePath)
  if (!route) throw unknownRoute(url.pathname, basePath)
  const method = methodOf(request)
  if (url.search) {
    if (url.search.length > MAX_QUERY_LENGTH)
      throw new InvalidRequest(`The query exceeds ${MAX_QUERY_LENGTH} characters.`)
    refuseRepeated(url.searchParams)
  }
  const isHead = request.method === 'HEAD'
  const { headers } = request
  const { action, providerId } = route
  return chain(method === 'POST' ? readBody(request) : NO_FIELDS, (body) => ({
    method,
    isHead,
    action,
    providerId,
    url,
    headers,
    body,
    original: request,
  }))
}
