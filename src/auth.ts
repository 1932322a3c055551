import { run } from './actions/table.ts'
import { isPromise } from './awaitable.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import type { Context, Reply } from './contracts.ts'
import type { CookieJar } from './cookies/jar.ts'
import { createJar } from './cookies/jar.ts'
import { LIMITS } from './deadline.ts'
import { isConfigurationError } from './errors/table.ts'
import { answerFailure, asKnown } from './failure.ts'
import type { Progress } from './failure.ts'
import { publicOrigin } from './http/origin.ts'
import { parse } from './http/parse.ts'
import { respond, respondRaw } from './http/respond.ts'
import { wanted } from './http/wanted.ts'
import { createSecrets } from './log/secrets.ts'
import { report } from './log/report.ts'
import { isServerCall } from './server-call.ts'
import { raw } from './symbols.ts'
import type { ResponseInternal } from './types.ts'

async function answer(progress: Progress, jar: CookieJar): Promise<Reply> {
  const { request, url } = progress
  const config = (progress.resolved = resolve(progress.config))
  const origin = (progress.origin = publicOrigin(url, request.headers, config.trust))
  const isSecure = config.useSecureCookies ?? origin.startsWith('https:')
  const parsed = parse(request, url, config)
  // An `await` of a value that is not a promise would cost a microtask.
  const authRequest = isPromise(parsed) ? await parsed : parsed
  const ctx: Context = {
    config,
    jar,
    origin,
    cookies: isSecure ? config.cookies.secure : config.cookies.plain,
    deadline: Date.now() + LIMITS.request,
    secrets: createSecrets(authRequest),
    request: authRequest,
  }
  const { method, action, providerId } = ctx.request
  const route = providerId === undefined ? action : `${action}/${providerId}`
  config.log.debug?.('request received', { method, route })
  const reply = await run(ctx)
  config.log.debug?.('request answered', { status: reply.status })
  return reply
}

/**
 * Handles a request to a built-in route: sign-in, sign-out, provider callbacks, session.
 *
 * Never rejects: an error becomes a response. With the {@link raw} marker in the configuration it returns the response
 * in parts and throws errors, unless the request has the header `X-Auth-Return-Redirect`.
 *
 * @example
 * ```ts
 * import { Auth } from 'lib-auth'
 * import GitHub from 'lib-auth/providers/github'
 *
 * const config = {
 *   providers: [GitHub({ clientId: 'id', clientSecret: 'secret' })],
 *   secret: 'at least 32 random bytes, from a safe place',
 *   trustHost: true,
 * }
 *
 * export default {
 *   fetch: (request: Request): Promise<Response> => Auth(request, config),
 * }
 * ```
 */
export async function Auth(
  request: Request,
  config: AuthConfig & { raw: typeof raw },
): Promise<ResponseInternal>
export async function Auth(request: Request, config: Omit<AuthConfig, 'raw'>): Promise<Response>
export async function Auth(
  request: Request,
  config: AuthConfig,
): Promise<Response | ResponseInternal> {
  const jar = createJar(request.headers.get('cookie'))
  const progress: Progress = { request, url: new URL(request.url), config }
  const isRaw = config.raw === raw
  try {
    const reply = await answer(progress, jar)
    return isRaw ? respondRaw(reply, jar, request) : respond(reply, jar, request)
  } catch (cause) {
    const error = asKnown(cause, progress)
    report(error, progress)
    if (!isRaw) return respond(await answerFailure(error, progress), jar, request)
    // A caller that asked for the URL of a redirect expects one for a failure, too.
    const isThrown = isServerCall(request) && isConfigurationError(error)
    if (wanted(request.headers) === 'url' && !isThrown)
      return respondRaw(await answerFailure(error, progress), jar, request)
    throw error
  }
}
