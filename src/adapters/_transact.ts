/** Transactions of a client, with the error that ended them. */

/**
 * Runs a transaction; rejects with the error of the work. A client rolls back after it, which fails where the database
 * has done that already (a full disk in SQLite), and then reports only the error of the rollback.
 */
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
