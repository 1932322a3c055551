import type { Context, MiddlewareHandler } from 'hono'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { AuthError } from '../../core/errors/base.ts'
import { isClientError } from '../../core/errors/client-error.ts'
import { asRecord } from '../../core/is-record.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { requestParts } from '../shared/absolute-target.ts'
import { readBindings } from '../shared/config-source.ts'
import { NOT_SHARED } from '../shared/cookies.ts'
import { rejectUncalled, requireNext } from '../shared/misuse.ts'
import type { RequestAdapter } from '../shared/request-adapter.ts'
import { answerCall, isResponse } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RespondingFunctions,
  SessionAccess,
  SignedIn,
  WrapperConfig,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<Context, S>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RespondingFunctions<[c: Context], S, Id> {
  /** Handles the routes below the base path; calls `next` for all others. */
  readonly handler: MiddlewareHandler
  /** Sets `c.var.auth`. */
  readonly session: MiddlewareHandler<{ Variables: SessionAccess<S> }>
  /**
   * Rejects unauthenticated requests: a navigation is redirected to the sign-in page, a script receives 401. Sets
   * `c.var.session`.
   */
  protect(options?: ProtectOptions<Context, S>): MiddlewareHandler<{ Variables: SignedIn<S> }>
  /** Reads the session. An extended session is set as its cookie if `session` or `protect` runs before the handler. */
  readonly auth: ReadSession<[c: Context], S>
}

const parts = requestParts<Context>(
  (c) => c.req.raw,
  // `@hono/node-server` keeps the request that it received.
  ({ env }) => asRecord(env)['incoming'],
)

const adapter: RequestAdapter<Context> = {
  ...parts,
  key: (c) => c,
  // The result of the option `getPath`; without `strict`, it lacks a trailing slash.
  routed: (c) => c.req.path,
  environment: (c) => readBindings(c.env),
}

/** Middleware of the application may have read the body; Hono keeps it. */
async function readRequest({ req }: Context): Promise<Request> {
  const { raw, bodyCache } = req
  // The core rejects a body that was read without Hono.
  if (!raw.bodyUsed || Object.keys(bodyCache).length === 0) return raw
  const { method, url } = raw
  const headers = new Headers(raw.headers)
  headers.delete('content-length')
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers.get('content-type') ?? '')
  // A body that was read as text stays text: Hono 4.6 cannot parse a form from it.
  if (!isForm || !bodyCache.formData)
    return new Request(url, { method, headers, body: await req.text() })
  const fields = new URLSearchParams()
  for (const [name, value] of await req.formData())
    if (typeof value === 'string') fields.append(name, value)
  return new Request(url, { method, headers, body: fields.toString() })
}

/**
 * The default error handler of Hono sends the response of an error, and does not read its status. Without a response, it
 * sends 500 and logs the error: that of a configuration function is logged nowhere else.
 */
function throwWithResponse(error: unknown): never {
  if (!(error instanceof AuthError) || error.status === 500) throw error
  const text = isClientError(error) ? error.type : 'Configuration'
  const { status, headers } = error
  const getResponse = () => new Response(text, { status, headers })
  throw Object.assign(error, { getResponse })
}

