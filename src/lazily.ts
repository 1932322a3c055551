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
