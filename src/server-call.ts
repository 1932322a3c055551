const calls = new WeakSet<Request>()

/** Marks a request that application code built. The mark is object identity, so no incoming request can carry it. */
export function markServerCall(request: Request): Request {
  calls.add(request)
  return request
}

export function isServerCall(request: Request): boolean {
  return calls.has(request)
}
