import type { Session } from '../../core/types.ts'
import type { ConfigSource, ProtectOptions } from '../shared/types.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { redirectAfterPost } from '../shared/respond.ts'
import type { RedirectingFunctions } from '../shared/results.ts'
import { wrap } from '../shared/wrap.ts'
import type { Target } from '../shared/wrap.ts'
import { isResponse } from '../shared/is-response.ts'
import { pathOf, toRequest } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { send } from './response.ts'
import { bindResponse, nodeAdapter } from './request-adapter.ts'

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
  /** A function that reads the session of one request. */
  readonly authOf: (req: Req, res: NodeResponse) => () => Promise<Session | null>
  /** What the wrappers offer as it is. */
  readonly functions: RedirectingFunctions<[req: Req, res: NodeResponse], Session> & {
    readonly auth: (req: Req, res?: NodeResponse) => Promise<Session | null>
  }
}

/** Calls `next` unless the request is answered; for servers that ignore a rejected promise, as Express 4 does. */
export async function continueUnless(answers: () => Promise<boolean>, next: Next): Promise<void> {
  let isAnswered
  try {
    isAnswered = await answers()
  } catch (error) {
    next(error)
    return
  }
  // An error of the next handler does not call it again.
  if (!isAnswered) next()
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

export function nodeFunctions<Req extends NodeRequest>(
  source: ConfigSource<Req>,
  router: Pick<RequestAdapter<Req>, 'ignored'> = {},
): NodeFunctions<Req> {
  const lib = wrap<Req>(source, { ...nodeAdapter, ...router })
  const auth = (req: Req, res?: NodeResponse) => lib.auth(bindResponse(req, res))
  const redirect = (res: NodeResponse, target: Target) =>
    redirectAfterPost(target, (url, status) => {
      res.statusCode = status
      res.setHeader('location', url)
      res.end()
    })

  return {
    handle({ req, res, next }) {
      bindResponse(req, res)
      const answers = async () => {
        const isRoute = await lib.isRoute(req, pathOf(req), mountOf(req))
        if (isRoute) await send(await lib.answer(req, toRequest(req)), req, res)
        return isRoute
      }
      void continueUnless(answers, next)
    },
    async protect(req, res, options, decided) {
      bindResponse(req, res)
      const decide = async () => {
        const access = await lib.checkAccess(req, req.method ?? 'GET', options)
        // Read first: nothing can then be written between the decision and the response.
        const isHeld = decided !== undefined && isResponse(access)
        return { access, body: isHeld ? await bodyOf(access) : undefined }
      }
      const { access, body } = await decide().catch((error: unknown) => {
        decided?.()
        throw error
      })
      decided?.()
      if (!isResponse(access)) return access
      await send(access, req, res, body)
      return undefined
    },
    authOf: (req, res) => lib.exposed('auth', async () => auth(req, res)),
    functions: {
      auth: lib.exposed('auth', async (req, res) => auth(req, res)),
      signIn: async (req, res, ...args) =>
        redirect(res, await lib.signIn(bindResponse(req, res), ...args)),
      signOut: async (req, res, ...args) =>
        redirect(res, await lib.signOut(bindResponse(req, res), ...args)),
      update: async (req, res, data) => lib.update(bindResponse(req, res), data),
    },
  }
}
