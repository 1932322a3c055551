/** What the checks examine: the configuration, the environment and the site. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { normalizeBasePath } from '../../base-path.ts'
import { BASE_PATH } from '../../defaults.ts'
import { parseProviders } from '../../config/parse-providers.ts'
import { runsInProduction, withEnvDefaults } from '../../config/env.ts'
import type { ProviderConfig } from '../../config/provider.ts'
import type { AuthConfig } from '../../config/types.ts'
import { problemsOf } from '../../config/validate.ts'
import type { AuthError } from '../../errors.ts'
import type { HttpPolicy } from '../../flows/oauth/endpoint-url.ts'
import { isOrigin } from '../../http/origin.ts'
import { redactSecrets } from '../../log/redact-error.ts'
import { plainText, secretsIn } from '../../log/redact.ts'
import type { WarningCode } from '../../codes.ts'
import { nameOf, text, URL_NAMES } from '../../variables.ts'
import type { Environment } from '../../variables.ts'
import { messageOf } from '../errors.ts'
import { createClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { LoadedConfig } from './load-config.ts'

export interface Warning {
  readonly code: WarningCode
  readonly text: string
}

/** What the process of the checks receives. */
export interface Order {
  readonly folder: string
  /** The module with the configuration, relative to the folder. */
  readonly config: string | undefined
  readonly url: string | undefined
  /** The `.env` file of each variable that is not in the environment of the process. */
  readonly sources: Readonly<Record<string, string>>
  /** Whether the folder belongs to the site. */
  readonly isLocal: boolean
}

export interface Subject extends Pick<Order, 'folder' | 'sources'> {
  readonly url: URL | undefined
  readonly env: Environment
  /** As the application wrote it; empty if it could not be loaded. */
  readonly given: AuthConfig
  readonly isLoaded: boolean
  readonly usesNext: boolean
  readonly clock: Clock
  /** With the values of the environment, without the public default secret of development. */
  readonly config: AuthConfig
  readonly providers: readonly ProviderConfig[]
  readonly problems: readonly AuthError[]
  readonly warnings: readonly Warning[]
  /** The configured origin, if it is valid. */
  readonly origin: string | undefined
  readonly basePath: string
  /** The variable with the URL of the site, its value, and where it is set. */
  readonly siteUrl: { readonly name: string; readonly value: string; readonly place: string }
  /** Which providers may use plain http. */
  readonly http: HttpPolicy
  /** The message of an error, in one line and without secrets. */
  readonly quote: (error: unknown) => string
}

const SECRET_VARIABLE = /SECRET|TOKEN|PASS|KEY|PRIVATE|CREDENTIAL|AUTH_.*_ID$/
/** A connection URL with a user or password. */
const LOGIN_URL = /^[a-z][a-z\d+.-]*:\/\/[^/]*@/i

export function quoter(env: Environment, config: AuthConfig): (error: unknown) => string {
  const fromEnvironment = Object.entries(env).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    if (SECRET_VARIABLE.test(name)) return [value]
    if (!LOGIN_URL.test(value)) return []
    return [value, URL.canParse(value) ? new URL(value).password : '']
  })
  const own = [config.secret, config.jwt?.secret, config.redirectProxySecret]
  const secrets = [...fromEnvironment, ...own, ...secretsIn(config.providers)]
  return (error) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined
    const message = messageOf(error) + (cause ? ` (${messageOf(cause)})` : '')
    const line = stripVTControlCharacters(message)
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    return plainText(redactSecrets(line, secrets))
  }
}

/** A variable with the file that sets it. */
export function placeOf(name: string, sources: Order['sources']): string {
  return sources[name] ? `${name} in ${sources[name]}` : name
}

/** A logger that collects warnings. */
export function collector(warnings: Warning[]): NonNullable<AuthConfig['logger']> {
  return {
    error: () => undefined,
    warn: (code, ...message: unknown[]) => void warnings.push({ code, text: message.join(' ') }),
    debug: () => undefined,
  }
}

export function createSubject(
  { folder, url, sources }: Order,
  { config: loaded, usesLib }: LoadedConfig,
): Subject {
  const { env } = process
  const manifest = join(folder, 'package.json')
  const usesNext =
    usesLib || (existsSync(manifest) && /"next"\s*:/.test(readFileSync(manifest, 'utf8')))
  const warnings: Warning[] = []
  const given = loaded ?? { providers: [] }
  const filled = withEnvDefaults(
    env,
    { ...given, logger: collector(warnings) },
    { basePath: usesNext ? '/api/auth' : BASE_PATH, basePathWarning: 'suppressed' },
  )
  const isDefaultSecret = warnings.some(({ code }) => code === 'development-secret')
  const config = isDefaultSecret ? { ...filled, secret: [] } : filled
  const entries = parseProviders(config.providers ?? [])
  const http = runsInProduction() ? 'none' : 'loopback'
  const origin = config.origin?.replace(/\/$/, '')
  const name = nameOf(env, URL_NAMES) ?? ''
  return {
    folder,
    sources,
    url: url === undefined ? undefined : new URL(url),
    env,
    given,
    isLoaded: loaded !== undefined,
    usesNext,
    clock: createClock(),
    config,
    providers: entries.providers,
    problems: problemsOf({ ...entries, config, http }),
    warnings,
    origin: origin !== undefined && isOrigin(origin) ? origin : undefined,
    basePath: normalizeBasePath(config.basePath ?? ''),
    siteUrl: { name, value: text(env, name) ?? '', place: placeOf(name, sources) },
    http,
    quote: quoter(env, config),
  }
}
