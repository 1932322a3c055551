/** What the checks examine: the configuration, the environment and the site; and what they find. */
import nodeModule from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { collectConfigurations } from '../../announce.ts'
import type { Announced } from '../../announce.ts'
import { normalizeBasePath } from '../../base-path.ts'
import type { WarningCode } from '../../codes.ts'
import { withEnvDefaults } from '../../config/env.ts'
import type { OAuthConfig, ProviderConfig } from '../../config/provider.ts'
import type { AuthConfig } from '../../config/types.ts'
import { isOAuth, parseProviders } from '../../config/provider-list.ts'
import { problemsOf } from '../../config/validate.ts'
import { BASE_PATH } from '../../defaults.ts'
import type { AuthError } from '../../errors/base.ts'
import { withoutLink } from '../../errors/base.ts'
import { resolveProvider } from '../../flows/oauth/provider.ts'
import type { ConfiguredProvider } from '../../flows/oauth/provider.ts'
import { isOrigin } from '../../http/origin.ts'
import { redactSecrets } from '../../log/redact-error.ts'
import { plainText, secretsIn } from '../../log/redact.ts'
import { withTimeout } from '../../timeout.ts'
import { runsInProduction } from '../../variables.ts'
import type { Environment } from '../../variables.ts'
import { moduleOfFramework } from '../application.ts'
import { messageOf } from '../errors.ts'
import * as hooks from './hooks.ts'

/** Milliseconds: a module that waits for a database that is down would never be loaded. */
const TIMEOUT = 10_000
/** The message about a named import from a module with a default export. */
const NAMED_IMPORT =
  /'(lib-auth\/(?:next|(?:providers|adapters)\/(?!sqlite)[\w-]+))' does not provide an export named '(\w+)'/
/** The message about an import of `Lib` from the module without frameworks, and about other default imports. */
const IMPORT_OF_LIB =
  /'lib-auth' does not provide an export named '(?:default|Lib|LibAuth|NextAuth)'/
const DEFAULT_IMPORT = /'(lib-auth\/[\w/-]+)' does not provide an export named 'default'/
const EXPORTS = ['config', 'authConfig', 'authOptions', 'options', 'default']

/** `warning`: it works, but needs attention; `error`: it fails, or is not secure. */
type Level = 'ok' | 'warning' | 'error'

export interface Finding {
  readonly level: Level
  /** The subject: "secret", "provider github". */
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
  /** The `.env` files, and which of them sets each variable that is not in the environment of the process. */
  readonly files: readonly string[]
  readonly sources: Readonly<Record<string, string>>
}

interface LoadedConfig {
  /** As the application wrote it; `undefined` if it could not be loaded. */
  readonly given: AuthConfig | undefined
  /** What the module passes to `Lib`. */
  readonly announced: Announced | undefined
  readonly loading: Finding
}

