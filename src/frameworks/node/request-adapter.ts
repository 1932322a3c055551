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

function requestState(req: NodeRequest): RequestState {
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
  if (res) requestState(req).response = res
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
export function adaptNodeRequest<Req extends object>(
  getRaw: (req: Req) => NodeRequest,
): RequestAdapter<Req> {
  return {
    key: (req) => requestState(getRaw(req)),
    headers(req) {
      const raw = getRaw(req)
      return (requestState(raw).headers ??= requestHeaders(raw))
    },
    reads(req) {
      const raw = getRaw(req)
      return (requestState(raw).reads ??= readRequest(raw))
    },
    method: (req) => getRaw(req).method,
    url: (req) => requestUrl(getRaw(req)),
    path: (req) => receivedPath(getRaw(req)),
    routed: (req) => routedPath(getRaw(req)),
    setCookies(req, changes) {
      const { response } = requestState(getRaw(req))
      if (!response)
        throw new TypeError(
          'Cookies cannot be set without a response. Pass the request and the response.',
        )
      setCookies(response, changes)
    },
  }
}

export const nodeAdapter: RequestAdapter<NodeRequest> = adaptNodeRequest((req) => req)
