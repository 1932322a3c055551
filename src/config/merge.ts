type Data = Record<string | symbol, unknown>

/** Plain objects only: instances such as keys, dates and URLs are not merged. */
function isData(value: unknown): value is Data {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Turns a URL into an endpoint, so that parameters can be merged into it. */
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
