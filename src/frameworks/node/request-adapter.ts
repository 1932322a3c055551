import type { HeaderReader, ReadRequest } from '../../core/http/read-headers.ts'
import { headerReader, PlainAddress } from '../../core/http/read-headers.ts'
import { hasOneSpelling } from '../../core/http/origin.ts'
import { perRequest } from '../shared/per-request.ts'
import type { Surface } from '../shared/request-adapter.ts'
import { requireRequest } from '../shared/misuse.ts'
import { headersOf, protocolOf, receivedPath, routedPath, urlOf } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { setCookies } from './response.ts'

/** What is known of a request. One object, because Express makes it expensive to add fields to its requests. */
interface Visit {
  response?: NodeResponse
  headers?: Headers
  reads?: ReadRequest
}

const visits = perRequest<Visit>()

function visitOf(req: NodeRequest): Visit {
  const known = visits.get(req)
  if (known) return known
  const visit: Visit = {}
  visits.set(req, visit)
  return visit
}

/** Tells which response belongs to a request. Without it, no cookies are set. */
export function bindResponse(req: NodeRequest, res: NodeResponse | undefined): void {
  requireRequest(req)
  if (res) visitOf(req).response = res
}

/** The same as `headersOf` and `urlOf`, without an object of either. */
function readsOf(req: NodeRequest): ReadRequest {
  const reader = headerReader(req.headers)
  const host = reader.get('host') ?? ''
  if (hasOneSpelling(host)) {
    const url = new PlainAddress({ protocol: protocolOf(req), host, parse: () => urlOf(req) })
    return { headers: reader, url }
  }
  const headers: HeaderReader = { get: (name) => (name === 'host' ? host : reader.get(name)) }
  return { headers, url: urlOf(req) }
}

type NodeSurface = Surface<NodeRequest> &
  Required<Pick<Surface<NodeRequest>, 'reads' | 'setCookies'>>

export const nodeSurface: NodeSurface = {
  key: visitOf,
  headers: (req) => (visitOf(req).headers ??= headersOf(req)),
  reads: (req) => (visitOf(req).reads ??= readsOf(req)),
  url: urlOf,
  path: receivedPath,
  routed: routedPath,
  setCookies(req, changes) {
    const { response } = visitOf(req)
    if (!response)
      throw new TypeError(
        'Cookies cannot be set without a response. Pass the request and the response.',
      )
    setCookies(response, changes)
  },
}
