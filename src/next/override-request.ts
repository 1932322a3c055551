import type { NextRequest } from 'next/server.js'

export interface RequestOverrides {
  readonly nextUrl: NextRequest['nextUrl']
  readonly url: string
  readonly headers?: Headers
}

/**
 * Returns a view of a request, whose clones are views as well. `new Request(view)` reads the private state behind symbols,
 * which is that of `state`.
 */
export function overrideRequest<T extends Request>(
  request: T,
  changes: RequestOverrides,
  state: Request = request,
): T {
  return new Proxy(request, {
    get(target, name) {
      if (name === 'clone') return () => overrideRequest(target.clone(), changes, state)
      if (typeof name === 'symbol') return Reflect.get(state, name)
      const value: unknown = Object.hasOwn(changes, name)
        ? Reflect.get(changes, name)
        : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
