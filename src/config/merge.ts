/** Lays what an application sets over what a provider brings along. */

type Data = Record<string | symbol, unknown>

/** Objects that are data, as opposed to keys, dates, URLs and other instances, which stay whole. */
function isData(value: unknown): value is Data {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Where a URL stands in for an object, so that parameters can be added to it. */
function asEndpoint(value: unknown): unknown {
  return typeof value === 'string' ? { url: value } : value
}

/**
 * A copy of `defaults` with `overrides` laid over it, at every depth. `undefined` leaves the default;
 * arrays and instances replace it as a whole; neither argument is changed.
 */
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
