import { announceConfiguration } from '../../core/config/announce.ts'
import { lazily } from '../../core/async/cache.ts'
import { readOptions } from './call-options.ts'
import type { WarningCode } from '../../core/errors/codes.ts'
import { BASE_PATH } from '../../core/config/defaults.ts'
import { basePathOf, parsePath } from '../../core/http/path.ts'
import { createLogger } from '../../core/log/logger.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import type { Session } from '../../core/types.ts'
import { checkAccess } from './check-access.ts'
import { wrapperConfig } from './config-source.ts'
import { cookieExchange, missingCookies } from './cookies.ts'
import { reportNotAwaited } from './not-awaited.ts'
import type { Decision } from './not-awaited.ts'
import { sessionReader } from './session-reader.ts'
import type { RequestAdapter } from './request-adapter.ts'
import { discardUnread } from './unread-body.ts'
import type { AuthorizationParams, ConfigSource, ProtectOptions } from './types.ts'
import { requireRequest } from './misuse.ts'

const loadAuth = lazily(() => import('../../core/auth.ts'))

/** The result of a sign-in or sign-out: where to go, and whether the caller asked for a redirect. */
export interface Target {
  readonly url: string
  readonly redirects: boolean
}

/** What every wrapper offers, in terms of its framework's request. */
export interface Wrapped<Req extends object> {
  /**
   * Whether the path is below the base path of the routes. Warns of a route below another path at which the application
   * mounted the wrapper.
   *
   * @param mount - the path or pattern at which the framework mounted the handler, if it is known
   */
  readonly isRoute: (req: Req, pathname: string, mount?: string) => Promise<boolean>
  /** Handles a built-in route. Never rejects, except for errors of a configuration function. */
  readonly answer: (req: Req, request: Request) => Promise<Response>
  /** @throws SessionUnavailable, UntrustedHost, and the first problem of an invalid configuration */
  readonly auth: (req: Req) => Promise<Session | null>
  /** A function that reads the session of one request. */
  readonly authOf: (req: Req, name?: Decision) => () => Promise<Session | null>
  /** The session, or the response to send instead. `null` on public pages. */
  readonly checkAccess: (
    req: Req,
    method: string,
    options?: ProtectOptions<Req>,
  ) => Promise<Session | null | Response>
  /** Set-Cookie headers to add to a response, except for cookies that it sets itself. */
  readonly unsentCookies: (req: Req, response: Response) => readonly string[]
  readonly signIn: (
    req: Req,
    provider?: string,
    options?: object,
    params?: AuthorizationParams,
    parameters?: ParameterSource,
  ) => Promise<Target>
  readonly signOut: (req: Req, options?: object) => Promise<Target>
  readonly update: (req: Req, data: unknown) => Promise<Session | null>
  readonly warnOnce: (req: Req, code: WarningCode, message: string) => Promise<void>
  /** The function as the application calls it. In development, it reports promises that are not awaited. */
  readonly exposed: <F extends (...args: never[]) => unknown>(name: Decision, call: F) => F
}

/** Everywhere but in production, in tests, and on platforms without environment variables. */
function isDevelopment(): boolean {
  return typeof process === 'object' && !/^(?:production|test)$/.test(process.env['NODE_ENV'] ?? '')
}

/** The base path that a request has in mind if its path ends with a route. */
function implied(pathname: string): string | undefined {
  for (let end = pathname.indexOf('/', 1); end !== -1; end = pathname.indexOf('/', end + 1))
    if (parsePath(pathname, pathname.slice(0, end))) return pathname.slice(0, end)
  return undefined
}

function isBelow(pathname: string, basePath: string): boolean {
  return basePath !== '' && `${pathname}/`.startsWith(`${basePath}/`)
}

/** The part of a path pattern before its first parameter or wildcard. */
function literalPrefix(pattern: string): string {
  return pattern.replace(/\/?[^/]*[*:({].*$/s, '')
}

/** A field of a form, which a visitor chooses, cannot suppress the redirect. */
function redirectsOf(options: object | undefined): boolean {
  return !options || !('redirect' in options) || options.redirect !== false
}

export function wrap<Req extends object>(
  source: ConfigSource<Req>,
  adapter: RequestAdapter<Req>,
  defaultPath: string = BASE_PATH,
): Wrapped<Req> {
  announceConfiguration({ configuration: source, basePath: defaultPath, isNext: false })
  const configFor = wrapperConfig(source, adapter, defaultPath)
  const cookies = cookieExchange(adapter)
  const read = sessionReader(configFor, adapter, cookies)
  const isWatched = isDevelopment()
  const settings = typeof source === 'function' ? {} : source
  const calls = lazily(async () =>
    (await import('./calls.ts')).createCalls({ configFor, adapter, cookies, csrf: 'checked' }),
  )
  const exposed: Wrapped<Req>['exposed'] = (name, call) =>
    isWatched ? reportNotAwaited(name, call, settings) : call
  const auth = async (req: Req): Promise<Session | null> => {
    requireRequest(req)
    return adapter.isForAll?.(req) ? null : (await read(req)).session
  }
  return {
    async isRoute(req, pathname, pattern = '') {
      const config = await configFor(req)
      const basePath = basePathOf(config)
      if (isBelow(pathname, basePath) || parsePath(pathname, basePath)) return true
      const mount = literalPrefix(pattern)
      const other = isBelow(basePath, mount) || mount === '' ? undefined : implied(pathname)
      if (other !== undefined)
        createLogger(config).warnOnce(
          'mount-mismatch',
          `A request to ${other} was not handled, because the base path of the routes is ${basePath || '/'}. If the routes belong there, set basePath: '${other}'.`,
          basePath,
        )
      return false
    },
    async answer(req, request) {
      const { Auth } = await loadAuth()
      const config = await configFor(req)
      return discardUnread(request, (copy) => Auth(copy, config))
    },
    auth: exposed('auth', auth),
    authOf: (req, name = 'auth') => exposed(name, () => auth(req)),
    checkAccess: (req, method, options = {}) =>
      checkAccess(req, method, options, { configFor, adapter, read }),
    unsentCookies(req, response) {
      const changes = cookies.pending(req)
      // Some servers create the headers of a response when they are read.
      return changes.length === 0 ? [] : missingCookies(changes, response.headers.getSetCookie())
    },
    async signIn(req, provider, given, params, parameters) {
      const options = readOptions(given)
      const url = await (await calls()).signIn(req, provider, options, params, parameters)
      return { url, redirects: redirectsOf(given) }
    },
    async signOut(req, given) {
      const options = readOptions(given)
      return { url: await (await calls()).signOut(req, options), redirects: redirectsOf(given) }
    },
    async update(req, data) {
      return (await calls()).update(req, data)
    },
    async warnOnce(req, code, message) {
      createLogger(await configFor(req)).warnOnce(code, message)
    },
    exposed,
  }
}
