/** Distinguishes calls by code of the application from requests of a browser. */

const calls = new WeakSet<Request>()

/**
 * Marks a request that code of the application has built (a server-side `signIn`). The mark is the identity of the
 * object, so nothing in a request that arrives from a browser can set it.
 */
export function markServerCall(request: Request): Request {
  calls.add(request)
  return request
}

/** Whether code of the application has built this request. */
export function isServerCall(request: Request): boolean {
  return calls.has(request)
}
