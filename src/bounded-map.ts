/** Sets an entry; evicts the oldest one when there are `limit` entries. */
export function setBounded<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], limit: number): V {
  const [oldest] = map.keys()
  if (map.size >= limit && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
  return value
}
