/** Every rule about environment variables. Nothing else reads them. */
import { InvalidConfiguration } from '../errors/configuration.ts'
import { InvalidRequest } from '../errors/request.ts'
import { forwardedHost, forwardedProtocol, hostHeader, isOrigin } from '../http/origin.ts'
import { normalizeBasePath } from '../base-path.ts'
import { createLogger } from '../log/logger.ts'
import type { LogSettings } from '../log/logger.ts'
import type { AuthAction, WarningCode } from '../types.ts'
import { BASE_PATH } from '../defaults.ts'
import { readEntry } from './entry.ts'
import type { Provider, ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, unknown>>

/** Names of one setting, best first; the last one is from before. */
const URL_NAMES = ['AUTH_URL', 'LIB_URL', 'NEXTAUTH_URL']
const SECRET_NAMES = ['AUTH_SECRET', 'LIB_SECRET', 'NEXTAUTH_SECRET']
/** Newest first. */
const FURTHER_SECRETS = ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1']
/** Platforms that set the Host header themselves. */
const TRUST_NAMES = ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']
/** Hosts only somebody on this machine can use. */
const LOOPBACK_HOSTS = ['localhost', '*.localhost', '127.0.0.1', '[::1]']

function warnOnce(settings: LogSettings, code: WarningCode, ...message: string[]): void {
  createLogger({ logger: settings.logger }).warnOnce(code, ...message)
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Values with commas between them. */
function list(env: Environment, name: string): readonly string[] | undefined {
  const values = text(env, name)
    ?.split(',')
    .map((value) => value.trim())
  return values?.filter(Boolean)
}

/** The first of the names that is set. */
function setting(env: Environment, names: readonly string[], log: LogSettings): string | undefined {
  const name = names.find((each) => text(env, each) !== undefined)
  if (name?.startsWith('NEXTAUTH_'))
    warnOnce(log, 'env-renamed', `${name} is read as a last resort; call it ${names[0] ?? ''}.`)
  return name && text(env, name)
}

function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)?.toLowerCase() ?? ''
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  return ['false', '0', 'no', 'off'].includes(value) ? false : undefined
}

/** Starts of the names of a provider's variables: upper snake case of its id, then without word breaks. */
function prefixes(id: string): string[] {
  const upper = (words: string) => `AUTH_${words.toUpperCase().replaceAll('-', '_')}`
  return [upper(id.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^\w-]+/g, '_')), upper(id)]
}

/** What the environment says about a provider. */
function providerSettings(env: Environment, id: string): Record<string, string> {
  const suffixes = { clientId: 'ID', clientSecret: 'SECRET', issuer: 'ISSUER', apiKey: 'KEY' }
  const found = Object.entries(suffixes).flatMap(([option, suffix]) => {
    const values = prefixes(id).map((prefix) => text(env, `${prefix}_${suffix}`))
    const value = values.find((each) => each !== undefined)
    return value === undefined ? [] : [[option, value] as const]
  })
  return Object.fromEntries(found)
}

/** The provider of an entry, with what the environment knows where the application says nothing. */
function withEnvironment(entry: Provider, env: Environment): ProviderConfig {
  const provider = readEntry(entry, {})
  if (provider.type === 'credentials') return provider
  return readEntry(entry, providerSettings(env, provider.id))
}

/** A secret for the first run, the same after each restart; only where nobody else can come. */
function developmentSecret(config: AuthConfig, env: Environment): string[] {
  if (env['NODE_ENV'] !== 'development') return []
  warnOnce(
    config,
    'development-secret',
    'There is no AUTH_SECRET, so a secret that everybody knows is used. Nobody is safe with it: set one.',
  )
  return [`not a secret, for development only: ${config.basePath ?? ''}`]
}

function secrets(config: AuthConfig, env: Environment): readonly string[] {
  const further = FURTHER_SECRETS.flatMap((name) => text(env, name) ?? [])
  const all = [...further, ...[setting(env, SECRET_NAMES, config) ?? []].flat()]
  return all.length > 0 ? all : developmentSecret(config, env)
}

/** Whether the environment says that the Host header can be trusted; `undefined`: it does not say. */
function trust(env: Environment): boolean | undefined {
  for (const name of TRUST_NAMES) {
    const value = flag(env, name)
    if (value !== undefined) return value
  }
  const mode = env['NODE_ENV']
  return mode === 'development' || mode === 'test' ? true : undefined
}

/** How the process runs, as far as `NODE_ENV` says. */
export function runsInProduction(): boolean {
  const process: unknown = Reflect.get(globalThis, 'process')
  const env: unknown = typeof process === 'object' && process && Reflect.get(process, 'env')
  return typeof env === 'object' && env !== null && Reflect.get(env, 'NODE_ENV') === 'production'
}

