/** Loads the configuration of an application. */
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listen } from '../../announce.ts'
import type { AuthConfig } from '../../config/types.ts'
import { within } from '../../deadline.ts'
import { AuthError } from '../../errors.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import * as hooks from './hooks.ts'
import { adviceOf } from './problems.ts'

const { ok, error } = topic('configuration')

/** Milliseconds: a module that waits for a database that is down would never be loaded. */
const LIMIT = 10_000
const EXPORTS = ['config', 'authConfig', 'authOptions', 'options', 'default']

export interface LoadedConfig {
  readonly config?: AuthConfig
  /** Whether the module passes it to `Lib`. */
  readonly usesLib: boolean
  readonly finding?: Finding
}

function isConfig(value: unknown): value is AuthConfig {
  return (
    typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, 'providers'))
  )
}

/** Imports the module, and returns what it passed to `Lib`, else its first export that is a configuration. */
async function importConfig(path: string) {
  // Since Node.js 22.15, hooks run in the same thread.
  const register: unknown = Reflect.get(module, 'registerHooks')
  if (typeof register === 'function') Reflect.apply(register, module, [{ ...hooks }])
  else module.register(new URL('./hooks.js', import.meta.url))
  const passed = listen()
  const loading: Promise<object> = import(pathToFileURL(path).href)
  const tooLate = (message: string) => new Error(message)
  const loaded = await within(loading, { what: path, limit: LIMIT, tooLate })
  // Imported modules run first, so the last one is that of the module itself.
  const last = [...passed].at(-1)
  const source = last ?? EXPORTS.map((name): unknown => Reflect.get(loaded, name)).find(isConfig)
  // A configuration per request is a function; Next.js passes no request either in places.
  const config: unknown =
    typeof source === 'function' ? await Reflect.apply(source, undefined, [undefined]) : source
  return { config, usesLib: last !== undefined }
}

export async function loadConfig(
  folder: string,
  name: string,
  quote: (error: unknown) => string,
): Promise<LoadedConfig> {
  try {
    const { config, usesLib } = await importConfig(join(folder, name))
    if (isConfig(config)) {
      const place = usesLib ? 'the argument of Lib()' : 'an export'
      return { config, usesLib, finding: ok`${place} in ${name}.` }
    }
    const finding = error`${name} neither calls Lib() nor exports an object with providers. → Export it as config, or name another module: --config <file>`
    return { usesLib: false, finding }
  } catch (cause) {
    const advice = cause instanceof AuthError ? adviceOf(cause) : undefined
    const finding = advice
      ? error`${name} throws: ${advice.what} → ${advice.write}`
      : error`${name} cannot be loaded: ${quote(cause)} → The remaining checks ran without it. Move the configuration into a module with fewer imports: --config <file>`
    return { usesLib: false, finding }
  }
}
