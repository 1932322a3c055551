import { lazily, oncePerKey } from '../cache.ts'
import type { ResolvedConfig } from '../contracts.ts'
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { basePathOf } from '../http/path.ts'
import { createLogger, isFirstMessage } from '../log/logger.ts'
import type { Logger } from '../log/logger.ts'
import { skipCSRFCheck } from '../symbols.ts'
import { bindProviders } from './bind-providers.ts'
import { cookiePolicies } from './cookies.ts'
import { runsInProduction } from '../variables.ts'
import { adapterSource } from './adapter.ts'
import { parseProviders } from './parse-providers.ts'
import { strategies } from './strategy.ts'
import { asList } from './token-settings.ts'
import type { ProviderConfig } from './provider.ts'
import type { AuthConfig } from './types.ts'
import { secretLengths, validate } from './validate.ts'

/** Logs configuration warnings that are not fatal, once for all configurations. */
function warn(config: AuthConfig, log: Logger, providers: readonly ProviderConfig[]): void {
  const ids = providers.map(({ id }) => id)
  const isProduction = runsInProduction()
  const isShort = [...secretLengths(config)].some(([, length]) => length < MIN_SECRET_LENGTH)
  if (isShort && isFirstMessage('weak-secret', config)) {
    const message = `A secret is shorter than ${MIN_SECRET_LENGTH} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print.`
    if (isProduction) log.error(new InvalidConfiguration(message))
    else log.warn('weak-secret', message)
  }
  if (config.debug && isProduction) log.warnOnce('debug-enabled')
  if (config.experimental?.enableWebAuthn) log.warnOnce('experimental-webauthn')
  for (const id of ids.filter((each, index) => ids.indexOf(each) !== index))
    log.warnOnce(
      'duplicate-provider',
      `Several providers have the id "${id}"; the last one is used.`,
    )
  if (config.skipCSRFCheck === skipCSRFCheck) log.debug?.('CSRF check disabled')
}

function create(config: AuthConfig): ResolvedConfig {
  const http = runsInProduction() ? 'none' : 'loopback'
  const { redirectProxyUrl, redirectProxyAllowedOrigins, origin, trustHost } = config
  const entries = parseProviders(config.providers ?? [])
  validate({ ...entries, config, http })
  const { providers } = entries
  const log = createLogger(config)
  const adapter = adapterSource(config, providers)
  const database =
    adapter && lazily(async () => (await import('../database/database.ts')).databaseOf(adapter))
  warn(config, log, providers)
  return Object.freeze({
    basePath: basePathOf(config),
    secrets: asList(config.secret),
    proxySecrets: asList(config.redirectProxySecret ?? config.secret),
    providers: bindProviders(providers, {
      database,
      oauth: { fetch: config.fetch, http, redirectProxyUrl, redirectProxyAllowedOrigins },
    }),
    callbacks: config.callbacks ?? {},
    events: config.events ?? {},
    pages: { ...config.pages },
    theme: { ...config.theme },
    ...strategies(config, database),
    cookies: cookiePolicies(config),
    useSecureCookies: config.useSecureCookies,
    trust: {
      origin: origin?.replace(/\/$/, ''),
      trustHost: trustHost === true,
      trustedHosts: [...(config.trustedHosts ?? [])],
    },
    csrf: config.skipCSRFCheck === skipCSRFCheck ? 'skipped' : 'checked',
    log,
  })
}

/** Validates the configuration and fills in defaults, once per object. @throws the error of the first problem */
export const resolve: (config: AuthConfig) => ResolvedConfig = oncePerKey(create)
