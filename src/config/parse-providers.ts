import { AuthError, withoutLink } from '../errors/base.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { describeKind, describeValue } from './describe-value.ts'
import type { ProviderConfig } from './provider.ts'

type Data = Record<string | symbol, unknown>

/** Plain objects only: instances such as keys, dates and URLs are not merged. */
function isData(value: unknown): value is Data {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function asEndpoint(value: unknown): unknown {
  return typeof value === 'string' ? { url: value } : value
}

/** Deep-merges into a copy. `undefined` keeps the default; arrays and instances replace it. */
export function merge(defaults: object, overrides: object): Data {
  const merged: Data = { ...defaults }
  for (const key of Reflect.ownKeys(overrides)) {
    if (key === '__proto__') continue
    const value: unknown = Reflect.get(overrides, key)
    if (value === undefined) continue
    const current = isData(value) ? asEndpoint(merged[key]) : merged[key]
    merged[key] = isData(current) && isData(value) ? merge(current, value) : value
  }
  return merged
}

const TYPES: ReadonlySet<unknown> = new Set(['oauth', 'oidc', 'email', 'credentials'])

function isProviderConfig(value: object): value is ProviderConfig {
  return 'id' in value && typeof value.id === 'string' && 'type' in value && TYPES.has(value.type)
}

/** Precedence: application, environment, provider module. An object without `options` is all from the application. */
function withOptions(
  { options, ...rest }: Record<string, unknown>,
  environment: object,
): Record<string | symbol, unknown> {
  const merged = isRecord(options)
    ? merge(merge(rest, environment), options)
    : merge(environment, rest)
  return { ...merged, name: merged['name'] || merged['id'] }
}

function describeNonObject(entry: unknown, provider: unknown): string {
  const kind = describeKind(provider)
  if (typeof entry === 'function') return ` is a factory that returned ${kind}, not a provider.`
  const hint = entry === undefined ? ' Did a default import resolve to a module?' : ''
  return ` is not a provider object or factory (got ${kind}).${hint}`
}

function describeInvalid({ id, type, default: exported }: Record<string, unknown>): string {
  if (typeof exported === 'function') return ' is a module, not a provider. Use its default export.'
  if (typeof id !== 'string') return ' has no id. Set id to a string.'
  return ` (${id}) has an unknown type (got ${describeValue(type)}). Use oauth, oidc, email or credentials.`
}

function parse(
  entry: unknown,
  place: string,
  environment: object = {},
): ProviderConfig | AuthError {
  const invalid = (problem: string, cause?: Error) =>
    new InvalidConfiguration(place + problem, { cause })
  let provider = entry
  try {
    if (typeof entry === 'function') provider = Reflect.apply(entry, undefined, [environment])
  } catch (error) {
    if (error instanceof AuthError) return invalid(`: ${withoutLink(error.message)}`)
    if (error instanceof Error) return invalid(` threw ${error.name}: ${error.message}.`, error)
    return invalid(` threw ${describeKind(error)}.`)
  }
  if (!isRecord(provider)) return invalid(describeNonObject(entry, provider))
  const merged = withOptions(provider, environment)
  return isProviderConfig(merged) ? merged : invalid(describeInvalid(merged))
}

/** Merges the options of the application into a copy of the provider; `null` if validation rejects the entry. */
export function parseProvider(entry: unknown, environment: object): ProviderConfig | null {
  const provider = parse(entry, '', environment)
  return provider instanceof AuthError ? null : provider
}

export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[]
  /** The providers, with an error in place of each invalid entry. */
  readonly entries: readonly (ProviderConfig | AuthError)[]
}

export function parseProviders(list: unknown): ParsedProviders {
  const entries = Array.isArray(list)
    ? list.map((entry: unknown, index) => parse(entry, `providers[${index}]`))
    : [
        new InvalidConfiguration(
          `providers is not an array (got ${describeKind(list)}). Write providers: [GitHub].`,
        ),
      ]
  return { entries, providers: entries.flatMap((each) => (each instanceof AuthError ? [] : each)) }
}
