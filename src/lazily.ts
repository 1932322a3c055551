/**
 * Calls `load` with the first use and keeps what it gave: importing what is loaded already takes time, too. What
 * failed is tried again.
 */
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
