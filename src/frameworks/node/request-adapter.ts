import type { HeaderReader, ReadRequest } from '../../core/http/read-headers.ts'
import { headerReader, PlainAddress } from '../../core/http/read-headers.ts'
import { hasOneSpelling } from '../../core/http/origin.ts'
import { perRequest } from '../shared/per-request.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { requireRequest } from '../shared/misuse.ts'
import { requestHeaders, requestProtocol, receivedPath, routedPath, requestUrl } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { setCookies } from './response.ts'

/** What is known of a request. One object, because Express makes it expensive to add fields to its requests. */
interface RequestState {
  response?: NodeResponse
  headers?: Headers
  reads?: ReadRequest
}

const states = perRequest<RequestState>()

function stateOf(req: NodeRequest): RequestState {
  const known = states.get(req)
  if (known) return known
  const state: RequestState = {}
  states.set(req, state)
  return state
}

/** Tells which response belongs to a request. Without it, no cookies are set. */
export function bindResponse<Req extends NodeRequest>(
  req: Req,
  res: NodeResponse | undefined,
): Req {
  requireRequest(req)
  if (res) stateOf(req).response = res
  return req
}

/** The same as `requestHeaders` and `requestUrl`, without an object of either. */
function readRequest(req: NodeRequest): ReadRequest {
  const reader = headerReader(req.headers)
  const host = reader.get('host') ?? ''
  if (hasOneSpelling(host)) {
    const url = new PlainAddress({
      protocol: requestProtocol(req),
      host,
      parse: () => requestUrl(req),
    })
    return { headers: reader, url }
  }
  const headers: HeaderReader = { get: (name) => (name === 'host' ? host : reader.get(name)) }
  return { headers, url: requestUrl(req) }
}

/** The adapter of a framework whose requests contain one of Node.js. */
export function nodeAdapterFor<Req extends object>(
  rawOf: (req: Req) => NodeRequest,
): RequestAdapter<Req> {
  return {
    key: (req) => stateOf(rawOf(req)),
    headers(req) {
      const raw = rawOf(req)
      return (stateOf(raw).headers ??= requestHeaders(raw))
    },
    reads(req) {
      const raw = rawOf(req)
      return (stateOf(raw).reads ??= readRequest(raw))
    },
    url: (req) => requestUrl(rawOf(req)),
    path: (req) => receivedPath(rawOf(req)),
    routed: (req) => routedPath(rawOf(req)),
    setCookies(req, changes) {
      const { response } = stateOf(rawOf(req))
      if (!response)
        throw new TypeError(
          'Cookies cannot be set without a response. Pass the request and the response.',
        )
      setCookies(response, changes)
    },
  }
}

export const nodeAdapter: RequestAdapter<NodeRequest> = nodeAdapterFor((req) => req)
