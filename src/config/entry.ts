/** One entry of the `providers` list, whichever way it was written. */
import { InvalidConfiguration } from '../errors/configuration.ts'
import { merge } from './merge.ts'
import type { ProviderConfig } from './provider.ts'

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'credentials'])

function isProviderConfig(value: object): value is ProviderConfig {
  return (
    'id' in value &&
    typeof value.id === 'string' &&
    value.id !== '' &&
    'type' in value &&
    TYPES.has(value.type)
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** What the entry says, not yet merged with what the application set. */
function instance(entry: unknown, options: object | undefined): unknown {
  if (typeof entry !== 'function') return entry
  return Reflect.apply(entry, undefined, options ? [options] : [])
}

/** The provider of an entry, or what is wrong with it. */
function parseEntry(entry: unknown, options?: object): ProviderConfig | InvalidConfiguration {
  const provider = instance(entry, options)
  if (!isObject(provider)) return new InvalidConfiguration('An entry of providers is no provider.')
  const { options: own, ...defaults } = provider
  const merged = merge(defaults, isObject(own) ? own : {})
  if (isProviderConfig(merged)) return merged
  return new InvalidConfiguration(
    `Provider ${String(merged['id'])} needs an id and one of the types oauth, oidc and credentials.`,
  )
}

/**
 * The provider of an entry, with the options of the application merged in. Data is copied; the entry
 * itself is not changed.
 *
 * @param options - what a factory is called with
 * @throws InvalidConfiguration when it is no provider
 */
export function readEntry(entry: unknown, options?: object): ProviderConfig {
  const provider = parseEntry(entry, options)
  if (provider instanceof InvalidConfiguration) throw provider
  return provider
}

/** The providers of a list, and what is wrong with entries that are none. */
export function readEntries(list: readonly unknown[]): {
  readonly providers: readonly ProviderConfig[]
  readonly problems: readonly InvalidConfiguration[]
} {
  const parsed = list.map((entry) => parseEntry(entry))
  return {
    providers: parsed.flatMap((each) => (each instanceof InvalidConfiguration ? [] : [each])),
    problems: parsed.filter((each) => each instanceof InvalidConfiguration),
  }
}
