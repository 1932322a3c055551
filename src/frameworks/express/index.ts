/** Authentication for Express 4.21 and later. */
import type { Request, RequestHandler, Response } from 'express'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { oncePerKey } from '../../core/async/cache.ts'
import { continueUnless, nodeFunctions } from '../node/lib.ts'
import { send } from '../node/response.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { rejectUncalled, requireNext } from '../shared/misuse.ts'
import { isResponse } from '../shared/responses.ts'
import type {
  ConfigSource,
  InferredSource,
  ProtectOptions,
  ReadSession,
  RedirectingFunctions,
  SessionAccess,
  SignedIn,
  WrapperConfig,
} from '../shared/types.ts'

export * from '../shared/exports.ts'
export type {
  ProtectOptions,
  SessionAccess as SessionLocals,
  SignedIn,
  SignOutOptions,
} from '../shared/types.ts'

/** The configuration of {@link Lib}; `S` is what the `session` callback returns. */
export type LibConfig<S extends DefaultSession = Session> = WrapperConfig<Request, S>

/** The configuration, under its established name. */
export type ExpressAuthConfig = LibConfig

/** A handler after which `res.locals` has these members. The other types are the defaults of Express. */
export type SessionHandler<Locals> = RequestHandler<
  Record<string, string>,
  any,
  any,
  any,
  Locals & Record<string, any>
>

/** Result of {@link Lib}; `S` is the return type of the `session` callback, `Id` the ids of the providers. */
export interface LibResult<
  S extends DefaultSession = Session,
  Id extends string = string,
> extends RedirectingFunctions<[req: Request, res: Response], S, Id> {
  /** Handles the routes below the base path; calls `next` for all others. */
  readonly handler: RequestHandler
  /** Sets `res.locals.auth`. */
  readonly session: SessionHandler<SessionAccess<S>>
  /**
   * Rejects unauthenticated requests: a navigation is redirected to the sign-in page, a script receives 401. Sets
   * `res.locals.session`.
   */
  protect(options?: ProtectOptions<Request, S>): SessionHandler<SignedIn<S>>
  /** Reads the session. With the response, an extended session is set as its cookie. */
  readonly auth: ReadSession<[req: Request, res?: Response], S>
}

/**
 * Creates the middleware and functions for authentication in an Express application.
 *
 * @param source - the configuration, or a function that receives the request and returns it
 * @example
 * ```ts
 * import express from 'express'
 * import Lib from 'lib-auth/express'
 * import GitHub from 'lib-auth/providers/github'
 *
 * export const lib = Lib({ providers: [GitHub] })
 * export const app = express()
 *
 * app.use(lib.handler)
 * app.get('/account', lib.protect(), (_req, res) => void res.json(res.locals.session.user))
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<Request, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(source: ConfigSource<Request>): LibResult {
  const { bindAuth, checkAccess, ...lib } = nodeFunctions(source, {
    ignored: () => 'case and trailing slash',
  })
  return {
    ...lib,
    session(req, res, next) {
      res.locals.auth = bindAuth(req, res)
      next()
    },
    protect(options, ...rest: readonly unknown[]) {
      rejectUncalled(rest)
      return (req, res, next) => {
        requireNext(next)
        const answers = async () => {
          const access = await checkAccess(req, res, options)
          if (isResponse(access)) await send(access, req, res)
          else if (access) res.locals.session = access
          return isResponse(access)
        }
        void continueUnless(answers, next)
      }
    },
  }
}

/** The handler of {@link Lib} alone, under its established name. */
export function ExpressAuth(config: LibConfig): RequestHandler {
  return Lib(config).handler
}

const libFor = oncePerKey((config: LibConfig) => Lib(config))

/** Reads the session, under its established name. `auth` of {@link Lib} also extends it. */
export async function getSession(req: Request, config: LibConfig): Promise<Session | null> {
  return libFor(config).auth(req)
}
