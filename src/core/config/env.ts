import { normalizeBasePath } from '../http/base-path.ts'
import { BASE_PATH } from './defaults.ts'
import { AuthError } from '../errors/base.ts'
import { InvalidConfiguration, InvalidRequest } from '../errors/classes.ts'
import {
  forwardedHost,
  forwardedProtocol,
  hostHeader,
  isOrigin,
  publicOrigin,
} from '../http/origin.ts'
import { isRecord } from '../is-record.ts'
import { createLogger } from '../log/logger.ts'
import type { Logger } from '../log/logger.ts'
import type { AuthAction } from '../types.ts'
import {
  clientAddressHeader,
  list,
  findName,
  providerSettings,
  secretNames,
  text,
  trustFromEnv,
  URL_NAMES,
  urlFrom,
} from './variables.ts'
import { asList } from './token-settings.ts'
import type { Environment } from './variables.ts'
import { parseProvider } from './provider-list.ts'
import type { Provider, ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'

const LOOPBACK_HOSTS = ['localhost:*', '*.localhost:*', '127.0.0.1:*', '[::1]:*']

function warnOfOldName(name: string | undefined, newName: string, log: Logger): void {
  if (name?.startsWith('NEXTAUTH_'))
    log.warnOnce('env-renamed', `${name} is deprecated; rename it to ${newName}.`)
}

function siteUrl(env: Environment, log: Logger): string | undefined {
  warnOfOldName(findName(env, URL_NAMES), 'AUTH_URL', log)
  return urlFrom(env)
}

/** Providers whose settings the environment can contain. */
const HAS_SETTINGS = /^(?:oauth|oidc|email)$/

function withEnvironment(entry: Provider, env: Environment): Provider {
  const provider = parseProvider(entry, {})
  if (!provider || !HAS_SETTINGS.test(provider.type)) return provider ?? entry
  const settings = providerSettings(env, provider.id)
  // Validation reports what a factory throws for these settings.
  const invalid = () =>
    typeof entry === 'function' ? (entry as (options: object) => ProviderConfig)(settings) : entry
  return parseProvider(entry, settings) ?? invalid
}

function secrets(env: Environment, basePath: string, log: Logger): readonly string[] {
  const names = secretNames(env)
  for (const name of names) warnOfOldName(name, 'AUTH_SECRET', log)
  const all = names.flatMap((name) => text(env, name) ?? [])
  if (all.length > 0 || env['NODE_ENV'] !== 'development') return all
  log.warnOnce(
    'development-secret',
    'AUTH_SECRET is not set, so a public, insecure default is used. Set AUTH_SECRET: npx lib-auth secret.',
  )
  // Constant, so that sessions survive a restart.
  return [`not a secret, for development only: ${basePath}`]
}

/** Splits `AUTH_URL`. An invalid URL is kept as the origin, so that validation reports it on the first request. */
function parseUrl(url: string): { readonly origin: string; readonly pathname: string } {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: 'null', pathname: '/' }
  return origin === 'null' ? { origin: url, pathname: '/' } : { origin, pathname }
}

function withClientAddress(
  env: Environment,
  protection: AuthConfig['protection'],
): AuthConfig['protection'] {
  const header = clientAddressHeader(env)
  const isUnset = protection === undefined || (isRecord(protection) && !protection['clientAddress'])
  return header && isUnset ? { ...protection, clientAddress: { header } } : protection
}

/** Warns if `AUTH_URL` and `basePath` both set the path, unless the warning is suppressed. */
export function withEnvDefaults(
  env: Environment,
  config: AuthConfig,
  defaultPath: string,
  basePathWarning: 'shown' | 'suppressed' = 'shown',
): AuthConfig {
  const log = createLogger(config)
  const url = siteUrl(env, log)
  const { origin, pathname = '/' } = url === undefined ? {} : parseUrl(url)
  const urlPath = pathname === '/' ? undefined : normalizeBasePath(pathname)
  const ownPath = config.basePath ? normalizeBasePath(config.basePath) : undefined
  const { providers = [] } = config
  if (ownPath !== undefined && urlPath !== undefined && basePathWarning === 'shown')
    log.warnOnce(
      'env-url-basepath-redundant',
      'basePath is set, so the path of AUTH_URL is ignored. Remove one of them.',
    )
  const isSet = config.secret !== '' && asList(config.secret).length > 0
  const trustHost = config.trustHost ?? (url !== undefined || trustFromEnv(env))
  return {
    ...config,
    basePath: ownPath ?? urlPath ?? config.basePath ?? defaultPath,
    origin: config.origin ?? origin,
    secret: isSet ? config.secret : secrets(env, config.basePath ?? '', log),
    redirectProxyUrl: config.redirectProxyUrl ?? text(env, 'AUTH_REDIRECT_PROXY_URL'),
    redirectProxyAllowedOrigins:
      config.redirectProxyAllowedOrigins ?? list(env, 'AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS'),
    redirectProxySecret: config.redirectProxySecret ?? text(env, 'AUTH_REDIRECT_PROXY_SECRET'),
    protection: withClientAddress(env, config.protection),
    trustHost,
    trustedHosts: config.trustedHosts ?? (trustHost === undefined ? LOOPBACK_HOSTS : undefined),
    // Validation reports a value that is not an array.
    providers: Array.isArray(providers)
      ? providers.map((entry: Provider) => withEnvironment(entry, env))
      : providers,
  }
}

