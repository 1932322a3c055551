/** What was typed does not say what to do. */
export class UsageError extends Error {
  override name = 'UsageError'
}
