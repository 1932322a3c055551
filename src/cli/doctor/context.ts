/** What the checks examine: the configuration, the environment and the site; and what they find. */
import { asRecord, isRecord } from '../../core/is-record.ts'
import { stripVTControlCharacters } from 'node:util'
import type { Announced } from '../../core/config/announce.ts'
import { normalizeBasePath } from '../../core/http/base-path.ts'
import type { WarningCode } from '../../core/errors/codes.ts'
import { withEnvDefaults } from '../../core/config/env.ts'
import type { OAuthConfig, ProviderConfig } from '../../core/config/provider.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { isOAuth, parseProviders } from '../../core/config/provider-list.ts'
import { listProblems } from '../../core/config/validate.ts'
import { BASE_PATH } from '../../core/config/defaults.ts'
import type { AuthError } from '../../core/errors/base.ts'
import { withoutLink } from '../../core/errors/base.ts'
import { resolveProvider } from '../../core/flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../core/flows/oauth/provider.ts'
import { isOrigin } from '../../core/http/origin.ts'
import { redactSecrets } from '../../core/log/redact-error.ts'
import { plainText, secretsIn } from '../../core/log/redact.ts'
import { findName, runsInProduction, URL_NAMES } from '../../core/config/variables.ts'
import type { Environment } from '../../core/config/variables.ts'
import { readMessage } from '../errors.ts'

/** `warning`: it works, but needs attention; `error`: it fails, or is not secure. */
type Level = 'ok' | 'warning' | 'error'

export interface Finding {
  readonly level: Level
  /** The topic: "secret", "provider github". */
  readonly about: string
  readonly what: string
  /** What to do about it. */
  readonly write?: string
}

/** A tag for templates such as `AUTH_URL is not a URL. → Set it to https://example.com.` */
type Report = (strings: TemplateStringsArray, ...values: readonly unknown[]) => Finding

/** How the messages of the library begin what to do; the link at the end is for messages without. */
const ADVICE =
  /^(.*?\.) ((?:Set|Use|Write|Call|Replace|Remove|Run|Give|Add|On a machine|Read more)\b.*?)(?: Read more: \S+)?$/s

/** Returns a tag for each level. Only an arrow of the template itself separates the two sentences, never one in a value. */
export function topic(about: string): Readonly<Record<Level, Report>> {
  const report =
    (level: Level): Report =>
    (strings, ...values) => {
      const raw = strings.map((text) => text.replace(' → ', '\0'))
      const texts = values.map((value) => String(value).replaceAll('\0', ''))
      const [what = '', write] = String.raw({ raw }, ...texts).split('\0')
      return { level, about, what, ...(write && { write }) }
    }
  return { ok: report('ok'), warning: report('warning'), error: report('error') }
}

/** Reports a message of the library, which contains what to do. */
export function quoted(level: Level, about: string, message: string): Finding {
  const [, what = message, write = ''] = ADVICE.exec(message) ?? []
  return topic(about)[level]`${what} → ${write}`
}

/** What the process of the checks receives. */
export interface Order {
  readonly folder: string
  /** The module with the configuration, relative to the folder. */
  readonly module: string | undefined
  readonly url: string | undefined
  /** The version to go back to. */
  readonly downgrade?: string | undefined
  /** The `.env` files, and which of them sets each variable that is not in the environment of the process. */
  readonly files: readonly string[]
  readonly sources: Readonly<Record<string, string>>
}

export interface LoadedConfig {
  /** As the application wrote it; `undefined` if it could not be loaded. */
  readonly given: AuthConfig | undefined
  /** What the module passes to `Lib`. */
  readonly announced: Announced | undefined
  readonly loading: Finding
}

