import type { Awaitable, Session } from '../../core/types.ts'
import type { AuthorizationParams, ConfigSource, ProtectOptions } from '../shared/types.ts'
import type { Surface } from '../shared/request-adapter.ts'
import { wrap } from '../shared/wrap.ts'
import type { Target } from '../shared/wrap.ts'
import { isResponse } from '../shared/is-response.ts'
import { pathOf, toRequest } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { send } from './response.ts'
import { bindResponse, nodeSurface } from './request-adapter.ts'

/** Continues with the next handler, or with the error handling. */
export type Next = (error?: unknown) => void

/** What a function of a server receives. */
interface Call<Req> {
  readonly req: Req
  readonly res: NodeResponse
  readonly next: Next
}

/** The functions of a server with `(request, response, next)`. */
export interface NodeFunctions<Req extends NodeRequest> {
  readonly handle: (call: Call<Req>) => void
  /**
   * `undefined`: the request may not continue, and the response has been sent.
   *
   * @param decided - called before a response is sent
   * @throws errors of the application
   */
  readonly protect: (
    req: Req,
    res: NodeResponse,
    options?: ProtectOptions<Req>,
    decided?: () => void,
  ) => Promise<Session | null | undefined>
  readonly auth: (req: Req, res?: NodeResponse) => Promise<Session | null>
  /** A function that reads the session of one request. */
  readonly authOf: (req: Req, res: NodeResponse) => () => Promise<Session | null>
  readonly signIn: (
    req: Req,
    res: NodeResponse,
    provider?: string,
    options?: object,
    params?: AuthorizationParams,
  ) => Promise<string>
  readonly signOut: (req: Req, res: NodeResponse, options?: object) => Promise<string>
  readonly update: (req: Req, res: NodeResponse, data: unknown) => Promise<Session | null>
}

/** For frameworks that ignore a rejected promise, as Express 4 does. */
export async function forwardErrors(next: Next, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    next(error)
  }
}

interface Outcomes {
  readonly answer: () => Promise<void>
  readonly next: Next
}

async function settle(isRoute: PromiseLike<boolean> | true, { answer, next }: Outcomes) {
  let isAnswered = false
  try {
    isAnswered = await isRoute
    if (isAnswered) await answer()
  } catch (error) {
    next(error)
    return
  }
  // An error of the next handler does not call it again.
  if (!isAnswered) next()
}

/** Answers routes, and calls `next` for all other requests: at once unless the configuration is a function. */
export function answerRoute(decide: () => Awaitable<boolean>, outcomes: Outcomes): void {
  let isRoute
  try {
    isRoute = decide()
  } catch (error) {
    outcomes.next(error)
    return
  }
  if (isRoute === false) outcomes.next()
  else void settle(isRoute, outcomes)
}

/** Where Express mounted the handler: with `use`, with a method such as `all`, or both. */
function mountOf(req: NodeRequest): string {
  const { baseUrl: base = '' } = req
  const path: unknown = 'route' in req ? Object(req.route).path : undefined
  return typeof path === 'string' ? base + path : base
}

async function bodyOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer())
}

/** 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
function redirectAfterPost(res: NodeResponse, { url, redirects }: Target): string {
  if (redirects) {
    res.statusCode = 303
    res.setHeader('location', url)
    res.end()
  }
  return url
}

export function nodeFunctions<Req extends NodeRequest>(
  source: ConfigSource<Req>,
  router: Pick<Surface<NodeRequest>, 'ignored'> = {},
): NodeFunctions<Req> {
  const lib = wrap(source, { ...nodeSurface, ...router })
  const auth: NodeFunctions<Req>['auth'] = async (req, res) => {
    bindResponse(req, res)
    return lib.auth(req)
  }

  return {
    handle({ req, res, next }) {
      bindResponse(req, res)
      const answer = async () => send(await lib.answer(req, toRequest(req)), req, res)
      answerRoute(() => lib.isRoute(req, pathOf(req), mountOf(req)), { answer, next })
    },
    async protect(req, res, options, decided) {
      bindResponse(req, res)
      const decide = async () => {
        const admission = await lib.admit(req, req.method ?? 'GET', options)
        // Read first: nothing can then be written between the decision and the response.
        const isHeld = decided !== undefined && isResponse(admission)
        return { admission, body: isHeld ? await bodyOf(admission) : undefined }
      }
      const { admission, body } = await decide().catch((error: unknown) => {
        decided?.()
        throw error
      })
      decided?.()
      if (!isResponse(admission)) return admission
      await send(admission, req, res, body)
      return undefined
    },
    auth: lib.exposed('auth', auth),
    authOf: (req, res) => lib.exposed('auth', () => auth(req, res)),
    async signIn(req, res, ...args) {
      bindResponse(req, res)
      return redirectAfterPost(res, await lib.signIn(req, ...args))
    },
    async signOut(req, res, ...args) {
      bindResponse(req, res)
      return redirectAfterPost(res, await lib.signOut(req, ...args))
    },
    async update(req, res, data) {
      bindResponse(req, res)
      return lib.update(req, data)
    },
  }
}
