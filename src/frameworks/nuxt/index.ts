/** Authentication for Nuxt 4. */
import { setCookieHeader } from '../../core/get-session.ts'
import { isRecord } from '../../core/is-record.ts'
import { pathOf, receivedPath, routedPath, toRequest, urlOf } from '../node/bridge.ts'
import type { NodeRequest, NodeResponse } from '../node/bridge.ts'
import { discardRest, send, setCookies } from '../node/response.ts'
import { nodeSurface } from '../node/request-adapter.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, ResponseCookie, Session, Untyped } from '../../core/types.ts'
import type { Environment } from '../../core/config/variables.ts'
import { cookieName, NOT_SHARED } from '../shared/cookies.ts'
import type { Surface } from '../shared/request-adapter.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  InferredConfig,
  ProtectOptions,
  SignInOptions,
  SignOutOptions,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'
import type { Target } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
import { isResponse } from '../shared/is-response.ts'
export type { ProtectOptions, SignOutOptions }

/** An event of h3, as Nuxt passes it to its server handlers. */
export interface ServerEvent {
  readonly node: { readonly req: NodeRequest; readonly res: NodeResponse }
  readonly context: Record<string, Untyped>
}

/** A server handler. */
export type ServerHandler<Result> = (event: ServerEvent) => Promise<Result>

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<ServerEvent, S>

/** What {@link LibResult.session} adds to `event.context`. */
export interface SessionContext<S extends DefaultSession = Session> {
  /** Reads the session once per request. @throws SessionUnavailable if the session lookup fails */
  auth(): Promise<S | null>
}

/** Result of {@link Lib}; `S` is the return type of the `session` callback. */
export interface LibResult<S extends DefaultSession = Session> {
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
  readonly auth: TellsSession<S> & ((event: ServerEvent) => Promise<S | null>)
  /**
   * Signs in from a handler, and sets a redirect (303) unless `redirect` is `false`. Returns the URL.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  readonly signIn: (
    event: ServerEvent,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ) => Promise<string>
  /** Signs out from a handler, and sets a redirect (303) unless `redirect` is `false`. Returns the URL. */
  readonly signOut: (event: ServerEvent, options?: SignOutOptions | FormData) => Promise<string>
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  readonly update: (event: ServerEvent, data: unknown) => Promise<S | null>
}

/** `protect` returns `null` where the callback `authorized` admits unauthenticated users. */
interface Implementation extends Omit<LibResult, 'protect'> {
  readonly protect: (
    event: ServerEvent,
    options?: ProtectOptions<ServerEvent>,
  ) => Promise<Session | null>
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
  return Reflect.get(req, RAW_BODY) ?? (isEmulated(req) ? (req.body ?? '') : undefined)
}

function setCookiesNow(res: NodeResponse, changes: readonly ResponseCookie[]): void {
  const names = new Set(changes.map(({ name }) => name))
  const present = [res.getHeader('set-cookie') ?? []].flat().map(String)
  const kept = present.filter((each) => !names.has(cookieName(each)))
  res.setHeader('set-cookie', [...kept, ...changes.map(setCookieHeader)])
  for (const [name, value] of Object.entries(NOT_SHARED)) res.setHeader(name, value)
}

/** On Cloudflare, the variables are bindings. */
function environmentOf({ context }: ServerEvent): Environment {
  const bindings: unknown = context['cloudflare']?.env
  return isRecord(bindings) && 'AUTH_SECRET' in bindings
    ? bindings
    : (globalThis.process?.env ?? {})
}

const surface: Surface<ServerEvent> = {
  key: ({ node }) => node.req,
  headers: ({ node }) => nodeSurface.headers(node.req),
  reads: ({ node }) => nodeSurface.reads(node.req),
  url({ node }) {
    const url = urlOf(node.req)
    url.pathname = url.pathname.replace(PAYLOAD, '') || '/'
    return url
  },
  path: ({ node }) => receivedPath(node.req),
  routed: ({ node }) => routedPath(node.req).replace(PAYLOAD, '') || '/',
  // Vue Router, which finds the page.
  ignored: () => 'case and trailing slash',
  setCookies: ({ node: { res } }, changes) =>
    isEmulated(res) ? setCookiesNow(res, changes) : setCookies(res, changes),
  environment: environmentOf,
}

/** Whether all users receive the response: a prerendered page, or one that Nitro caches regardless of cookies. */
function isShared({ node, context }: ServerEvent): boolean {
  if ('x-nitro-prerender' in node.req.headers) return true
  const options: unknown = context['cache']?.options
  return isRecord(options) && !/\bcookie\b/i.test(String(options['varies']))
}

/** 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
function redirectAfterPost({ node: { res } }: ServerEvent, { url, redirects }: Target): string {
  if (redirects) {
    res.statusCode = 303
    res.setHeader('location', url)
  }
  return url
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
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: ConfigSource<ServerEvent, InferredConfig<ServerEvent, S, Known>>,
): LibResult<S>
export default function Lib(source: ConfigSource<ServerEvent>): Implementation {
  const lib = wrap(source, surface)
  const auth = async (event: ServerEvent) => (isShared(event) ? null : lib.auth(event))

  return {
    handler: serverHandler(async (event) => {
      const { node, context } = event
      const path = pathOf(node.req)
      // The router sets it, so that a server middleware has none.
      const isMounted = context['matchedRoute'] !== undefined
      if (!(await lib.isRoute(event, path, isMounted ? path : '')) && !isMounted) return undefined
      const response = await lib.answer(event, toRequest(node.req, await readBody(node.req)))
      discardRest(node.req, node.res)
      return response
    }),
    session: serverHandler(async (event) => {
      event.context['auth'] = lib.exposed('auth', async () => auth(event))
    }),
    protect: lib.exposed('protect', async (event, options) => {
      const { req, res } = event.node
      const admission = await lib.admit(event, req.method ?? 'GET', options)
      if (!isResponse(admission)) return admission
      await send(admission, req, res)
      throw new ResponseSent(admission.status)
    }),
    auth: lib.exposed('auth', auth),
    signIn: async (event, ...args) => redirectAfterPost(event, await lib.signIn(event, ...args)),
    signOut: async (event, ...args) => redirectAfterPost(event, await lib.signOut(event, ...args)),
    update: lib.update,
  }
}
