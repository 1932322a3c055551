/** The request with other properties; everything else is read from the original. */
import type { NextRequest } from 'next/server.js'

/** What may differ from the original. */
export interface RequestChanges {
  readonly nextUrl: NextRequest['nextUrl']
  readonly url: string
  readonly headers?: Headers
}

/** A view of a request; the original is not changed. */
export function requestView(request: NextRequest, changes: RequestChanges): NextRequest {
  return new Proxy(request, {
    get(target, name) {
      const value: unknown = Object.hasOwn(changes, name)
        ? Reflect.get(changes, name)
        : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
