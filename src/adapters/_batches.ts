const BATCH = 1000

/** Deletes rows in batches, and yields between them to the event loop, which a synchronous driver would block. */
export async function inBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(BATCH)) >= BATCH)
    // Not `setImmediate`: some runtimes lack it.
    await new Promise((resolve) => void setTimeout(resolve, 0))
}
