import { AuthError, withoutLink } from '../errors/base.ts'
import { InvalidConfiguration } from '../errors/configuration.ts'
import { isRecord } from '../is-record.ts'
import { describeKind, describeValue } from './describe-value.ts'
import { merge } from './merge.ts'
import type { ProviderConfig } from './provider.ts'

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
  if (typeof entry === 'function') return `is a factory that returned ${kind}, not a provider.`
  const hint = entry === undefined ? ' Did a default import resolve to a module?' : ''
  return `is not a provider object or factory (got ${kind}).${hint}`
}

function describeInvalid({ id, type, default: exported }: Record<string, unknown>): string {
  if (typeof exported === 'function') return 'is a module, not a provider. Use its default export.'
  if (typeof id !== 'string') return 'has no id. Set id to a string.'
  return `(${id}) has an unknown type (got ${describeValue(type)}). Use oauth, oidc, email or credentials.`
}

function factoryError(error: unknown, place: string): AuthError {
  if (error instanceof AuthError)
    return new InvalidConfiguration(`${place}: ${withoutLink(error.message)}`)
  const cause = error instanceof Error ? error : undefined
  const thrown = cause ? `${cause.name}: ${cause.message}` : describeKind(error)
  return new InvalidConfiguration(`${place} threw ${thrown}.`, { cause })
}

function parse(entry: unknown, place: string, environment?: object): ProviderConfig | AuthError {
  let provider = entry
  try {
    if (typeof entry === 'function')
      provider = Reflect.apply(entry, undefined, environment ? [environment] : [])
  } catch (error) {
    return factoryError(error, place)
  }
  if (!isRecord(provider))
    return new InvalidConfiguration(`${place} ${describeNonObject(entry, provider)}`)
  const merged = withOptions(provider, environment ?? {})
  return isProviderConfig(merged)
    ? merged
    : new InvalidConfiguration(`${place} ${describeInvalid(merged)}`)
}

/** Merges the options of the application into a copy of the provider; `null` if validation rejects the entry. */
export function parseProvider(entry: unknown, environment: object): ProviderConfig | null {
  const provider = parse(entry, '', environment)
  return provider instanceof AuthError ? null : provider
}

export interface ParsedProviders {
  readonly providers: readonly ProviderConfig[]
  readonly problems: readonly AuthError[]
  readonly placeOf: (provider: ProviderConfig) => string
}

export function parseProviders(list: unknown): ParsedProviders {
  if (!Array.isArray(list)) {
    const message = `providers is not an array (got ${describeKind(list)}). Write providers: [GitHub].`
    const placeOf = () => 'providers'
    return { providers: [], problems: [new InvalidConfiguration(message)], placeOf }
  }
  const parsed = list.map((entry: unknown, index) => parse(entry, `providers[${index}]`))
  return {
    providers: parsed.flatMap((each) => (each instanceof AuthError ? [] : [each])),
    problems: parsed.filter((each) => each instanceof AuthError),
    placeOf: (provider) => `providers[${parsed.indexOf(provider)}] (${provider.id})`,
  }
}
