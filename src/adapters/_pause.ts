/** Yields to the event loop, which awaiting a synchronous driver does not do. */
export function pause(): Promise<void> {
  // Not `setImmediate`: some runtimes lack it.
  return new Promise((resolve) => void setTimeout(resolve, 0))
}
