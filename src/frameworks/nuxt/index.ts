/** Authentication for Nuxt 4. */
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { setCookieHeader } from '../../core/get-session.ts'
import { isRecord } from '../../core/is-record.ts'
import { requestPath, routedPath, toRequest, requestUrl } from '../node/bridge.ts'
import type { NodeRequest, NodeResponse } from '../node/bridge.ts'
import { discardRest, send, setCookies } from '../node/response.ts'
import { adaptNodeRequest } from '../node/request-adapter.ts'
import type { DefaultSession, ResponseCookie, Session } from '../../core/types.ts'
import { readBindings } from '../shared/config-source.ts'
import { cookieName, NOT_SHARED } from '../shared/cookies.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { isResponse, redirectAfterPost } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  ConfigSource,
  Implementation,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RedirectingFunctions,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
export type {
  ProtectOptions,
  SessionAccess as SessionContext,
  SignOutOptions,
} from '../shared/types.ts'

/** An event of h3, as Nuxt passes it to its server handlers. */
export interface ServerEvent {
  readonly node: { readonly req: NodeRequest; readonly res: NodeResponse }
  readonly context: Record<string, any>
}

/** A server handler. */
export type ServerHandler<Result> = (event: ServerEvent) => Promise<Result>

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<ServerEvent, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RedirectingFunctions<[event: ServerEvent], S, Id, FormData> {
  /**
   * Handles the routes below the base path. It is the default export of `server/routes/auth/[...].ts`, or of a server
   * middleware.
   */
  readonly handler: ServerHandler<Response | undefined>
  /** Sets `event.context.auth`. It is the default export of a server middleware. */
  readonly session: ServerHandler<void>
  /**
   * Returns the session of a signed-in user. Otherwise sends the response, and throws an error that ends the handler: a
   * navigation is redirected to the sign-in page, a script receives 401.
   */
  readonly protect: (event: ServerEvent, options?: ProtectOptions<ServerEvent, S>) => Promise<S>
  /** Reads the session, and extends it. `null` in responses for all users: those that are cached or prerendered. */
  readonly auth: ReadSession<[event: ServerEvent], S>
}

/** Ends a handler after `protect` has sent the response; h3 recognizes it as an error that was thrown on purpose. */
class ResponseSent extends Error {
  static readonly __h3_error__ = true
  override readonly name = 'ResponseSent'
  readonly statusCode: number

  constructor(statusCode: number) {
    super('protect() has sent the response.')
    this.statusCode = statusCode
  }
}

/** The payload of a page is rendered by the page. */
const PAYLOAD = /\/_payload\.js(?:on)?$/

/** Where h3 keeps a body that it has read. */
const RAW_BODY = Symbol.for('h3RawBody')

/** On platforms without `node:http`, Nitro emulates it: the body is a value, and the head is never written. */
function isEmulated(part: object): boolean {
  return '__unenv__' in part
}

/** The body, if it is not a stream that can still be read. */
function readBody(req: NodeRequest): unknown {
  const raw = RAW_BODY in req ? req[RAW_BODY] : undefined
  return raw ?? (isEmulated(req) ? (req.body ?? '') : undefined)
}

function setCookiesNow(res: NodeResponse, changes: readonly ResponseCookie[]): void {
  const names = new Set(changes.map(({ name }) => name))
  const present = [res.getHeader('set-cookie') ?? []].flat().map(String)
  const kept = present.filter((each) => !names.has(cookieName(each)))
  res.setHeader('set-cookie', [...kept, ...changes.map(setCookieHeader)])
  for (const [name, value] of Object.entries(NOT_SHARED)) res.setHeader(name, value)
}

/** Whether all users receive the response: a prerendered page, or one that Nitro caches regardless of cookies. */
function isShared({ node, context }: ServerEvent): boolean {
  if ('x-nitro-prerender' in node.req.headers) return true
  const options: unknown = context['cache']?.options
  return isRecord(options) && !/\bcookie\b/i.test(String(options['varies']))
}

const adapter: RequestAdapter<ServerEvent> = {
  ...adaptNodeRequest(({ node }) => node.req),
  url({ node }) {
    const url = requestUrl(node.req)
    url.pathname = url.pathname.replace(PAYLOAD, '') || '/'
    return url
  },
  routed: ({ node }) => routedPath(node.req).replace(PAYLOAD, '') || '/',
  // The page is found by Vue Router, which ignores both.
  ignored: () => 'case and trailing slash',
  isForAll: isShared,
  setCookies: ({ node: { res } }, changes) =>
    isEmulated(res) ? setCookiesNow(res, changes) : setCookies(res, changes),
  environment: ({ context }) => readBindings(context['cloudflare']?.env),
}

/** h3 warns about a handler that is not marked as one. */
function serverHandler<Result>(handler: ServerHandler<Result>): ServerHandler<Result> {
  return Object.assign(handler, { __is_handler__: true })
}

/**
 * Creates the handlers and functions for authentication on the server of a Nuxt application.
 *
 * @param source - the configuration, or a function that receives the event and returns it
 * @example
 * ```ts
 * import Lib from 'lib-auth/nuxt'
 * import GitHub from 'lib-auth/providers/github'
 *
 * // In server/utils/auth.ts. The default export of server/routes/auth/[...].ts is `handler`.
 * export const { handler, session, auth, protect, signIn, signOut } = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<ServerEvent, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(
  source: ConfigSource<ServerEvent>,
): Implementation<LibResult, ServerEvent> {
  const lib = wrap(source, adapter)
  const redirect = ({ node: { res } }: ServerEvent, target: Target) =>
    redirectAfterPost(target, (url, status) => {
      res.statusCode = status
      res.setHeader('location', url)
    })

  return {
    handler: serverHandler(async (event) => {
      const { node, context } = event
      const path = requestPath(node.req)
      // Set by the router, and missing in a server middleware.
      const isMounted = context['matchedRoute'] !== undefined
      if (!(await lib.isRoute(event, path, isMounted ? path : '')) && !isMounted) return undefined
      const response = await lib.answer(event, toRequest(node.req, await readBody(node.req)))
      discardRest(node.req, node.res)
      return response
    }),
    session: serverHandler(async (event) => {
      event.context['auth'] = lib.bindAuth(event)
    }),
    protect: lib.exposed('protect', async (event, options) => {
      const { req, res } = event.node
      const access = await lib.checkAccess(event, req.method ?? 'GET', options)
      if (!isResponse(access)) return access
      await send(access, req, res)
      throw new ResponseSent(access.status)
    }),
    auth: lib.auth,
    signIn: async (event, ...args) => redirect(event, await lib.signIn(event, ...args)),
    signOut: async (event, ...args) => redirect(event, await lib.signOut(event, ...args)),
    requestScopes: async (event, ...args) =>
      redirect(event, await lib.requestScopes(event, ...args)),
    update: lib.update,
    getAccessToken: lib.getAccessToken,
    requireAuth: lib.requireAuth,
    sessions: lib.sessions,
    password: lib.password,
    account: {
      ...lib.account,
      link: async (event, ...args) => redirect(event, await lib.account.link(event, ...args)),
      merge: async (event, ...args) => redirect(event, await lib.account.merge(event, ...args)),
    },
    factors: lib.factors,
  }
}
