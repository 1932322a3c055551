import { asRecord } from '../../core/is-record.ts'
import type { Session } from '../../core/types.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { redirectAfterPost } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type { ConfigSource, ProtectOptions, RedirectingFunctions } from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'
import { requestPath, toRequest } from './bridge.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { bindResponse, nodeAdapter } from './request-adapter.ts'
import { send } from './response.ts'

/** Continues with the next handler, or with the error handling. */
export type Next = (error?: unknown) => void

/** The functions of a server with `(request, response, next)`. */
export interface NodeFunctions<Req extends NodeRequest> extends RedirectingFunctions<
  [req: Req, res: NodeResponse],
  Session,
  string
> {
  readonly handler: (req: Req, res: NodeResponse, next: Next) => void
  readonly auth: (req: Req, res?: NodeResponse) => Promise<Session | null>
  /** A function that reads the session of one request. */
  readonly bindAuth: (req: Req, res: NodeResponse) => () => Promise<Session | null>
  /** The session, or the response to send instead. */
  readonly checkAccess: (
    req: Req,
    res: NodeResponse,
    options?: ProtectOptions<Req>,
  ) => Promise<Session | null | Response>
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
function mountPath(req: NodeRequest): string {
  const { baseUrl = '' } = req
  const { path } = asRecord('route' in req ? req.route : undefined)
  return typeof path === 'string' ? baseUrl + path : baseUrl
}

function redirect(res: NodeResponse, target: Target): string {
  return redirectAfterPost(target, (url, status) => {
    res.statusCode = status
    res.setHeader('location', url)
    res.end()
  })
}

export function nodeFunctions<Req extends NodeRequest>(
  source: ConfigSource<Req>,
  router: Pick<RequestAdapter<Req>, 'ignored'> = {},
): NodeFunctions<Req> {
  const lib = wrap<Req>(source, { ...nodeAdapter, ...router })
  const auth = async (req: Req, res?: NodeResponse) => lib.auth(bindResponse(req, res))
  return {
    handler(req, res, next) {
      bindResponse(req, res)
      const answers = async () => {
        const isRoute = await lib.isRoute(req, requestPath(req), mountPath(req))
        if (isRoute) await send(await lib.answer(req, toRequest(req)), req, res)
        return isRoute
      }
      void continueUnless(answers, next)
    },
    checkAccess: async (req, res, options) =>
      lib.checkAccess(bindResponse(req, res), req.method ?? 'GET', options),
    auth: lib.exposed('auth', auth),
    bindAuth: (req, res) => lib.exposed('auth', () => auth(req, res)),
    signIn: async (req, res, ...args) =>
      redirect(res, await lib.signIn(bindResponse(req, res), ...args)),
    signOut: async (req, res, ...args) =>
      redirect(res, await lib.signOut(bindResponse(req, res), ...args)),
    requestScopes: async (req, res, ...args) =>
      redirect(res, await lib.requestScopes(bindResponse(req, res), ...args)),
    update: async (req, res, data) => lib.update(bindResponse(req, res), data),
    getAccessToken: async (req, res, ...args) =>
      lib.getAccessToken(bindResponse(req, res), ...args),
    requireAuth: async (req, res, options) => lib.requireAuth(bindResponse(req, res), options),
    sessions: {
      list: async (req, res, options) => lib.sessions.list(bindResponse(req, res), options),
      revoke: async (req, res, sid) => lib.sessions.revoke(bindResponse(req, res), sid),
      revokeOthers: async (req, res) => lib.sessions.revokeOthers(bindResponse(req, res)),
    },
    account: {
      list: async (req, res) => lib.account.list(bindResponse(req, res)),
      link: async (req, res, ...args) =>
        redirect(res, await lib.account.link(bindResponse(req, res), ...args)),
      unlink: async (req, res, ...args) => lib.account.unlink(bindResponse(req, res), ...args),
      merge: async (req, res, options) =>
        redirect(res, await lib.account.merge(bindResponse(req, res), options)),
      remove: async (req, res) => lib.account.remove(bindResponse(req, res)),
      changeEmail: async (req, res, to) => lib.account.changeEmail(bindResponse(req, res), to),
      pendingEmail: async (req, res) => lib.account.pendingEmail(bindResponse(req, res)),
      cancelEmail: async (req, res) => lib.account.cancelEmail(bindResponse(req, res)),
    },
    password: {
      signUp: async (req, res, fields) => lib.password.signUp(bindResponse(req, res), fields),
      verifyEmail: async (req, res, fields) =>
        lib.password.verifyEmail(bindResponse(req, res), fields),
      requestReset: async (req, res, fields) =>
        lib.password.requestReset(bindResponse(req, res), fields),
      reset: async (req, res, fields) => lib.password.reset(bindResponse(req, res), fields),
      change: async (req, res, fields) => lib.password.change(bindResponse(req, res), fields),
      remove: async (req, res) => lib.password.remove(bindResponse(req, res)),
      info: async (req, res) => lib.password.info(bindResponse(req, res)),
    },
    factors: {
      list: async (req, res) => lib.factors.list(bindResponse(req, res)),
      enroll: async (req, res, ...args) => lib.factors.enroll(bindResponse(req, res), ...args),
      confirm: async (req, res, ...args) => lib.factors.confirm(bindResponse(req, res), ...args),
      remove: async (req, res, id) => lib.factors.remove(bindResponse(req, res), id),
      renewRecoveryCodes: async (req, res) =>
        lib.factors.renewRecoveryCodes(bindResponse(req, res)),
    },
  }
}
