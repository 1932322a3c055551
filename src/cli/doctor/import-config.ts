/** Imports the configuration of an application. */
import module from 'node:module'
import { pathToFileURL } from 'node:url'
import { listen } from '../../announce.ts'
import type { AuthConfig } from '../../config/types.ts'
import { withTimeout } from '../../timeout.ts'
import * as hooks from './hooks.ts'

/** Milliseconds: a module that waits for a database that is down would never be loaded. */
const TIMEOUT = 10_000
const EXPORTS = ['config', 'authConfig', 'authOptions', 'options', 'default']

export interface ImportedConfig {
  /** As the application wrote it; `undefined` if it could not be loaded. */
  readonly given: AuthConfig | undefined
  /** Whether the module passes it to `Lib`. */
  readonly usesLib: boolean
}

function isConfig(value: unknown): value is AuthConfig {
  return (
    typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, 'providers'))
  )
}

/** Imports the module, and returns what it passed to `Lib`, else its first export that is a configuration. @throws Error if there is none */
export async function importConfig(path: string): Promise<ImportedConfig> {
  // Since Node.js 22.15, hooks run in the same thread.
  const register: unknown = Reflect.get(module, 'registerHooks')
  if (typeof register === 'function') Reflect.apply(register, module, [{ ...hooks }])
  else module.register(new URL('./hooks.js', import.meta.url))
  process.exit = (code) => {
    throw new Error(`it ended the process (exit code ${code ?? 0}).`)
  }
  const passed = listen()
  const loading: Promise<object> = import(pathToFileURL(path).href)
  const timeoutError = (message: string) => new Error(message)
  const loaded = await withTimeout(loading, { what: path, timeout: TIMEOUT, timeoutError })
  // Imported modules run first, so the last one is that of the module itself.
  const last = [...passed].at(-1)
  const source = last ?? EXPORTS.map((name): unknown => Reflect.get(loaded, name)).find(isConfig)
  // A configuration per request is a function; Next.js passes no request either in places.
  const config: unknown =
    typeof source === 'function' ? await Reflect.apply(source, undefined, [undefined]) : source
  if (isConfig(config)) return { given: config, usesLib: last !== undefined }
  throw new Error('it neither calls Lib() nor exports an object with providers.')
}
