/** Loads the configuration of an application, or reports why it cannot be loaded. */
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { collectConfigurations } from '../../core/config/announce.ts'
import type { Announced } from '../../core/config/announce.ts'
import { isPromise } from '../../core/async/awaitable.ts'
import { describeKind } from '../../core/config/describe-value.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { isRecord } from '../../core/is-record.ts'
import { nearestName } from '../../core/config/nearest-name.ts'
import { withTimeout } from '../../core/async/timeout.ts'
import type { Awaitable } from '../../core/types.ts'
import { findFrameworkModule } from '../application.ts'
import { quoter, topic } from './context.ts'
import type { Finding, LoadedConfig, Order } from './context.ts'

/** Milliseconds: a module that waits for a database that is down would never be loaded. */
const TIMEOUT = 10_000
/** The message about a named import from a module with a default export. */
const NAMED_IMPORT =
  /'(lib-auth\/(?:next|(?:providers|adapters)\/(?!sqlite)[\w-]+))' does not provide an export named '(\w+)'/
/** The message about an import of `Lib` from the module without frameworks, and about other default imports. */
const IMPORT_OF_LIB =
  /'lib-auth' does not provide an export named '(?:default|Lib|LibAuth|NextAuth)'/
const DEFAULT_IMPORT = /'(lib-auth\/[\w/-]+)' does not provide an export named 'default'/
/** The message about a provider or adapter without a module: the folder of those that exist, its name, and the missing one. */
const MISSING_MODULE =
  /Cannot find module '(.+[/\\]lib-auth[/\\]dist[/\\](providers|adapters))[/\\]([\w-]+)\.js'/
const EXPORTS = ['config', 'authConfig', 'authOptions', 'options', 'default']
/** Exports that are called if they are functions; others may be servers or handlers. */
const FUNCTIONS = ['config', 'authConfig', 'authOptions']

type Exports = Readonly<Record<string, unknown>>

/** What an application passes to `Lib`: validation reports its problems. */
function isConfig(value: unknown): value is AuthConfig {
  return isRecord(value) && !isPromise(value)
}

/** Whether an exported object is a configuration, also with a misspelt `providers`. */
function hasProviders(value: unknown): value is AuthConfig {
  return isConfig(value) && nearestName('providers', Object.keys(value)) !== undefined
}

function inTime<T>(what: string, work: Awaitable<T>): Awaitable<T> {
  const timeoutError = (message: string) => new Error(message)
  return withTimeout(work, { what, timeout: TIMEOUT, timeoutError })
}

interface LoadedModule {
  readonly exports: Exports
  readonly announced: Announced | undefined
}

/** Loads a module, and notes what it passes to `Lib`. @throws what the module throws */
async function importModule(path: string): Promise<LoadedModule> {
  const passed = collectConfigurations()
  const loading: Promise<Exports> = import(pathToFileURL(path).href)
  const { default: exported, ...named } = await inTime(path, loading)
  // Node.js finds only some of the names in the exports of a CommonJS module.
  const exports = { ...(isRecord(exported) && exported), default: exported, ...named }
  // Imported modules run first, so the last one is that of the module itself.
  return { exports, announced: passed.at(-1) }
}

/** What to import instead of a provider or adapter that does not exist. */
function moduleAdvice(message: string): string {
  const [, folder, kind, name] = MISSING_MODULE.exec(message) ?? []
  if (!folder || !kind || !name) return ''
  const files = existsSync(folder) ? readdirSync(folder) : []
  const names = files.flatMap((file) => /^([a-z\d][\w-]*)\.js$/.exec(file)?.[1] ?? [])
  const nearest = nearestName(name, names)
  return nearest
    ? `Did you mean lib-auth/${kind}/${nearest}? `
    : `lib-auth has no module lib-auth/${kind}/${name}. `
}

/** What to import instead of a name that a module does not have. */
function importAdvice(message: string, folder: string): string {
  const [, source, name] = NAMED_IMPORT.exec(message) ?? []
  const [, other] = DEFAULT_IMPORT.exec(message) ?? []
  if (IMPORT_OF_LIB.test(message)) return `Write import Lib from '${findFrameworkModule(folder)}'. `
  if (other) return `${other} has no default export: write import { … } from '${other}'. `
  return source
    ? `Write import ${name} from '${source}', or import type if it is a type. `
    : moduleAdvice(message)
}

const { ok, warning, error } = topic('configuration')
const REST = 'The remaining checks ran without it.'
const EXPORT_ONE =
  'To check one configuration, such as that of one tenant, export it as config from a module, and name the module: --config <file>'

function noConfig({ exports }: LoadedModule, module: string): Finding {
  const functions = Object.keys(exports).filter((name) => typeof exports[name] === 'function')
  const problem = `${module} cannot be loaded: it neither calls Lib() nor exports an object with providers.`
  return functions.length > 0
    ? error`${problem} The functions that it exports were not called: ${functions.join(', ')}. → ${REST} ${EXPORT_ONE}`
    : error`${problem} → ${REST} To name another module, for example one with fewer imports: --config <file>`
}

type Source = (...request: readonly unknown[]) => unknown

function isFunction(value: unknown): value is Source {
  return typeof value === 'function'
}

/** Calls a function that returns the configuration. In some places Next.js passes no request either. */
async function callSource(
  source: Source,
  about: string,
): Promise<Pick<LoadedConfig, 'given' | 'loading'>> {
  const failed = (loading: Finding) => ({ given: undefined, loading })
  try {
    const given = await inTime('It', source(undefined))
    if (isConfig(given)) return { given, loading: ok`${about}, called without a request.` }
    return failed(
      error`${about} returned ${describeKind(given)}. → Return the configuration: { providers: [GitHub] }. ${REST}`,
    )
  } catch (cause) {
    const why = quoter(process.env)(cause)
    return failed(
      source.length > 0
        ? warning`${about} was called without a request, and failed: ${why} → ${REST} ${EXPORT_ONE}`
        : error`${about} failed, as every request will: ${why} → ${REST}`,
    )
  }
}

/** The configuration that a module passes to `Lib`, else the one that it exports. */
async function configIn(loaded: LoadedModule, module: string): Promise<LoadedConfig> {
  const { exports, announced } = loaded
  const exported = EXPORTS.map((name) => exports[name]).find(hasProviders)
  const passed = announced?.configuration
  const source = [passed, ...FUNCTIONS.map((name) => exports[name])].find(isFunction)
  if (isConfig(passed))
    return { given: passed, announced, loading: ok`the argument of Lib() in ${module}.` }
  if (exported) return { given: exported, announced, loading: ok`an export in ${module}.` }
  if (!source) return { given: undefined, announced, loading: noConfig(loaded, module) }
  const about = `the function ${announced ? 'in the argument of Lib()' : 'that is exported'} in ${module}`
  return { announced, ...(await callSource(source, about)) }
}

/** Loads the configuration; the checks run without it if that fails. */
export async function loadConfig({ folder, module }: Order): Promise<LoadedConfig> {
  const failed = (loading: Finding) => ({ given: undefined, announced: undefined, loading })
  if (module === undefined)
    return failed(
      warning`no auth.ts in ${folder}, nor in src, lib, server or app. → Name the module: --config <file>`,
    )
  try {
    return await configIn(await importModule(resolve(folder, module)), module)
  } catch (cause) {
    const why = quoter(process.env)(cause)
    return failed(
      error`${module} cannot be loaded: ${why} → ${importAdvice(why, folder)}${REST} To name another module, for example one with fewer imports: --config <file>`,
    )
  }
}
