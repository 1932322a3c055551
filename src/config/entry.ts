import { AuthError, withoutLink } from '../errors/base.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { describeKind, describeValue } from './describe-value.ts'
import { merge } from './merge.ts'
import type { ProviderConfig } from './provider.ts'

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'email', 'credentials'])

function isProviderConfig(value: object): value is ProviderConfig {
  return 'id' in value && typeof value.id === 'string' && 'type' in value && TYPES.has(value.type)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function instance(entry: unknown, environment: object | undefined): unknown {
  if (typeof entry !== 'function') return entry
  return Reflect.apply(entry, undefined, environment ? [environment] : [])
}

/** Precedence: application, environment, provider module. An object without `options` is all from the application. */
function layered(
  { options, ...rest }: Record<string, unknown>,
  environment: object,
): Record<string | symbol, unknown> {
  return isObject(options) ? merge(merge(rest, environment), options) : merge(environment, rest)
}

function refuse(entry: unknown, provider: unknown, place: string): AuthError {
  if (!isObject(provider)) {
    const what =
      typeof entry === 'function'
        ? `is a factory that returned ${describeKind(provider)}, not a provider`
        : `is not a provider object or factory (got ${describeKind(provider)})`
    const hint = entry === undefined ? ' Did a default import resolve to a module?' : ''
    return new InvalidConfiguration(`${place} ${what}.${hint}`)
  }
  const { id, type, default: exported } = provider
  if (typeof exported === 'function')
    return new InvalidConfiguration(`${place} is a module, not a provider. Use its default export.`)
  if (typeof id !== 'string')
    return new InvalidConfiguration(`${place} has no id. Set id to a string.`)
  return new InvalidConfiguration(
    `${place} (${id}) has an unknown type (got ${describeValue(type)}). Use oauth, oidc, email or credentials.`,
  )
}

function failed(error: unknown, place: string): AuthError {
  if (error instanceof AuthError)
    return new InvalidConfiguration(`${place}: ${withoutLink(error.message)}`)
  const cause = error instanceof Error ? error : undefined
  const what = cause ? `${cause.name}: ${cause.message}` : describeKind(error)
  return new InvalidConfiguration(`${place} threw ${what}.`, { cause })
}

function parseEntry(
  entry: unknown,
  { place, environment }: { readonly place: string; readonly environment?: object },
): ProviderConfig | AuthError {
  let provider: unknown
  try {
    provider = instance(entry, environment)
  } catch (error) {
    return failed(error, place)
  }
  if (!isObject(provider)) return refuse(entry, provider, place)
  const named = layered(provider, environment ?? {})
  const name = named['name'] || named['id']
  const merged: Record<string | symbol, unknown> = { ...named, name }
  return isProviderConfig(merged) ? merged : refuse(entry, merged, place)
}

/** Merges the options of the application into a copy of the provider; `null` if validation rejects the entry. */
export function readEntry(entry: unknown, environment: object): ProviderConfig | null {
  const provider = parseEntry(entry, { place: '', environment })
  return provider instanceof AuthError ? null : provider
}

export interface Entries {
  readonly providers: readonly ProviderConfig[]
  readonly problems: readonly AuthError[]
  readonly placeOf: (provider: ProviderConfig) => string
}

export function readEntries(list: unknown): Entries {
  if (!Array.isArray(list)) {
    const message = `providers is not an array (got ${describeKind(list)}). Write providers: [GitHub].`
    const placeOf = () => 'providers'
    return { providers: [], problems: [new InvalidConfiguration(message)], placeOf }
  }
  const parsed = list.map((entry: unknown, index) =>
    parseEntry(entry, { place: `providers[${index}]` }),
  )
  return {
    providers: parsed.flatMap((each) => (each instanceof AuthError ? [] : [each])),
    problems: parsed.flatMap((each) => (each instanceof AuthError ? [each] : [])),
    placeOf: (provider) => `providers[${parsed.indexOf(provider)}] (${provider.id})`,
  }
}