/** What of the environment depends on who asks. */
export interface EnvironmentDefaults {
  /** Where the routes are when nothing says. */
  readonly basePath: string
  /** Whether to point out that `AUTH_URL` and `basePath` both set the path. */
  readonly basePathWarning: 'shown' | 'suppressed'
}

/** The origin and the path of `AUTH_URL`. What is no URL is kept, so that the first request says what is wrong. */
function parseUrl(url: string): { readonly origin: string; readonly pathname: string } {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: 'null', pathname: '/' }
  return origin === 'null' ? { origin: url, pathname: '/' } : { origin, pathname }
}

/** A copy of the configuration with what the environment says where it says nothing. */
export function withEnvDefaults(
  env: Environment,
  config: AuthConfig,
  { basePath, basePathWarning }: EnvironmentDefaults,
): AuthConfig {
  const url = setting(env, URL_NAMES, config)
  const { origin, pathname } = url === undefined ? {} : parseUrl(url)
  const urlPath =
    pathname === undefined || pathname === '/' ? undefined : normalizeBasePath(pathname)
  const ownPath = config.basePath ? normalizeBasePath(config.basePath) : undefined
  if (ownPath !== undefined && urlPath !== undefined && basePathWarning === 'shown')
    warnOnce(config, 'env-url-basepath-redundant')
  const trustHost = config.trustHost ?? (url !== undefined || trust(env))
  return {
    ...config,
    basePath: ownPath ?? urlPath ?? config.basePath ?? basePath,
    origin: config.origin ?? origin,
    secret: config.secret?.length ? config.secret : secrets(config, env),
    redirectProxyUrl: config.redirectProxyUrl ?? text(env, 'AUTH_REDIRECT_PROXY_URL'),
    redirectProxyAllowedOrigins:
      config.redirectProxyAllowedOrigins ?? list(env, 'AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS'),
    trustHost,
    trustedHosts: config.trustedHosts ?? (trustHost === undefined ? LOOPBACK_HOSTS : undefined),
    providers: (config.providers ?? []).map((entry) => withEnvironment(entry, env)),
  }
}

/**
 * Fills in what the configuration leaves open from environment variables. Changes `config`: that is what it
 * is for.
 *
 * @param env - the variables, usually `process.env`
 * @param suppressBasePathWarning - do not point out that `AUTH_URL` and `basePath` both set the path
 * @example
 * ```ts
 * import { Auth, setEnvDefaults } from 'lib-auth'
 * import type { AuthConfig } from 'lib-auth'
 *
 * export function handler(request: Request, env: Record<string, string>): Promise<Response> {
 *   const config: AuthConfig = { providers: [] }
 *   setEnvDefaults(env, config)
 *   return Auth(request, config)
 * }
 * ```
 */
export function setEnvDefaults(
  env: Environment,
  config: AuthConfig,
  suppressBasePathWarning: boolean = false,
): void {
  const basePathWarning = suppressBasePathWarning ? 'suppressed' : 'shown'
  Object.assign(config, withEnvDefaults(env, config, { basePath: BASE_PATH, basePathWarning }))
}

/** The origin that headers name, for callers that know no more. */
function requestOrigin(headers: Headers, protocol: string | undefined): string {
  const host = forwardedHost(headers) ?? hostHeader(headers)
  const scheme =
    forwardedProtocol(headers) ?? (protocol?.replace(/:$/, '') === 'http' ? 'http:' : 'https:')
  if (host !== undefined) return new URL(`${scheme}//${host}`).origin
  throw new InvalidRequest('The request names no host, and AUTH_URL is not set.')
}

/**
 * The URL of a built-in route: of `AUTH_URL` when it is set, else of the host the headers name.
 *
 * @param protocol - of the request, when no header says
 * @throws InvalidConfiguration when `AUTH_URL` is no URL
 * @throws InvalidRequest when neither says which host
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: Environment,
  config: Pick<AuthConfig, 'logger' | 'basePath'>,
): URL {
  const configured = setting(env, URL_NAMES, config)
  if (configured === undefined) {
    const basePath = normalizeBasePath(config.basePath ?? '')
    return new URL(`${requestOrigin(headers, protocol)}${basePath}/${action}`)
  }
  const { origin, pathname } = parseUrl(configured)
  if (!isOrigin(origin))
    throw new InvalidConfiguration(
      `"${origin}" is no URL. AUTH_URL has to look like https://example.com.`,
    )
  const isClear = !config.basePath || config.basePath === '/' || pathname === '/'
  if (!isClear && pathname !== config.basePath) warnOnce(config, 'env-url-basepath-mismatch')
  const ownPath = config.basePath && config.basePath !== '/' ? config.basePath : pathname
  return new URL(`${origin}${normalizeBasePath(ownPath)}/${action}`)
}
