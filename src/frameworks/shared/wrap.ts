import { announceConfiguration } from '../../core/config/announce.ts'
import { lazily } from '../../core/async/cache.ts'
import { readOptions } from '../../core/http/call-options.ts'
import type { WarningCode } from '../../core/errors/codes.ts'
import { BASE_PATH } from '../../core/config/defaults.ts'
import { readBasePath, parsePath } from '../../core/http/path.ts'
import { createLogger } from '../../core/log/logger.ts'
import type { ParameterSource } from '../../core/http/server-call.ts'
import type { Assured, LevelOf } from '../../core/assurance/assured.ts'
import type { RequireAuthOptions } from '../../core/require-auth.ts'
import type { AccessToken, AccessTokenOptions } from '../../core/tokens/options.ts'
import type { Session } from '../../core/types.ts'
import { checkAccess } from './check-access.ts'
import { wrapperConfig } from './config-source.ts'
import { cookieExchange, missingCookies } from './cookies.ts'
import { requireRequest } from './misuse.ts'
import { reportNotAwaited } from './not-awaited.ts'
import type { Decision } from './not-awaited.ts'
import { passwordFunctions } from './password-functions.ts'
import type { UserPassword } from './password-functions.ts'
import type { RequestAdapter } from './request-adapter.ts'
import type { Target } from './responses.ts'
import { sessionReader } from './session-reader.ts'
import { discardUnread } from './unread-body.ts'
import type { UserFactors } from './factor-types.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  ProtectOptions,
  ScopesOptions,
  UserAccount,
} from './types.ts'
import type { UserSessions } from './user-sessions.ts'

const loadAuth = lazily(() => import('../../core/auth.ts'))
const loadCalls = lazily(() => import('./calls.ts'))
const loadFactorCalls = lazily(() => import('./factor-calls.ts'))
const loadAccountCalls = lazily(() => import('./account-calls.ts'))
const loadPasswordCalls = lazily(() => import('./password-calls.ts'))
const loadSessionCalls = lazily(() => import('./session-calls.ts'))

/** What every wrapper offers, in terms of its framework's request. */
export interface Wrapped<Req extends object> {
  /**
   * Whether the path is below the base path of the routes. Warns of a route below another path at which the application
   * mounted the wrapper.
   *
   * @param mount - the path or pattern at which the framework mounted the handler, if it is known
   */
  isRoute(req: Req, pathname: string, mount?: string): Promise<boolean>
  /** Handles a built-in route. Never rejects, except for errors of a configuration function. */
  answer(req: Req, request: Request): Promise<Response>
  /** @throws SessionUnavailable, UntrustedHost, and the first problem of an invalid configuration */
  readonly auth: (req: Req) => Promise<Session | null>
  /** Binds `auth` to one request. */
  bindAuth(req: Req, name?: Decision): () => Promise<Session | null>
  /** The session, or the response to send instead. `null` on public pages. */
  checkAccess(
    req: Req,
    method: string,
    options?: ProtectOptions<Req>,
  ): Promise<Session | null | Response>
  /** Runs the handlers after a middleware that adds {@link unsentCookies} to their response. */
  collectCookies<T>(req: Req, handle: () => Promise<T>): Promise<T>
  /** Set-Cookie headers to add to a response, except for cookies that it sets itself. */
  unsentCookies(req: Req, response: Response): readonly string[]
  readonly signIn: (
    req: Req,
    provider?: string,
    options?: object,
    params?: AuthorizationParams,
    parameters?: ParameterSource,
  ) => Promise<Target>
  readonly signOut: (req: Req, options?: object) => Promise<Target>
  readonly update: (req: Req, data: unknown) => Promise<Session | null>
  readonly getAccessToken: (
    req: Req,
    provider: string,
    options?: AccessTokenOptions,
  ) => Promise<AccessToken>
  readonly requestScopes: (
    req: Req,
    provider: string,
    scopes: readonly string[],
    options?: ScopesOptions,
  ) => Promise<Target>
  readonly requireAuth: <const Options extends RequireAuthOptions>(
    req: Req,
    options?: Options,
  ) => Promise<Assured<Session, LevelOf<Options>>>
  readonly sessions: UserSessions<[req: Req]>
  readonly account: UserAccount<[req: Req], string, Target>
  readonly password: UserPassword<[req: Req]>
  readonly factors: UserFactors<[req: Req]>
  warnOnce(req: Req, code: WarningCode, message: string): Promise<void>
  /** Wraps a function for the application: in development, it reports promises that are not awaited. */
  exposed<F extends (...args: never[]) => unknown>(name: Decision, call: F): F
}

/** Not in production, not in tests, and not on platforms without environment variables. */
function isDevelopment(): boolean {
  return typeof process === 'object' && !/^(?:production|test)$/.test(process.env['NODE_ENV'] ?? '')
}

