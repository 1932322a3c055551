import type { NextRequest } from 'next/server.js'
import { Auth } from '../auth.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import type { DefaultSession, Session, Untyped } from '../types.ts'
import { signInWith, signOutWith, updateWith } from './actions.ts'
import { configSource } from './config.ts'
import type { ConfigFor } from './config.ts'
import { asSent } from './mount.ts'
import { runProxy, unavailable, withAuth } from './proxy.ts'
import { sessionReader } from './session.ts'
import { isRequest } from './shape.ts'
import type {
  AuthFunction,
  AuthHandler,
  InferredConfig,
  LibConfigSource,
  LibResult,
} from './types.ts'

type Handler = AuthHandler<unknown>

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

/** Next hands parameters to route handlers. Everything else is the proxy, which lets nobody in by mistake. */
function isRouteContext(context: unknown): boolean {
  return typeof context === 'object' && context !== null && 'params' in context
}

/** The one function for every place in which somebody asks who is signed in. */
function authFunction(configFor: ConfigFor): AuthFunction {
  const readSession = sessionReader(configFor)

  async function runRoute(
    handler: Handler,
    request: NextRequest,
    context: unknown,
  ): Promise<Response> {
    let session
    try {
      session = await readSession(request)
    } catch (error) {
      return unavailable(error)
    }
    const response = await handler(withAuth(request, session), context)
    return response ?? new Response(null, { status: 204 })
  }

  const wrap = (handler: Handler) => (request: NextRequest, context: unknown) =>
    isRouteContext(context)
      ? runRoute(handler, request, context)
      : runProxy(configFor, { request, event: context, handler })

  return (...given: readonly unknown[]): Untyped => {
    const [first, second] = given
    if (given.length === 0) return readSession()
    if (isHandler(first)) return wrap(first)
    if (isRequest(first)) return runProxy(configFor, { request: first, event: second })
    throw new InvalidConfiguration(
      `auth() was called with something that is neither a function nor a request of Next.js: ${typeof first}. Call it without arguments to read the session, with (request, event) as the proxy, or with a handler of yours.`,
    )
  }
}

/**
 * Authentication for a Next.js application.
 *
 * @param source - the configuration, or a function from the request to it; the request is absent in server
 * components and server actions
 * @example
 * ```ts
 * import Lib from 'lib-auth/next'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const { handlers, auth, signIn, signOut } = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = Session,
>(source: LibConfigSource<InferredConfig<S, Known>>): LibResult<S>
export default function Lib(source: LibConfigSource): LibResult {
  const configFor = configSource(source)
  const update = updateWith(configFor)
  const handle = async (request: NextRequest) => {
    const config = await configFor(request)
    return Auth(asSent(request, config), config)
  }
  return {
    handlers: { GET: handle, POST: handle },
    auth: authFunction(configFor),
    signIn: signInWith(configFor),
    signOut: signOutWith(configFor),
    unstable_update: update,
    update,
  }
}
