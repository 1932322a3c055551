/** Authentication for Fastify 5. */
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { bindResponse, adaptNodeRequest } from '../node/request-adapter.ts'
import { requestPath, toRequest } from '../node/bridge.ts'
import { discardRest } from '../node/response.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { rejectUncalled } from '../shared/misuse.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { isResponse, redirectAfterPost } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RedirectingFunctions,
  SessionAccess,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

export * from '../shared/exports.ts'
export type { ProtectOptions, SignOutOptions } from '../shared/types.ts'

declare module 'fastify' {
  interface FastifyRequest extends SessionAccess {}
}

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<FastifyRequest, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RedirectingFunctions<[request: FastifyRequest, reply: FastifyReply], S, Id> {
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
  readonly auth: ReadSession<[request: FastifyRequest], S>
}

/** The options of the router; later releases of Fastify 5 also accept them in `routerOptions`. */
function routerOptions({ server: { initialConfig } }: FastifyRequest) {
  return { ...initialConfig, ...initialConfig.routerOptions }
}

const adapter: RequestAdapter<FastifyRequest> = {
  ...adaptNodeRequest(({ raw }) => raw),
  /** The path after `rewriteUrl`, and up to a semicolon if the router ends it there. */
  routed(request) {
    const [path = ''] = (request.raw.url ?? '/').split(/[?#]/, 1)
    return routerOptions(request).useSemicolonDelimiter ? path.replace(/(?<!^);.*$/s, '') : path
  },
  ignored(request) {
    const options = routerOptions(request)
    if (options.caseSensitive === false) return 'case and trailing slash'
    return options.ignoreTrailingSlash ? 'trailing slash' : undefined
  },
}

/** Sets cookies on the response of the request. */
function bind(request: FastifyRequest, reply: FastifyReply): FastifyRequest {
  bindResponse(request.raw, reply.raw)
  return request
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
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<FastifyRequest, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<FastifyRequest>): LibResult {
  const lib = wrap(source, adapter)
  const redirect = (reply: FastifyReply, target: Target) =>
    redirectAfterPost(target, (url, status) => void reply.redirect(url, status))

  const plugin: FastifyPluginCallback = (app, options, ready) => {
    const problem = describeScope(app, options)
    if (problem !== undefined) return ready(new InvalidConfiguration(problem))
    // An application with several plugins has the decorator of the first one.
    if (!app.hasRequestDecorator('auth'))
      app.decorateRequest(
        'auth',
        lib.exposed('auth', function auth(this: FastifyRequest) {
          return lib.auth(this)
        }),
      )
    // `onRequest` runs before the body is parsed, and also for paths without a route.
    app.addHook('onRequest', async (request, reply) => {
      const { raw } = bind(request, reply)
      if (!(await lib.isRoute(request, requestPath(raw)))) return undefined
      return sendResponse(await lib.answer(request, toRequest(raw)), request, reply)
    })
    ready()
  }

  return {
    // `skip-override`: without a scope of its own, hook and decorator apply to the whole application.
    plugin: Object.assign(plugin, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('fastify.display-name')]: 'lib-auth',
    }),
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return async (request, reply) => {
        const access = await lib.checkAccess(bind(request, reply), request.method, options)
        return isResponse(access) ? sendResponse(access, request, reply) : undefined
      }
    },
    auth: lib.auth,
    signIn: async (request, reply, ...args) =>
      redirect(reply, await lib.signIn(bind(request, reply), ...args)),
    signOut: async (request, reply, ...args) =>
      redirect(reply, await lib.signOut(bind(request, reply), ...args)),
    requestScopes: async (request, reply, ...args) =>
      redirect(reply, await lib.requestScopes(bind(request, reply), ...args)),
    update: async (request, reply, data) => lib.update(bind(request, reply), data),
    getAccessToken: async (request, reply, ...args) =>
      lib.getAccessToken(bind(request, reply), ...args),
    requireAuth: async (request, reply, options) => lib.requireAuth(bind(request, reply), options),
    sessions: {
      list: async (request, reply, options) => lib.sessions.list(bind(request, reply), options),
      revoke: async (request, reply, sid) => lib.sessions.revoke(bind(request, reply), sid),
      revokeOthers: async (request, reply) => lib.sessions.revokeOthers(bind(request, reply)),
    },
    account: {
      list: async (request, reply) => lib.account.list(bind(request, reply)),
      link: async (request, reply, ...args) =>
        redirect(reply, await lib.account.link(bind(request, reply), ...args)),
      unlink: async (request, reply, ...args) => lib.account.unlink(bind(request, reply), ...args),
      merge: async (request, reply, options) =>
        redirect(reply, await lib.account.merge(bind(request, reply), options)),
      remove: async (request, reply) => lib.account.remove(bind(request, reply)),
      changeEmail: async (request, reply, to) => lib.account.changeEmail(bind(request, reply), to),
      pendingEmail: async (request, reply) => lib.account.pendingEmail(bind(request, reply)),
      cancelEmail: async (request, reply) => lib.account.cancelEmail(bind(request, reply)),
    },
    password: {
      signUp: async (request, reply, fields) => lib.password.signUp(bind(request, reply), fields),
      verifyEmail: async (request, reply, fields) =>
        lib.password.verifyEmail(bind(request, reply), fields),
      requestReset: async (request, reply, fields) =>
        lib.password.requestReset(bind(request, reply), fields),
      reset: async (request, reply, fields) => lib.password.reset(bind(request, reply), fields),
      change: async (request, reply, fields) => lib.password.change(bind(request, reply), fields),
      remove: async (request, reply) => lib.password.remove(bind(request, reply)),
      info: async (request, reply) => lib.password.info(bind(request, reply)),
    },
    factors: {
      list: async (request, reply) => lib.factors.list(bind(request, reply)),
      enroll: async (request, reply, ...args) => lib.factors.enroll(bind(request, reply), ...args),
      confirm: async (request, reply, ...args) =>
        lib.factors.confirm(bind(request, reply), ...args),
      remove: async (request, reply, id) => lib.factors.remove(bind(request, reply), id),
      renewRecoveryCodes: async (request, reply) =>
        lib.factors.renewRecoveryCodes(bind(request, reply)),
    },
  }
}
