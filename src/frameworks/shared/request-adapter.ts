import type { ReadRequest } from '../../core/http/read-headers.ts'
import type { ResponseCookie } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import type { Ignored } from './spellings.ts'

/** How a framework gives access to a request. `Ask` is what it passes to its handlers. */
export interface Surface<Ask extends object> {
  /** Identity of the request: one object during its whole lifetime. */
  readonly key: (ask: Ask) => object
  /** As received. */
  readonly headers: (ask: Ask) => Headers
  /** All headers, if `headers` returns a selection; for the client address. */
  readonly received?: (ask: Ask) => Headers
  /** As the server sees it; if missing, only the headers are available. */
  readonly url?: (ask: Ask) => URL | undefined
  /** What a read of the session needs, if that takes less time than `headers` and `url`. */
  readonly reads?: (ask: Ask) => ReadRequest
  /** The path as received; parsing a URL resolves `..` and `\\`. @default that of the URL */
  readonly path?: (ask: Ask) => string
  /** The path that the router matches, if middleware or an option of the router may change it. @default `path` */
  readonly routed?: (ask: Ask) => string
  /** What the router ignores in a path: rules are also evaluated for the path without it. @default nothing */
  readonly ignored?: (ask: Ask) => Ignored | undefined
  /** The page that sent the request. @default the header `Referer` */
  readonly referer?: (ask: Ask) => string | null
  /** The Cookie header, including cookies set in the response. @default that of the request and of our own cookies */
  readonly cookies?: (ask: Ask) => string
  /** Throws once the response has begun. If missing, cookies can only be added to a `Response`. */
  readonly setCookies?: (ask: Ask, changes: readonly ResponseCookie[]) => void
  /** Whether a script sent the request, which cannot follow a redirect to a page. @default by its headers */
  readonly isDataRequest?: (ask: Ask) => boolean
  /** @default `process.env`, if it exists */
  readonly environment?: (ask: Ask) => Environment
}

/** What a read of the session needs. */
export function readerOf<Ask extends object>(surface: Surface<Ask>, ask: Ask): ReadRequest {
  if (surface.reads) return surface.reads(ask)
  const url = surface.url?.(ask)
  return { headers: surface.headers(ask), ...(url && { url }) }
}
