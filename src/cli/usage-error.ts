/** Something the person at the terminal can put right: it is told without a stack. */
export class UsageError extends Error {
  override name = 'UsageError'
}
