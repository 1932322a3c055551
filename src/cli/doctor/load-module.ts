/** Loads the module of an application that makes its configuration. */
import module from 'node:module'
import { pathToFileURL } from 'node:url'
import { listen } from '../../announce.ts'
import type { AuthConfig } from '../../config/types.ts'
import { within } from '../../deadline.ts'
import * as hooks from './hooks.ts'

/** Milliseconds a module may take: one that waits for a database that is not there would never be done. */
const LIMIT = 10_000

/** What was found in a module. */
export interface Found {
  readonly source: unknown
  /** Who has it: the wrapper it was given to, or the module itself. */
  readonly by: 'Lib' | 'export'
}

/** Newer versions of Node call hooks in the same thread. */
function installHooks(): void {
  const register: unknown = Reflect.get(module, 'registerHooks')
  if (typeof register === 'function') Reflect.apply(register, module, [{ ...hooks }])
  else module.register(new URL('./hooks.js', import.meta.url))
}

/** Whether this looks like a configuration. Next calls something else `config`, too. */
export function isConfig(value: unknown): value is AuthConfig {
  return (
    typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, 'providers'))
  )
}

const NAMES = ['config', 'authConfig', 'authOptions', 'options', 'default']

/**
 * The configuration of a module: what it gave to `Lib`, else what it exports.
 *
 * @returns `undefined` when there is none
 * @throws what the module throws
 */
export async function findConfig(path: string): Promise<Found | undefined> {
  installHooks()
  const heard = listen()
  const loading: Promise<object> = import(pathToFileURL(path).href)
  const loaded = await within(loading, {
    what: path,
    limit: LIMIT,
    tooLate: (text) => new Error(text),
  })
  // The last one is that of the module itself, which runs after those that it imports.
  const given = [...heard].at(-1)
  if (given !== undefined) return { source: given, by: 'Lib' }
  const source = NAMES.map((name): unknown => Reflect.get(loaded, name)).find(isConfig)
  return source && { source, by: 'export' }
}
