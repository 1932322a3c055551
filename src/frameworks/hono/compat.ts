/** The functions of `@hono/auth-js`, under their names. */
import type { Context, MiddlewareHandler } from 'hono'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import type { Awaitable, Session, User } from '../../core/types.ts'
import { createLib } from './lib.ts'
import type { LibConfig, LibResult } from './lib.ts'

const BASE_PATH = '/api/auth'

/** The user of a request. */
export interface AuthUser {
  readonly session: Session
  readonly user: User | undefined
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by {@link verifyAuth}. */
    authUser: AuthUser
  }
}

const results = new WeakMap<Context, LibResult>()

function findResult(c: Context): LibResult {
  const result = results.get(c)
  if (result) return result
  throw new InvalidConfiguration(
    "The configuration is missing. Call app.use('*', initAuthConfig((c) => config)) before authHandler, verifyAuth and getAuthUser.",
  )
}

/**
 * Sets the configuration of the following handlers. `Lib` needs no such middleware.
 *
 * @param configFor - called once per request; the default of `basePath` is `/api/auth`
 */
export function initAuthConfig(configFor: (c: Context) => Awaitable<LibConfig>): MiddlewareHandler {
  const result = createLib(configFor, BASE_PATH)
  return async (c, next) => {
    results.set(c, result)
    await next()
  }
}

/** Handles the built-in routes. `handler` of `Lib` is the same. */
export function authHandler(): MiddlewareHandler {
  return (c, next) => findResult(c).handler(c, next)
}

/** The session of a request and its user; `null` if it is unauthenticated. */
export async function getAuthUser(c: Context): Promise<AuthUser | null> {
  const session = await findResult(c).auth(c)
  return session && { session, user: session.user }
}

/** Responds with 401 to unauthenticated requests, and sets `c.var.authUser`. `protect` of `Lib` also redirects. */
export function verifyAuth(): MiddlewareHandler {
  return async (c, next) => {
    const authUser = await getAuthUser(c)
    if (!authUser) return c.text('Unauthorized', 401)
    c.set('authUser', authUser)
    await next()
    return undefined
  }
}
