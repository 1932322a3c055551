/** Who chose the authorization parameters: those of a browser cannot weaken configured ones. */
export type ParameterSource = 'application' | 'browser'

interface ServerCall {
  readonly parameters: ParameterSource
  /** Headers of the request in which code of the application made the call. */
  readonly received?: (() => Headers) | undefined
  /** The id of the connected account for which scopes are requested; undefined: a sign-in. */
  readonly connect?: string | undefined
}

const calls = new WeakMap<Request, ServerCall>()

/** Marks a request that application code built. The mark is object identity, so no incoming request can carry it. */
export function markServerCall(request: Request, call: ServerCall): Request {
  calls.set(request, call)
  return request
}

export function isServerCall(request: Request): boolean {
  return calls.has(request)
}

export function hasParametersOfApplication(request: Request): boolean {
  return calls.get(request)?.parameters === 'application'
}

export function connectedAccount(request: Request): string | undefined {
  return calls.get(request)?.connect
}

/** All headers that the server received, of which a request that application code built contains only some. */
export function receivedHeaders(request: Request): Headers {
  return calls.get(request)?.received?.() ?? request.headers
}
