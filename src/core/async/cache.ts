import type { Awaitable } from '../types.ts'

/**
 * Calls `load` on first use and caches the result, because `import()` costs time; failures are not cached. Synchronous
 * once it is loaded.
 */
/* @__NO_SIDE_EFFECTS__ */
export function lazily<T>(load: () => Promise<T>): () => Awaitable<T> {
  let loaded: Awaitable<T> | undefined
  return () =>
    (loaded ??= load().then(
      (result) => (loaded = result),
      (error: unknown) => {
        loaded = undefined
        throw error
      },
    ))
}

/** Sets an entry; evicts the oldest one when there are `limit` entries. */
export function setBounded<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], limit: number): V {
  const [oldest] = map.keys()
  if (map.size >= limit && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
  return value
}

/** Calls `create` once for each key, and caches the result while the key exists. */
/* @__NO_SIDE_EFFECTS__ */
export function oncePerKey<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = create(key)
    results.set(key, result)
    return result
  }
}
