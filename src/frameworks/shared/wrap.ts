import { announceConfiguration } from '../../core/config/announce.ts'
import { chain } from '../../core/async/awaitable.ts'
import { lazily } from '../../core/async/cache.ts'
import { readOptions } from './call-options.ts'
import type { WarningCode } from '../../core/errors/codes.ts'
import { BASE_PATH } from '../../core/config/defaults.ts'
import { basePathOf, parsePath } from '../../core/http/path.ts'
import { createLogger } from '../../core/log/logger.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import type { Awaitable, Session } from '../../core/types.ts'
import { admit } from './check-access.ts'
import { configSource } from './config-source.ts'
import { cookieExchange, missingCookies } from './cookies.ts'
import { reportNotAwaited } from './not-awaited.ts'
import type { Decision } from './not-awaited.ts'
import { sessionReader } from './session-reader.ts'
import type { Surface } from './request-adapter.ts'
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
export interface Wrapped<Ask extends object> {
  /**
   * Whether the path is below the base path of the routes. Warns of a route below another path at which the application
   * mounted the wrapper.
   *
   * @param mount - the path or pattern at which the framework mounted the handler, if it is known
   */
  readonly isRoute: (ask: Ask, pathname: string, mount?: string) => Awaitable<boolean>
  /** Handles a built-in route. Never rejects, except for errors of a configuration function. */
  readonly answer: (ask: Ask, request: Request) => Promise<Response>
  /** @throws SessionUnavailable, UntrustedHost, and the first problem of an invalid configuration */
  readonly auth: (ask: Ask) => Promise<Session | null>
  /** The session, or the response to send instead. `null` on public pages. */
  readonly admit: (
    ask: Ask,
    method: string,
    options?: ProtectOptions<Ask>,
  ) => Promise<Session | null | Response>
  /** Set-Cookie headers to add to a response, except for cookies that it sets itself. */
  readonly unsentCookies: (ask: Ask, response: Response) => readonly string[]
  readonly signIn: (
    ask: Ask,
    provider?: string,
    options?: object,
    params?: AuthorizationParams,
    parameters?: ParameterSource,
  ) => Promise<Target>
  readonly signOut: (ask: Ask, options?: object) => Promise<Target>
  readonly update: (ask: Ask, data: unknown) => Promise<Session | null>
  readonly warnOnce: (ask: Ask, code: WarningCode, message: string) => Promise<void>
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

export function wrap<Ask extends object>(
  source: ConfigSource<Ask>,
  surface: Surface<Ask>,
  defaultPath: string = BASE_PATH,
): Wrapped<Ask> {
  announceConfiguration({ configuration: source, basePath: defaultPath, isNext: false })
  const configFor = configSource(source, surface, defaultPath)
  const cookies = cookieExchange(surface)
  const read = sessionReader(configFor, surface, cookies)
  const isWatched = isDevelopment()
  const settings = typeof source === 'function' ? {} : source
  const calls = lazily(async () =>
    (await import('./calls.ts')).createCalls({ configFor, surface, cookies, csrf: 'checked' }),
  )
  return {
    isRoute: (ask, pathname, pattern = '') =>
      chain(configFor(ask), (config) => {
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
      }),
    async answer(ask, request) {
      const { Auth } = await loadAuth()
      const config = await configFor(ask)
      return discardUnread(request, (copy) => Auth(copy, config))
    },
    async auth(ask) {
      requireRequest(ask)
      return (await read(ask)).session
    },
    admit: (ask, method, options = {}) => admit(ask, method, options, { configFor, surface, read }),
    unsentCookies(ask, response) {
      const changes = cookies.pending(ask)
      // Some servers create the headers of a response when they are read.
      return changes.length === 0 ? [] : missingCookies(changes, response.headers.getSetCookie())
    },
    async signIn(ask, provider, given, params, parameters) {
      const options = readOptions(given)
      const url = await (await calls()).signIn(ask, provider, options, params, parameters)
      return { url, redirects: redirectsOf(given) }
    },
    async signOut(ask, given) {
      const options = readOptions(given)
      return { url: await (await calls()).signOut(ask, options), redirects: redirectsOf(given) }
    },
    async update(ask, data) {
      return (await calls()).update(ask, data)
    },
    async warnOnce(ask, code, message) {
      createLogger(await configFor(ask)).warnOnce(code, message)
    },
    exposed: (name, call) => (isWatched ? reportNotAwaited(name, call, settings) : call),
  }
}
