import type { Surface } from '../wrapper/surface.ts'
import { headersOf, receivedPath, urlOf } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { setCookies } from './response.ts'

const headers = new WeakMap<NodeRequest, Headers>()
const responses = new WeakMap<NodeRequest, NodeResponse>()

/** Tells which response belongs to a request. Without it, no cookies are set. */
export function bindResponse(req: NodeRequest, res: NodeResponse | undefined): void {
  if (res) responses.set(req, res)
}

export const nodeSurface: Surface<NodeRequest> = {
  key: (req) => req,
  headers(req) {
    const known = headers.get(req) ?? headersOf(req)
    headers.set(req, known)
    return known
  },
  url: urlOf,
  path: receivedPath,
  setCookies(req, changes) {
    const res = responses.get(req)
    if (!res)
      throw new TypeError(
        'Cookies cannot be set without a response. Pass the request and the response.',
      )
    setCookies(res, changes)
  },
}
