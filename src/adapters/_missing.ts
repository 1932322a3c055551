/** SQLite reports a message, PostgreSQL an SQLSTATE, MySQL an error number. */
const WORDS = /no such (?:table|column)|has no column named/i
const CODES: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000', 1146, 1054])

/** The message about a missing table or column, from the error or its cause; `null` for any other error. */
export function missingTableMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, errno, message, cause }: Error & { code?: unknown; errno?: unknown } = error
  const isMissing = CODES.has(code) || CODES.has(errno) || (!cause && WORDS.test(message))
  return isMissing ? message : missingTableMessage(cause)
}
