/** Authentication for servers of `node:http` and `node:http2`, and for frameworks with their requests. */
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { AuthError } from '../../core/errors/base.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { isResponse } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RedirectingFunctions,
  WrapperConfig,
} from '../shared/types.ts'
import type { NodeRequest, NodeResponse } from './bridge.ts'
import { nodeFunctions } from './lib.ts'
import type { Next } from './lib.ts'
import { holdPage, send } from './response.ts'

export * from '../shared/exports.ts'
export type { ProtectOptions, SignOutOptions } from '../shared/types.ts'
export { toRequest } from './bridge.ts'
export { send } from './response.ts'
export type { NodeRequest, NodeResponse } from './bridge.ts'
export type { Next } from './lib.ts'

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<NodeRequest, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RedirectingFunctions<[req: NodeRequest, res: NodeResponse], S, Id> {
  /**
   * Handles the routes below the base path. For all others it calls `next`, or responds with 404 without it. An
   * error of a configuration function is passed to `next`, or leads to 500.
   */
  readonly handler: (req: NodeRequest, res: NodeResponse, next?: Next) => void
  /**
   * Whether the request may continue. Otherwise the response has been sent: a navigation is redirected to the sign-in
   * page, a script receives 401. Await the result: a promise is always truthy. A page that is sent before the decision
   * is an error of `res.write`, `res.writeHead` or `res.end`.
   */
  protect(
    req: NodeRequest,
    res: NodeResponse,
    options?: ProtectOptions<NodeRequest, S>,
  ): Promise<boolean>
  /**
   * Reads the session. With the response, an extended session is set as its cookie.
   *
   * @throws SessionUnavailable if the session lookup fails
   */
  readonly auth: ReadSession<[req: NodeRequest, res?: NodeResponse], S>
}

/** The end of a request without a next handler. */
function lastHandler(res: NodeResponse): Next {
  return (error) => {
    if (res.headersSent) return void res.destroy()
    const { status, headers } = error instanceof AuthError ? error : { status: 500, headers: {} }
    res.writeHead(error === undefined ? 404 : status, headers)
    res.end()
  }
}

/**
 * Creates the request listener and functions for authentication on a server of Node.js.
 *
 * @param source - the configuration, or a function that receives the request and returns it
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { IncomingMessage, ServerResponse } from 'node:http'
 * import Lib, { AuthError } from 'lib-auth/node'
 * import GitHub from 'lib-auth/providers/github'
 *
 * const lib = Lib({ providers: [GitHub] })
 *
 * async function site(req: IncomingMessage, res: ServerResponse) {
 *   if (!(await lib.protect(req, res))) return
 *   const session = await lib.auth(req, res)
 *   res.end(`Hello, ${session?.user?.name}`)
 * }
 *
 * export const server = createServer((req, res) => {
 *   // An error that is not caught would end the process.
 *   const fail = (error: unknown) => {
 *     const { status, headers } = error instanceof AuthError ? error : { status: 500, headers: {} }
 *     if (status >= 500) console.error(error)
 *     if (res.headersSent) res.destroy()
 *     else res.writeHead(status, headers).end()
 *   }
 *   lib.handler(req, res, (error) => (error ? fail(error) : void site(req, res).catch(fail)))
 * })
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<NodeRequest, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<NodeRequest>): LibResult {
  const { bindAuth: _bindAuth, checkAccess, handler, ...functions } = nodeFunctions(source)
  return {
    ...functions,
    // Without a default value: servers count the parameters to see whether it calls `next`.
    handler: (req, res, next) => handler(req, res, next ?? lastHandler(res)),
    async protect(req, res, options) {
      const release = holdPage(res)
      let access
      let body
      try {
        access = await checkAccess(req, res, options)
        if (!isResponse(access)) return true
        // Read before `release`, so that the page cannot write between the decision and the response.
        body = new Uint8Array(await access.arrayBuffer())
      } finally {
        release()
      }
      await send(access, req, res, body)
      return false
    },
  }
}
