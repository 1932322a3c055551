/** Recognizes errors of a database that the developer can fix, behind any driver or ORM. */
import type { NamedTable } from './_schema.ts'

/** SQLite reports a message, PostgreSQL an SQLSTATE, MySQL an error number. */
const MISSING_TABLE_MESSAGE = /no such (?:table|column)|has no column named/i
const MISSING_TABLE_CODES: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000', 1146, 1054])

/** The message about a missing table or column, from the error or its cause; `null` for any other error. */
export function missingTableMessage(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, errno, message, cause }: Error & { code?: unknown; errno?: unknown } = error
  const isMissing =
    MISSING_TABLE_CODES.has(code) ||
    MISSING_TABLE_CODES.has(errno) ||
    (!cause && MISSING_TABLE_MESSAGE.test(message))
  return isMissing ? message : missingTableMessage(cause)
}

/** MySQL, PostgreSQL, and Prisma on both. */
const DEADLOCK_CODES: ReadonlySet<unknown> = new Set([1213, '40P01', 'P2034'])

/** Whether the database has ended the statement because of another one that continues, so that it can be repeated. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errno, cause }: Error & { code?: unknown; errno?: unknown } = error
  return DEADLOCK_CODES.has(code) || DEADLOCK_CODES.has(errno) || isDeadlock(cause)
}

/** Error numbers. 1366 is not one of them: MySQL also reports invalid numbers with it. */
const CHARACTER_SET_CODES: ReadonlySet<unknown> = new Set([1267, 1270, 1271, 3988])
/** The message of the database after a prefix of the driver or Prisma; values quoted in the message do not match. */
const CHARACTER_SET_MESSAGE =
  /^(?:\([^()]*\):? |.*Code: `(?:1366|1267|1270|1271|3988)`\. Message: `)?(?:incorrect string value: '|illegal mix of collations )/is

function isCharacterSetError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errno, message, cause }: Error & { errno?: unknown } = error
  if (cause instanceof Error) return isCharacterSetError(cause)
  if (CHARACTER_SET_CODES.has(errno)) return true
  return (errno === undefined || errno === 1366) && CHARACTER_SET_MESSAGE.test(message)
}

/** How to convert a MySQL table that predates utf8mb4, and cannot store an emoji or compare a column with one. */
export function characterSetAdvice(
  error: unknown,
  { schema, name }: Pick<NamedTable, 'schema' | 'name'> = { schema: undefined, name: '…' },
): string | null {
  if (!isCharacterSetError(error)) return null
  const table = [schema, name]
    .filter((part) => part !== undefined)
    .map((part) => `\`${part.replaceAll('`', '``')}\``)
    .join('.')
  return `The character set of the table cannot hold this text, which may be an emoji. Run, for this table and the others of the adapter: ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; foreign keys between them have to be dropped before, and added again afterwards.`
}
