import type { NextRequest } from 'next/server.js'

export interface RequestChanges {
  readonly nextUrl: NextRequest['nextUrl']
  readonly url: string
  readonly headers?: Headers
}

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
