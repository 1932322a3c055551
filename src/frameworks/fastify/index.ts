/** Authentication for Fastify 5. */
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { nodeSurface, bindResponse } from '../node/request-adapter.ts'
import { answerRoute } from '../node/lib.ts'
import { pathOf, receivedPath, toRequest, urlOf } from '../node/bridge.ts'
import { discardRest } from '../node/response.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { TellsSession } from '../../core/session/session-of.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  InferredConfig,
  ProtectOptions,
  SignInOptions,
  SignOutOptions,
  WrapperConfig,
} from '../shared/types.ts'
import type { Ignored } from '../shared/spellings.ts'
import type { Surface } from '../shared/request-adapter.ts'
import { rejectUncalled } from '../shared/misuse.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
import { isResponse } from '../shared/is-response.ts'
export type { ProtectOptions, SignOutOptions }

declare module 'fastify' {
  interface FastifyRequest {
    /** Reads the session once per request. @throws SessionUnavailable if the session lookup fails */
    auth(): Promise<Session | null>
  }
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<FastifyRequest, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback. */
export interface LibResult<S extends DefaultSession = Session> {
  /** Handles the routes below the base path, and adds `request.auth`. */
  readonly plugin: FastifyPluginCallback
  /**
   * A hook for `preHandler` or `onRequest` that rejects unauthenticated requests: a navigation is redirected to the
   * sign-in page, a script receives 401.
   */
  protect(
    options?: ProtectOptions<FastifyRequest, S>,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Reads the session. */
  readonly auth: TellsSession<S> & ((request: FastifyRequest) => Promise<S | null>)
  /**
   * Signs in from a handler and redirects with 303, unless `redirect` is `false`. Returns the URL.
   *
   * @throws AuthError for rejected credentials; MissingCSRF for a request that another site sent
   */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    provider?: string,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<string>
  /** Signs out from a handler and redirects with 303, unless `redirect` is `false`. Returns the URL. */
  signOut(request: FastifyRequest, reply: FastifyReply, options?: SignOutOptions): Promise<string>
  /** Passes data to the `jwt` and `session` callbacks, and returns the updated session. */
  update(request: FastifyRequest, reply: FastifyReply, data: unknown): Promise<S | null>
}

/** The options of the router; later releases of Fastify 5 also accept them in `routerOptions`. */
function optionsOf({ server: { initialConfig } }: FastifyRequest) {
  return { ...initialConfig, ...initialConfig.routerOptions }
}

function ignoredBy(request: FastifyRequest): Ignored | undefined {
  const options = optionsOf(request)
  if (options.caseSensitive === false) return 'case and trailing slash'
  return options.ignoreTrailingSlash ? 'trailing slash' : undefined
}

/** The path after `rewriteUrl`, and up to a semicolon if the router ends it there. */
function routedBy(request: FastifyRequest): string {
  const [path = ''] = (request.raw.url ?? '/').split(/[?#]/, 1)
  return optionsOf(request).useSemicolonDelimiter ? path.replace(/(?<!^);.*$/s, '') : path
}

const surface: Surface<FastifyRequest> = {
  key: ({ raw }) => nodeSurface.key(raw),
  headers: ({ raw }) => nodeSurface.headers(raw),
  reads: ({ raw }) => nodeSurface.reads(raw),
  url: ({ raw }) => urlOf(raw),
  path: ({ raw }) => receivedPath(raw),
  routed: routedBy,
  ignored: ignoredBy,
  setCookies: ({ raw }, changes) => nodeSurface.setCookies(raw, changes),
}

/** Through Fastify, so that the headers and cookies of other plugins are kept. */
function sendResponse(
  response: Response,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  discardRest(raw, reply.raw)
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  // `null` would be sent as JSON.
  return reply.send(raw.method === 'HEAD' ? undefined : (response.body ?? undefined))
}

/** Why the routes would not be found: the hooks of a scope do not run for paths without a route. */
function describeScope(
  { prefix, pluginName }: FastifyInstance,
  options: { readonly prefix?: string },
): string | undefined {
  if (options.prefix)
    return `The plugin was registered with the prefix ${options.prefix}, which does not apply to it: the routes are below the base path. Remove the prefix; to move the routes, set basePath: '/path/of/the/routes' in the configuration.`
  const isScope = pluginName.split(' -> ')[0] !== 'fastify'
  if (!prefix && !isScope) return undefined
  const [scope, remedy] = prefix
    ? [`with the prefix ${prefix}`, ', and set basePath if the routes belong below the prefix']
    : ['of its own', ', or wrap the plugin that registers it in fastify-plugin']
  return `The plugin was registered in a scope ${scope}, whose hooks do not run for paths without a route. Register it on the application${remedy}.`
}

/**
 * Creates the plugin and functions for authentication in a Fastify application.
 *
 * @param source - the configuration, or a function that receives the request and returns it
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import Lib from 'lib-auth/fastify'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const lib = Lib({ providers: [GitHub] })
 * export const app = Fastify()
 *
 * app.register(lib.plugin)
 * app.get('/account', { preHandler: lib.protect() }, async (request) => lib.auth(request))
 * ```
 */
export default function Lib<S extends DefaultSession = Session, Known extends DefaultSession = S>(
  source: ConfigSource<FastifyRequest, InferredConfig<FastifyRequest, S, Known>>,
): LibResult<S>
export default function Lib(source: ConfigSource<FastifyRequest>): LibResult {
  const lib = wrap(source, surface)

  const plugin: FastifyPluginCallback = (app, options, ready) => {
    const problem = describeScope(app, options)
    if (problem !== undefined) return ready(new InvalidConfiguration(problem))
    // Of several plugins in one application, the first one adds it.
    if (!app.hasRequestDecorator('auth'))
      app.decorateRequest(
        'auth',
        lib.exposed('auth', function auth(this: FastifyRequest) {
          return lib.auth(this)
        }),
      )
    // Before the body is parsed, and also for paths without a route.
    app.addHook('onRequest', (request, reply, done) => {
      bindResponse(request.raw, reply.raw)
      const answer = async () =>
        void sendResponse(await lib.answer(request, toRequest(request.raw)), request, reply)
      const next = (error?: unknown) => {
        if (error === undefined || error instanceof Error) done(error)
        else void reply.send(error)
      }
      answerRoute(() => lib.isRoute(request, pathOf(request.raw)), { answer, next })
    })
    ready()
  }

  return {
    // Without a scope of its own, so that the hook and the decorator apply to the whole application.
    plugin: Object.assign(plugin, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('fastify.display-name')]: 'lib-auth',
    }),
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return async (request, reply) => {
        bindResponse(request.raw, reply.raw)
        const admission = await lib.admit(request, request.method, options)
        return isResponse(admission) ? sendResponse(admission, request, reply) : undefined
      }
    },
    auth: lib.exposed('auth', lib.auth),
    async signIn(request, reply, ...args) {
      bindResponse(request.raw, reply.raw)
      const { url, redirects } = await lib.signIn(request, ...args)
      if (redirects) reply.redirect(url, 303)
      return url
    },
    async signOut(request, reply, ...args) {
      bindResponse(request.raw, reply.raw)
      const { url, redirects } = await lib.signOut(request, ...args)
      if (redirects) reply.redirect(url, 303)
      return url
    },
    async update(request, reply, data) {
      bindResponse(request.raw, reply.raw)
      return lib.update(request, data)
    },
  }
}
