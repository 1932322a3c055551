/** Where Next serves the application: the `basePath` of its configuration, which it hides from route handlers. */
import type { NextRequest } from 'next/server.js'

/** That path, which Next puts in place of this when it bundles; empty for the root. */
export function mountPath(): string {
  return process.env['__NEXT_ROUTER_BASEPATH'] ?? ''
}

/** A path of the application as the browser shows it. What is in full already stays as it is. */
export function mounted(path: string, mount: string): string {
  return !path.startsWith('/') || path.startsWith(`${mount}/`) ? path : mount + path
}

/** The request as the browser sent it. */
export function asSent(request: NextRequest): Request {
  const mount = mountPath()
  // With a base path of its own, the URL has not been cut.
  if (!mount || request.nextUrl.basePath) return request
  const { origin, pathname, search } = new URL(request.url)
  return new Request(origin + mount + pathname + search, request)
}
