/** One after another, thousands would exceed the time of a request. */
const AT_ONCE = 20

/** Runs for each item, some at the same time, also after a failure. @throws the first error, when all have run */
export async function forEachAtOnce<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
): Promise<void> {
  const results: PromiseSettledResult<unknown>[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.allSettled(items.slice(at, at + AT_ONCE).map(run))))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
