import type { ReadRequest } from '../../core/http/read-headers.ts'
import type { ResponseCookie } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import type { Ignored } from './spellings.ts'

/** How a framework gives access to a request. `Req` is what it passes to its handlers. */
export interface RequestAdapter<Req extends object> {
  /** Identity of the request: one object during its whole lifetime. */
  readonly key: (req: Req) => object
  /** As received. */
  readonly headers: (req: Req) => Headers
  /** `undefined` if the framework does not tell. */
  readonly method: (req: Req) => string | undefined
  /** All headers, if `headers` returns a selection; for the client address. */
  readonly received?: (req: Req) => Headers
  /** As the server sees it; if missing, only the headers are available. */
  readonly url?: (req: Req) => URL | undefined
  /** What a read of the session needs, without a `Headers` and a `URL`: they take 15 % of a route of Fastify. */
  readonly reads?: (req: Req) => ReadRequest
  /** The path as received; parsing a URL resolves `..` and `\\`. @default that of the URL */
  readonly path?: (req: Req) => string
  /** The path that the router matches, if middleware or an option of the router may change it. @default `path` */
  readonly routed?: (req: Req) => string
  /** What the router ignores in a path: rules are also evaluated for the path without it. @default nothing */
  readonly ignored?: (req: Req) => Ignored | undefined
  /** Whether the response is not for one visitor: a page that is prerendered, or cached for all. `auth` then returns `null`. */
  readonly isForAll?: (req: Req) => boolean
  /** The page that sent the request. @default the header `Referer` */
  readonly referer?: (req: Req) => string | null
  /** The Cookie header, including cookies set in the response. @default that of the request and of our own cookies */
  readonly cookies?: (req: Req) => string
  /** Throws once the response has begun. If missing, cookies can only be added to a `Response`. */
  readonly setCookies?: (req: Req, changes: readonly ResponseCookie[]) => void
  /** Whether a script sent the request, which cannot follow a redirect to a page. @default by its headers */
  readonly isDataRequest?: (req: Req) => boolean
  /** @default `process.env`, if it exists */
  readonly environment?: (req: Req) => Environment
}

/** The headers, the method and the URL of a request. */
export function completeRequest<Req extends object>(
  req: Req,
  adapter: RequestAdapter<Req>,
): { headers: Headers; method: string | undefined; url?: URL } {
  const url = adapter.url?.(req)
  return { headers: adapter.headers(req), method: adapter.method(req), ...(url && { url }) }
}

/** What a read of the session needs. */
export function minimalRequest<Req extends object>(
  req: Req,
  adapter: RequestAdapter<Req>,
): ReadRequest {
  return adapter.reads?.(req) ?? completeRequest(req, adapter)
}