export interface Subject extends LoadedConfig {
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

export type Check = (subject: Subject) => Iterable<Finding> | Promise<Iterable<Finding>>

const SECRET_VARIABLE = /SECRET|TOKEN|PASS|KEY|PRIVATE|CREDENTIAL|AUTH_.*_ID$/

function quoter(env: Environment, config?: AuthConfig): Subject['quote'] {
  const secrets = Object.entries(env).flatMap(([name, value]) => {
    const { username, password } = new URL(URL.canParse(String(value)) ? String(value) : 'no:url')
    return username || password || SECRET_VARIABLE.test(name) ? [value, password] : []
  })
  secrets.push(config?.secret, config?.jwt?.secret, config?.redirectProxySecret)
  secrets.push(...secretsIn(config?.providers))
  return (error) => {
    const outer: { readonly cause?: unknown } = Object(error)
    const cause: unknown = Object(outer.cause).err ?? outer.cause
    const message =
      withoutLink(messageOf(error)) + (cause instanceof Error ? ` (${messageOf(cause)})` : '')
    const line = stripVTControlCharacters(message).replace(/\s*\n\s*/g, ' ')
    return plainText(redactSecrets(line.trim(), secrets))
  }
}

function isConfig(value: unknown): value is AuthConfig {
  return Array.isArray(Object(value).providers)
}

/** Returns what the module passes to `Lib`, else its first export that is a configuration. @throws Error without either */
async function importConfig(path: string): Promise<Pick<Subject, 'given' | 'announced'>> {
  // Since Node.js 22.15, hooks run in the same thread.
  const register: unknown = Reflect.get(nodeModule, 'registerHooks')
  if (typeof register === 'function') Reflect.apply(register, nodeModule, [{ ...hooks }])
  else nodeModule.register(new URL('./hooks.js', import.meta.url))
  process.exit = (code) => {
    throw new Error(`it ended the process (exit code ${code ?? 0}).`)
  }
  const passed = collectConfigurations()
  const loading: Promise<object> = import(pathToFileURL(path).href)
  const timeoutError = (message: string) => new Error(message)
  const loaded = await withTimeout(loading, { what: path, timeout: TIMEOUT, timeoutError })
  // Imported modules run first, so the last one is that of the module itself.
  const announced = passed.at(-1)
  const source =
    announced?.configuration ??
    EXPORTS.map((name): unknown => Reflect.get(loaded, name)).find(isConfig)
  // A configuration per request is a function; Next.js passes no request either in places.
  const config: unknown =
    typeof source === 'function' ? await Reflect.apply(source, undefined, [undefined]) : source
  if (isConfig(config)) return { given: config, announced }
  throw new Error('it neither calls Lib() nor exports an object with providers.')
}

/** What to import instead of a name that a module does not have. */
function importAdvice(message: string, folder: string): string {
  const [, source, name] = NAMED_IMPORT.exec(message) ?? []
  const [, other] = DEFAULT_IMPORT.exec(message) ?? []
  if (IMPORT_OF_LIB.test(message)) return `Write import Lib from '${moduleOfFramework(folder)}'. `
  if (other) return `${other} has no default export: write import { … } from '${other}'. `
  return source ? `Write import ${name} from '${source}', or import type if it is a type. ` : ''
}

/** Loads the configuration; the checks run without it if that fails. */
async function loadConfig({ folder, module }: Order): Promise<LoadedConfig> {
  const { ok, warning, error } = topic('configuration')
  if (module === undefined) {
    const loading = warning`no auth.ts in ${folder}, nor in its folders src, lib and server. → Name the module: --config <file>`
    return { given: undefined, announced: undefined, loading }
  }
  try {
    const imported = await importConfig(resolve(folder, module))
    const place = imported.announced ? 'the argument of Lib()' : 'an export'
    return { ...imported, loading: ok`${place} in ${module}.` }
  } catch (cause) {
    const why = quoter(process.env)(cause)
    const loading = error`${module} cannot be loaded: ${why} → ${importAdvice(why, folder)}The remaining checks ran without it. To name another module, for example one with fewer imports: --config <file>`
    return { given: undefined, announced: undefined, loading }
  }
}

export async function createSubject(order: Order): Promise<Subject> {
  const { env } = process
  const loaded = await loadConfig(order)
  const warnings: [WarningCode, string][] = []
  const logger: AuthConfig['logger'] = {
    warn: (code, ...message) => void warnings.push([code, message.join(' ')]),
  }
  // The defaults of development, such as its public secret, are not examined.
  const config = withEnvDefaults(
    { ...env, NODE_ENV: 'production' },
    { providers: [], ...loaded.given, logger },
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
    problems: problemsOf({ ...entries, config, http }),
    warnings,
    origin: origin !== undefined && isOrigin(origin) ? origin : undefined,
    basePath: normalizeBasePath(config.basePath ?? ''),
    offsets: new Map(),
    quote: quoter(env, config),
  }
}

export function placeOf(name: string, { order: { sources } }: Subject): string {
  return sources[name] ? `${name} in ${sources[name]}` : name
}
