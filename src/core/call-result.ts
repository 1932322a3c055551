/** Functions that an application calls with a request, outside of the routes. */
import { checkSource } from './checks/source.ts'
import { checkConfig } from './config/check-config.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import { createContext } from './context.ts'
import type { AuditContext, SessionContext } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import { serializeCookie } from './cookies/syntax.ts'
import { LastSignInMethod } from './errors/classes.ts'
import { readHeaders } from './http/read-headers.ts'
import type { CompleteRequest, ReadRequest, RequestLike } from './http/read-headers.ts'
import { logError } from './log/logger.ts'
import type { ResponseCookie } from './types.ts'

/** The result of a function that is called with a request. */
export interface CallResult<T> {
  readonly value: T
  /**
   * Set-Cookie headers if the session was extended or has ended, with `Cache-Control: private, no-store`; add them to the
   * response if you can.
   */
  readonly headers: Headers
}

/** The same for wrappers of frameworks, which set cookies in their own way. */
export interface Answer<T> {
  readonly value: T
  readonly cookies: readonly ResponseCookie[]
}

/** `changes`: the request must not come from a page of another origin. */
export async function answer<T>(
  {
    caller,
    config,
    access,
  }: {
    readonly caller: ReadRequest
    readonly config: AuthConfig
    readonly access: 'reads' | 'changes'
  },
  work: (ctx: AuditContext & SessionContext) => Promise<T>,
): Promise<Answer<T>> {
  let ctx: (AuditContext & SessionContext) | undefined
  try {
    const { headers } = caller
    const jar = createJar(headers.get('cookie'))
    ctx = { ...createContext(caller, jar, resolve(config)), request: { headers } }
    if (access === 'changes') checkSource(headers, ctx.origin)
    return { value: await work(ctx), cookies: jar.changes() }
  } catch (error) {
    if (error instanceof Error) await ctx?.config.audit?.recordFailure(ctx, error)
    // A refusal that the caller shows to the user.
    throw error instanceof LastSignInMethod ? error : logError(error, config)
  }
}

/** Calls a function of the application's request; `name` is its name in errors. */
export async function callWithRequest<T>(
  name: string,
  request: RequestLike,
  config: AuthConfig,
  call: (caller: CompleteRequest) => Promise<Answer<T>>,
): Promise<CallResult<T>> {
  checkConfig(config, `${name}(request, config)`)
  return toResult(await call(readHeaders(request)))
}

export function toResult<T>({ value, cookies }: Answer<T>): CallResult<T> {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', serializeCookie(cookie))
  if (cookies.length > 0) headers.set('cache-control', 'private, no-store')
  return { value, headers }
}
