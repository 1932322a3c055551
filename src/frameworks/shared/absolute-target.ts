import { asRecord } from '../../core/is-record.ts'
import type { RequestAdapter } from './request-adapter.ts'

/** Whether the request line contains an origin (RFC 9112 §3.2.2). @param message - the request of Node.js, if any */
function isAbsolute(message: unknown): boolean {
  const { url } = asRecord(message)
  return typeof url === 'string' && !url.startsWith('/')
}

type RequestParts<Req extends object> = Required<
  Pick<RequestAdapter<Req>, 'headers' | 'method' | 'url' | 'path'>
>

/**
 * Reads a `Request` that a server of Node.js may have made: it takes the host from an absolute target, and ignores the
 * Host header. The path of such a target is ambiguous, and the Host header decides.
 *
 * @param getMessage - the request of Node.js, if there is one
 */
export function requestParts<Req extends object>(
  getRequest: (req: Req) => Request,
  getMessage: (req: Req) => unknown,
): RequestParts<Req> {
  return {
    headers: (req) => getRequest(req).headers,
    method: (req) => getRequest(req).method,
    url(req) {
      const url = new URL(getRequest(req).url)
      if (!isAbsolute(getMessage(req))) return url
      return new URL(`http://localhost${url.pathname}${url.search}`)
    },
    path(req) {
      const { url } = getRequest(req)
      return isAbsolute(getMessage(req)) ? url : new URL(url).pathname
    },
  }
}
