import { run } from './actions/routes.ts'
import { resolve } from './config/resolve.ts'
import type { AuthConfig } from './config/types.ts'
import { createContext } from './context.ts'
import type { Context, Reply, ResolvedConfig, SessionContext } from './contracts.ts'
import { createJar } from './cookies/jar.ts'
import { InvalidConfiguration } from './errors/classes.ts'
import { isConfigurationError } from './errors/table.ts'
import { failureReply, normalizeError } from './failure.ts'
import { describeOtherHost } from './http/other-host.ts'
import { parse } from './http/parse.ts'
import { readBasePath, parsePath } from './http/path.ts'
import { negotiate, respond, respondRaw } from './http/respond.ts'
import { createLogger } from './log/logger.ts'
import { isServerCall } from './http/server-call.ts'
import { raw } from './symbols.ts'
import type { ResponseInternal } from './types.ts'

/** Once, because a client can send any host. */
function warnOfOtherHost({ headers }: Request, { trust, log }: ResolvedConfig): void {
  const message = trust.origin && describeOtherHost(trust.origin, headers)
  if (message) log.warnOnce('origin-mismatch', message, trust.origin)
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
 *   origin: 'https://app.example.com',
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
  if (typeof config !== 'object' || config === null)
    throw new InvalidConfiguration(
      'The configuration is missing. Pass it as the second argument: Auth(request, config).',
    )
  const url = new URL(request.url)
  const jar = createJar(request.headers.get('cookie'))
  const isRaw = config.raw === raw
  const answer = (reply: Reply) => (isRaw ? respondRaw : respond)(reply, jar, request)
  let ctx: SessionContext | undefined
  let parsed: Context | undefined
  try {
    ctx = createContext({ headers: request.headers, url }, jar, resolve(config))
    warnOfOtherHost(request, ctx.config)
    parsed = { request: await parse(request, { url, ...ctx }), ...ctx }
    const reply = await run(parsed)
    ctx.config.log.debug?.('request answered', { status: reply.status })
    return answer(reply)
  } catch (cause) {
    const route = parsePath(url.pathname, readBasePath(config))
    const log = createLogger(config)
    const failed = { request, url, config, log, route, ctx }
    const error = normalizeError(cause, failed)
    // First, so that the log message contains the reference of the event.
    if (parsed) await parsed.config.audit?.recordFailure(parsed, error)
    log.error(error)
    // A caller that asked for the URL of a redirect expects one for a failure, too.
    const isAnswered =
      negotiate(request.headers) === 'url' &&
      !(isServerCall(request) && isConfigurationError(error))
    if (isRaw && !isAnswered) throw error
    return answer(await failureReply(error, failed))
  }
}