/**
 * Creates the middleware and functions for authentication in a Hono application.
 *
 * @param source - the configuration, or a function that receives the context and returns it
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import Lib from 'lib-auth/hono'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const lib = Lib({ providers: [GitHub] })
 * export const app = new Hono()
 *
 * app.use(lib.handler)
 * app.get('/account', lib.protect(), (c) => c.json(c.var.session.user))
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<Context, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<Context>): LibResult {
  return createLib(source)
}

/** @param basePath - of the routes, if neither the configuration nor `AUTH_URL` sets it */
export function createLib(source: ConfigSource<Context>, basePath?: string): LibResult {
  const lib = wrap(source, adapter, basePath)
  const auth = (c: Context) => lib.auth(c).catch(throwWithResponse)

  /** After `next`, because a handler that returns its own `Response` drops cookies set before. */
  const addCookies = (c: Context, response: Response) => {
    const cookies = lib.unsentCookies(c, response)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    if (cookies.length > 0)
      for (const [name, value] of Object.entries(NOT_SHARED)) c.header(name, value)
  }

  const respond = (c: Context, target: Target): Response => {
    const response = answerCall(target)
    addCookies(c, response)
    return c.newResponse(response.body, response)
  }

  return {
    async handler(c, next) {
      if (!(await lib.isRoute(c, parts.path(c), c.req.routePath))) {
        // Returning the result of `next` would hide that a later handler returns no response.
        await next()
        return undefined
      }
      const response = await lib.answer(c, await readRequest(c))
      return c.newResponse(response.body, response)
    },
    async session(c, next) {
      c.set(
        'auth',
        lib.exposed('auth', () => auth(c)),
      )
      await lib.collectCookies(c, next)
      addCookies(c, c.res)
    },
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return async (c, next) => {
        requireNext(next)
        const access = await lib.checkAccess(c, c.req.method, options)
        if (isResponse(access)) return c.newResponse(access.body, access)
        if (access) c.set('session', access)
        await lib.collectCookies(c, next)
        addCookies(c, c.res)
        return undefined
      }
    },
    auth: lib.exposed('auth', auth),
    signIn: async (c, ...args) => respond(c, await lib.signIn(c, ...args).catch(throwWithResponse)),
    signOut: async (c, ...args) =>
      respond(c, await lib.signOut(c, ...args).catch(throwWithResponse)),
    requestScopes: async (c, ...args) =>
      respond(c, await lib.requestScopes(c, ...args).catch(throwWithResponse)),
    update: (c, data) => lib.update(c, data).catch(throwWithResponse),
    getAccessToken: (c, ...args) => lib.getAccessToken(c, ...args).catch(throwWithResponse),
    requireAuth: (c, options) => lib.requireAuth(c, options).catch(throwWithResponse),
    sessions: {
      list: (c, options) => lib.sessions.list(c, options).catch(throwWithResponse),
      revoke: (c, sid) => lib.sessions.revoke(c, sid).catch(throwWithResponse),
      revokeOthers: (c) => lib.sessions.revokeOthers(c).catch(throwWithResponse),
    },
    account: {
      list: (c) => lib.account.list(c).catch(throwWithResponse),
      link: async (c, ...args) =>
        respond(c, await lib.account.link(c, ...args).catch(throwWithResponse)),
      unlink: (c, ...args) => lib.account.unlink(c, ...args).catch(throwWithResponse),
      merge: async (c, options) =>
        respond(c, await lib.account.merge(c, options).catch(throwWithResponse)),
      remove: (c) => lib.account.remove(c).catch(throwWithResponse),
      changeEmail: (c, to) => lib.account.changeEmail(c, to).catch(throwWithResponse),
      pendingEmail: (c) => lib.account.pendingEmail(c).catch(throwWithResponse),
      cancelEmail: (c) => lib.account.cancelEmail(c).catch(throwWithResponse),
    },
    password: {
      signUp: (c, fields) => lib.password.signUp(c, fields).catch(throwWithResponse),
      verifyEmail: (c, fields) => lib.password.verifyEmail(c, fields).catch(throwWithResponse),
      requestReset: (c, fields) => lib.password.requestReset(c, fields).catch(throwWithResponse),
      reset: (c, fields) => lib.password.reset(c, fields).catch(throwWithResponse),
      change: (c, fields) => lib.password.change(c, fields).catch(throwWithResponse),
      remove: (c) => lib.password.remove(c).catch(throwWithResponse),
      info: (c) => lib.password.info(c).catch(throwWithResponse),
    },
    factors: {
      list: (c) => lib.factors.list(c).catch(throwWithResponse),
      enroll: (c, ...args) => lib.factors.enroll(c, ...args).catch(throwWithResponse),
      confirm: (c, ...args) => lib.factors.confirm(c, ...args).catch(throwWithResponse),
      remove: (c, id) => lib.factors.remove(c, id).catch(throwWithResponse),
      renewRecoveryCodes: (c) => lib.factors.renewRecoveryCodes(c).catch(throwWithResponse),
    },
  }
}
