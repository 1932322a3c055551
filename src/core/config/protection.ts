import type { Adapter } from '../database/adapter.ts'
import { lazily } from '../async/cache.ts'
import { isRecord } from '../is-record.ts'
import { describeValue, mismatch } from './describe-value.ts'
import { LIMIT_NAMES } from './protection-options.ts'
import type { Protection, RateLimitStore } from './protection-options.ts'
import type { ProviderConfig } from './provider.ts'
import type { Awaitable } from '../types.ts'
import type { AuthConfig } from './types.ts'

/** Charges in a second: time is measured in milliseconds. */
const MAX_RATE = 1000
/** Seconds of a year. */
const MAX_PER: number = 365 * 24 * 60 * 60

/** With the fields of small options, such as a rate. */
function describeOption(value: unknown): string {
  if (!isRecord(value) || Object.keys(value).length > 4) return describeValue(value)
  const fields = Object.entries(value).map(([name, each]) => `${name}: ${describeValue(each)}`)
  return `{ ${fields.join(', ')} }`
}

/** A misspelt field, such as `hop`, must not be ignored. */
function hasOnly(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name))
}

function isRate(rate: Readonly<Record<string, unknown>>): boolean {
  const { burst, per } = rate
  if (typeof burst !== 'number' || typeof per !== 'number') return false
  const isInRange = burst > 0 && per > 0 && per <= MAX_PER && burst / per <= MAX_RATE
  return isInRange && Number.isSafeInteger(burst) && hasOnly(rate, ['burst', 'per'])
}

function* limitProblems(limits: Readonly<Record<string, unknown>>): Iterable<string> {
  for (const [name, rate] of Object.entries(limits)) {
    const option = `protection.limits[${JSON.stringify(name)}]`
    if (!LIMIT_NAMES.some((each) => each === name))
      yield `${option} is not a limit. Use one of: ${LIMIT_NAMES.join(', ')}.`
    else if (rate !== undefined && rate !== 'off' && !(isRecord(rate) && isRate(rate)))
      yield `${option} is not a rate or "off" (got ${describeOption(rate)}). Set attempts and seconds, at most a year: { burst: 5, per: 900 }.`
  }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

function isAddressSource(source: unknown): boolean {
  if (!isRecord(source)) return source === 'none' || isFunction(source)
  const { header, hops = 1 } = source
  if (typeof header !== 'string' || typeof hops !== 'number') return false
  const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(header)
  return isHeader && hops > 0 && Number.isSafeInteger(hops) && hasOnly(source, ['header', 'hops'])
}

function isStore(store: unknown): store is RateLimitStore {
  return isRecord(store) && isFunction(store['take']) && isFunction(store['giveBack'])
}

/** Tests of the options, and what to write if they fail. */
const OPTIONS: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  limits: [isRecord, 'an object such as { password: { burst: 5, per: 900 } }'],
  store: [isStore, 'an object with take and giveBack (set an adapter as store)'],
  clientAddress: [
    isAddressSource,
    '"none", a header such as { header: "x-forwarded-for", hops: 1 }, or a function of the headers',
  ],
  identifier: [isFunction, 'a function that returns the account'],
  onAttempt: [isFunction, 'a function that returns "allow", "refuse" or "challenge"'],
  knownBrowsers: [(value) => value === 'remembered' || value === 'off', '"remembered" or "off"'],
}

export function* protectionProblems(protection: unknown): Iterable<string> {
  if (protection === undefined || protection === 'off') return
  if (!isRecord(protection))
    return yield `${mismatch('protection', 'an object or "off"', protection)} Write { clientAddress: { header: "x-forwarded-for" } }.`
  for (const [name, value] of Object.entries(protection)) {
    const [isValid, expected = ''] = (Object.hasOwn(OPTIONS, name) && OPTIONS[name]) || []
    if (!isValid)
      yield `protection.${name} is not an option. Use one of: ${Object.keys(OPTIONS).join(', ')}.`
    else if (value !== undefined && !isValid(value))
      yield `protection.${name} is not ${expected} (got ${describeOption(value)}).`
  }
  const { limits } = protection
  if (isRecord(limits)) yield* limitProblems(limits)
}

/** A store that counts by itself, such as Redis, is used in place of its records. */
export function resolveProtection(
  { protection = {}, store: recordStore }: AuthConfig,
  adapter: Adapter | (() => Awaitable<Adapter>) | undefined,
): Protection | undefined {
  if (protection === 'off') return undefined
  const { store, clientAddress, ...options } = protection
  const given = store ?? recordStore ?? adapter
  const direct = (candidate: unknown) => (isStore(candidate) ? candidate : null)
  return {
    ...options,
    clientAddress: clientAddress === 'none' ? undefined : clientAddress,
    store:
      typeof given === 'function' ? lazily(async () => direct(await given())) : () => direct(given),
  }
}

/** Whether limits by client address protect these providers, but no address is configured, not even as unknown. */
export function lacksClientAddress(
  { protection = {} }: AuthConfig,
  providers: readonly ProviderConfig[],
): boolean {
  if (protection === 'off' || protection.clientAddress !== undefined) return false
  return providers.some(({ type }) => /^(?:credentials|email|webauthn)$/.test(type))
}
