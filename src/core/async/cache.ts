import type { Awaitable } from '../types.ts'

/** Calls `load` on first use and caches the result, because `import()` costs time; failures are not cached. */
/* @__NO_SIDE_EFFECTS__ */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}

/** As {@link lazily}, but returns the result itself once there is one: a session read need not wait for a promise. */
/* @__NO_SIDE_EFFECTS__ */
export function lazilyOnce<T extends object>(load: () => Promise<T>): () => Awaitable<T> {
  let loaded: T | undefined
  const loading = lazily(async () => (loaded = await load()))
  return () => loaded ?? loading()
}

/** Loads modules that a later request needs, which reports an error if there is one. */
export function preload(...loads: readonly (() => Promise<unknown>)[]): void {
  for (const load of loads) void load().catch(() => undefined)
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
