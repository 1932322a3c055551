/** One entry of the `providers` list, whichever way it was written. */
import { InvalidConfiguration } from '../errors/configuration.ts'
import { merge } from './merge.ts'
import type { ProviderConfig } from './provider.ts'

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'email', 'credentials'])

function isProviderConfig(value: object): value is ProviderConfig {
  return 'id' in value && typeof value.id === 'string' && 'type' in value && TYPES.has(value.type)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** What the entry says, not yet merged with what the application set. */
function instance(entry: unknown, environment: object | undefined): unknown {
  if (typeof entry !== 'function') return entry
  return Reflect.apply(entry, undefined, environment ? [environment] : [])
}

/**
 * What the application says goes before the environment, and the environment before what the provider brings
 * along. An object without `options` is the application's as a whole.
 */
function layered(
  { options, ...rest }: Record<string, unknown>,
  environment: object,
): Record<string | symbol, unknown> {
  return isObject(options) ? merge(merge(rest, environment), options) : merge(environment, rest)
}

/** The provider of an entry, or what is wrong with it. */
function parseEntry(entry: unknown, environment?: object): ProviderConfig | InvalidConfiguration {
  const provider = instance(entry, environment)
  if (!isObject(provider)) return new InvalidConfiguration('An entry of providers is no provider.')
  const named = layered(provider, environment ?? {})
  const name = named['name'] || named['id']
  const merged: Record<string | symbol, unknown> = { ...named, name }
  if (isProviderConfig(merged)) return merged
  return new InvalidConfiguration(
    `Provider ${String(merged['id'])} needs an id and one of the types oauth, oidc, email and credentials.`,
  )
}

/**
 * The provider of an entry, with the options of the application merged in. Data is copied; the entry
 * itself is not changed.
 *
 * @param environment - what the environment says; a factory is called with it
 * @throws InvalidConfiguration when it is no provider
 */
export function readEntry(entry: unknown, environment: object): ProviderConfig {
  const provider = parseEntry(entry, environment)
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
