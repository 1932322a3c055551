/** Rejects with the error of `work`, not with that of the rollback, which fails if SQLite has already rolled back. */
export async function transact<Inner, T>(
  begin: (work: (inner: Inner) => Promise<T>) => Promise<T>,
  work: (inner: Inner) => Promise<T>,
): Promise<T> {
  const errors: unknown[] = []
  try {
    return await begin(async (inner) => {
      try {
        return await work(inner)
      } catch (error) {
        errors.push(error)
        throw error
      }
    })
  } catch (error) {
    throw errors.length > 0 ? errors.at(-1) : error
  }
}
