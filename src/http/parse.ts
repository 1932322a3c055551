import type { AuthRequest } from '../contracts.ts'
import { InvalidRequest, MethodNotAllowed, UnknownAction } from '../errors/request.ts'
import { plainText } from '../log/redact.ts'
import { readBody, rejectRepeated } from './body.ts'
import type { Secrets } from '../log/secrets.ts'
import type { Route } from './path.ts'

const MAX_QUERY_LENGTH = 8 * 1024
/** Characters of a path that the response repeats. */
const MAX_SHOWN_PATH = 128

function methodOf(request: Request): 'GET' | 'POST' {
  if (request.method === 'POST') return 'POST'
  if (request.method === 'GET' || request.method === 'HEAD') return 'GET'
  throw new MethodNotAllowed('The method of the request is not GET, HEAD or POST.', {
    allow: 'GET, POST',
  })
}

/** The URL parser has percent-encoded control characters. */
function unknownRoute(path: string, basePath: string): UnknownAction {
  const publicMessage = `There is no route ${plainText(path, MAX_SHOWN_PATH)}. The base path of the routes is ${basePath || '/'}.`
  return new UnknownAction(`${publicMessage} Check basePath and the folder of the route file.`, {
    publicMessage,
  })
}

interface ParseContext {
  readonly url: URL
  readonly route: Route | null
  readonly config: { readonly basePath: string }
  readonly secrets: Secrets
}

/**
 * Parses a request into a route and bounded, typed input.
 * @throws UnknownAction if the path is not a route
 * @throws MethodNotAllowed for methods that no route accepts
 * @throws InvalidRequest if the query is not accepted; for the body see {@link readBody}
 */
export async function parse(
  request: Request,
  { url, route, config, secrets }: ParseContext,
): Promise<AuthRequest> {
  if (!route) throw unknownRoute(url.pathname, config.basePath)
  const method = methodOf(request)
  if (url.search) {
    if (url.search.length > MAX_QUERY_LENGTH)
      throw new InvalidRequest(`The query exceeds ${MAX_QUERY_LENGTH} characters.`)
    rejectRepeated(url.searchParams)
  }
  const body = method === 'POST' ? await readBody(request) : {}
  secrets.addKeysOf(body)
  const isHead = request.method === 'HEAD'
  return { method, isHead, ...route, url, headers: request.headers, body, original: request }
}
