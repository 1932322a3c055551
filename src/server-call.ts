/** Who chose the authorization parameters: a visitor cannot weaken configured ones. */
export type ParameterSource = 'code' | 'browser'

const calls = new WeakMap<Request, ParameterSource>()

/** Marks a request that application code built. The mark is object identity, so no incoming request can carry it. */
export function markServerCall(request: Request, parameters: ParameterSource): Request {
  calls.set(request, parameters)
  return request
}

export function isServerCall(request: Request): boolean {
  return calls.has(request)
}

export function hasParametersOfCode(request: Request): boolean {
  return calls.get(request) === 'code'
}
