/** Lets others have a turn: what is synchronous underneath gives them none, however often it is waited for. */
export function pause(): Promise<void> {
  // Not `setImmediate`: some runtimes have none.
  return new Promise((resolve) => void setTimeout(resolve, 0))
}