/** The base path that a path implies if it ends with a route. */
function impliedBasePath(pathname: string): string | undefined {
  for (let end = pathname.indexOf('/', 1); end !== -1; end = pathname.indexOf('/', end + 1))
    if (parsePath(pathname, pathname.slice(0, end))) return pathname.slice(0, end)
  return undefined
}

function isBelow(pathname: string, basePath: string): boolean {
  return basePath !== '' && `${pathname}/`.startsWith(`${basePath}/`)
}

/** A field of a form, which a visitor chooses, cannot suppress the redirect. */
function asTarget(url: string, options: object | undefined): Target {
  return { url, redirects: !options || !('redirect' in options) || options.redirect !== false }
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
  const context = { configFor, adapter, cookies, csrf: 'checked' } as const
  const exposed: Wrapped<Req>['exposed'] = (name, call) =>
    isWatched ? reportNotAwaited(name, call, settings) : call
  const factors = async () => (await loadFactorCalls()).factorCalls(context)
  const auth = async (req: Req): Promise<Session | null> => {
    requireRequest(req)
    return adapter.isForAll?.(req) ? null : (await read(req)).session
  }
  return {
    async isRoute(req, pathname, pattern = '') {
      const config = await configFor(req)
      const basePath = readBasePath(config)
      if (isBelow(pathname, basePath) || parsePath(pathname, basePath)) return true
      // Before the first parameter or wildcard.
      const mount = pattern.replace(/\/?[^/]*[*:({].*$/s, '')
      const isMisplaced = mount !== '' && !isBelow(basePath, mount)
      const other = isMisplaced ? impliedBasePath(pathname) : undefined
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
    bindAuth: (req, name = 'auth') => exposed(name, () => auth(req)),
    checkAccess: (req, method, options = {}) =>
      checkAccess(req, method, options, { ...context, read }),
    collectCookies: cookies.collect,
    unsentCookies(req, response) {
      const changes = cookies.pending(req)
      // Some servers create the headers of a response when they are read.
      return changes.length === 0 ? [] : missingCookies(changes, response.headers.getSetCookie())
    },
    async signIn(req, provider, given, params, parameters) {
      const call = { provider, options: readOptions(given), params, parameters }
      return asTarget(await (await loadCalls()).signIn(req, call, context), given)
    },
    async signOut(req, given) {
      const options = readOptions(given)
      return asTarget(await (await loadCalls()).signOut(req, options, context), given)
    },
    update: async (req, data) => (await loadCalls()).update(req, data, context),
    getAccessToken: async (req, provider, given) =>
      (await loadCalls()).getAccessToken(req, { provider, options: given }, context),
    async requestScopes(req, provider, scopes, given) {
      const call = { provider, scopes, options: given }
      return asTarget(await (await loadCalls()).requestScopes(req, call, context), given)
    },
    requireAuth: async (req, options) =>
      (await loadSessionCalls()).requireAuth(req, options, context),
    sessions: {
      list: async (req, options) => (await loadSessionCalls()).listSessions(req, options, context),
      revoke: async (req, sid) => (await loadSessionCalls()).revokeSession(req, sid, context),
      revokeOthers: async (req) => (await loadSessionCalls()).revokeOtherSessions(req, context),
    },
    account: {
      list: async (req) => (await loadAccountCalls()).listAccounts(req, context),
      async link(req, provider, given) {
        const call = { provider, options: given }
        return asTarget(await (await loadAccountCalls()).linkAccount(req, call, context), given)
      },
      unlink: async (req, key, options) =>
        (await loadAccountCalls()).unlinkAccount(req, { key, options }, context),
      merge: async (req, given) =>
        asTarget(await (await loadAccountCalls()).mergeUser(req, given, context), given),
      remove: async (req) => (await loadAccountCalls()).removeUser(req, context),
      changeEmail: async (req, to) => (await loadAccountCalls()).changeEmail(req, to, context),
      pendingEmail: async (req) => (await loadAccountCalls()).pendingEmail(req, context),
      cancelEmail: async (req) => (await loadAccountCalls()).cancelEmail(req, context),
    },
    password: passwordFunctions(
      async (req: Req, action, fields) =>
        (await loadPasswordCalls()).callPassword(req, { action, fields }, context),
      async (req: Req) => (await loadPasswordCalls()).readPassword(req, context),
    ),
    factors: {
      list: async (req) => (await factors()).list(req),
      enroll: async (req, options) => (await factors()).enroll(req, options),
      confirm: async (req, enrollment) => (await factors()).confirm(req, enrollment),
      remove: async (req, id) => (await factors()).remove(req, id),
      renewRecoveryCodes: async (req) => (await factors()).renewRecoveryCodes(req),
    },
    async warnOnce(req, code, message) {
      createLogger(await configFor(req)).warnOnce(code, message)
    },
    exposed,
  }
}
