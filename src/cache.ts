/** Calls `load` on first use and caches the result, because `import()` costs time; failures are not cached. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  const start = async (): Promise<T> => {
    try {
      return await load()
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  return () => (loading ??= start())
}

/** Sets an entry; evicts the oldest one when there are `limit` entries. */
export function setBounded<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], limit: number): V {
  const [oldest] = map.keys()
  if (map.size >= limit && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
  return value
}