export interface DoctorContext extends LoadedConfig {
  readonly order: Order
  readonly url: URL | undefined
  readonly env: Environment
  /** With the values of the environment, as in production. */
  readonly config: AuthConfig
  readonly providers: readonly ProviderConfig[]
  /** The OAuth providers as the library uses them, without those whose redirect proxy is invalid. */
  readonly clients: readonly ConfiguredProvider[]
  readonly problems: readonly AuthError[]
  /** What the library logs while it resolves the configuration. */
  readonly warnings: readonly (readonly [code: WarningCode, text: string])[]
  /** The configured origin, if it is valid. */
  readonly origin: string | undefined
  readonly basePath: string
  /** By host, the seconds by which the clock of this machine is ahead. */
  readonly offsets: Map<string, number>
  /** The message of an error, in one line and without secrets. */
  readonly quote: (error: unknown) => string
}

export type Check = (context: DoctorContext) => Iterable<Finding> | AsyncIterable<Finding>

/** The form fields of a provider of type `credentials` are names and labels, such as `password`. */
function withoutFields(provider: unknown): unknown {
  return isRecord(provider) ? { ...provider, credentials: undefined } : provider
}

const SECRET_VARIABLE = /SECRET|TOKEN|PASS|KEY|PRIVATE|CREDENTIAL|AUTH_.*_ID$/

/** Returns a function that quotes errors without the secrets of the environment and of the configuration. */
export function quoter(env: Environment, config?: AuthConfig): DoctorContext['quote'] {
  const secrets = Object.entries(env).flatMap(([name, value]) => {
    const { username, password } = new URL(URL.canParse(String(value)) ? String(value) : 'no:url')
    return username || password || SECRET_VARIABLE.test(name) ? [value, password] : []
  })
  secrets.push(config?.secret, config?.jwt?.secret, config?.redirectProxySecret)
  // It may not be a list, which another finding says.
  const providers: unknown = config?.providers
  secrets.push(...secretsIn(Array.isArray(providers) ? providers.map(withoutFields) : providers))
  return (error) => {
    const { cause: outer } = asRecord(error)
    const cause = asRecord(outer)['err'] ?? outer
    const message =
      withoutLink(readMessage(error)) + (cause instanceof Error ? ` (${readMessage(cause)})` : '')
    const line = stripVTControlCharacters(message).replace(/\s*\n\s*/g, ' ')
    return plainText(redactSecrets(line.trim(), secrets))
  }
}

export function createContext(order: Order, loaded: LoadedConfig): DoctorContext {
  const { env } = process
  const warnings: [WarningCode, string][] = []
  const logger: AuthConfig['logger'] = {
    warn: (code, ...message) => void warnings.push([code, message.join(' ')]),
  }
  // The defaults of development, such as its public secret, are not examined.
  const config = withEnvDefaults(
    { ...env, NODE_ENV: 'production' },
    { ...(loaded.given ?? { providers: [] }), logger },
    loaded.announced?.basePath ?? (loaded.given ? BASE_PATH : '/api/auth'),
  )
  const entries = parseProviders(config.providers)
  const http = runsInProduction() ? 'none' : 'loopback'
  const { fetch, redirectProxyUrl } = config
  const isUsable = ({ redirectProxyUrl: own = redirectProxyUrl }: OAuthConfig) =>
    !own || URL.canParse(own)
  const origin = config.origin?.replace(/\/$/, '')
  return {
    ...loaded,
    order,
    url: order.url === undefined ? undefined : new URL(order.url),
    env,
    config,
    providers: entries.providers,
    clients: entries.providers
      .filter(isOAuth)
      .filter(isUsable)
      .map((each) => resolveProvider(each, { fetch, http, redirectProxyUrl })),
    problems: listProblems({ ...entries, config, http }),
    warnings,
    origin: origin !== undefined && isOrigin(origin) ? origin : undefined,
    basePath: normalizeBasePath(config.basePath ?? ''),
    offsets: new Map(),
    quote: quoter(env, config),
  }
}

export function locateVariable(name: string, { order: { sources } }: DoctorContext): string {
  return sources[name] ? `${name} in ${sources[name]}` : name
}

/** Where the URL of the site is set; `other` without a variable. */
export function locateUrl(context: DoctorContext, other = ''): string {
  return locateVariable(findName(context.env, URL_NAMES) ?? other, context)
}