/**
 * Sets options from environment variables, unless the configuration sets them. Mutates `config`.
 *
 * @param env - the variables, usually `process.env`
 * @param suppressBasePathWarning - do not warn if `AUTH_URL` and `basePath` both set the path
 */
export function setEnvDefaults(
  env: Environment,
  config: AuthConfig,
  suppressBasePathWarning: boolean = false,
): void {
  const basePathWarning = suppressBasePathWarning ? 'suppressed' : 'shown'
  Object.assign(config, withEnvDefaults(env, config, BASE_PATH, basePathWarning))
}

function requestOrigin(headers: Headers, protocol = 'https'): string {
  const host = forwardedHost(headers) ?? hostHeader(headers)
  const scheme = forwardedProtocol(headers) ?? (/^http:?$/.test(protocol) ? 'http:' : 'https:')
  if (host !== undefined) return new URL(`${scheme}//${host}`).origin
  throw new InvalidRequest(
    'The request has no Host header and AUTH_URL is not set. Set AUTH_URL to the URL of the site.',
  )
}

/**
 * Returns the URL of a built-in route, based on `AUTH_URL` if it is set, else on the host in the headers.
 *
 * @param protocol - of the request, if no header states it
 * @throws InvalidConfiguration if `AUTH_URL` is not a URL
 * @throws InvalidRequest if neither contains a host
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | undefined,
  headers: Headers,
  env: Environment,
  config: Pick<AuthConfig, 'logger' | 'basePath'>,
): URL {
  const log = createLogger(config)
  const configured = siteUrl(env, log)
  const ownPath = normalizeBasePath(config.basePath ?? '')
  if (configured === undefined)
    return new URL(`${requestOrigin(headers, protocol)}${ownPath}/${action}`)
  const { origin, pathname } = parseUrl(configured)
  if (!isOrigin(origin))
    throw new InvalidConfiguration(
      `AUTH_URL is not a URL (got "${origin}"). Set it to scheme and host: https://example.com.`,
    )
  if (ownPath && pathname !== '/' && pathname !== ownPath)
    log.warnOnce(
      'env-url-basepath-mismatch',
      'basePath is used, and differs from the path of AUTH_URL. Remove one of them.',
    )
  return new URL(`${origin}${ownPath || normalizeBasePath(pathname)}/${action}`)
}

function findOrigin(url: URL, headers: Headers, configured: string): string {
  const origin = isOrigin(configured) ? configured : undefined
  try {
    return publicOrigin(url, headers, { origin, trustHost: true })
  } catch (error) {
    // The request is rejected for the same reason later, with the resolved configuration.
    if (error instanceof AuthError) return url.origin
    throw error
  }
}

/** The origin from `AUTH_URL` or from trusted headers, and the headers without any other host. */
export function trustedRequest(
  env: Environment,
  request: Pick<Request, 'url' | 'headers'>,
): { readonly origin: string; readonly headers: Headers } {
  const headers = new Headers(request.headers)
  headers.delete('forwarded')
  if (!trustFromEnv(env)) headers.delete('x-forwarded-host')
  const origin = findOrigin(new URL(request.url), headers, parseUrl(urlFrom(env) ?? '').origin)
  const { host } = new URL(origin)
  const forwarded = headers.get('x-forwarded-host')?.split(',') ?? []
  if (forwarded.some((each) => each.trim() === host)) headers.set('x-forwarded-host', host)
  else headers.delete('x-forwarded-host')
  headers.set('host', host)
  return { origin, headers }
}
