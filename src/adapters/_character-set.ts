/** Detects errors of MySQL tables that predate utf8mb4: they cannot store an emoji or compare a column with one. */
import type { NamedTable } from './_schema.ts'

/** Error numbers. 1366 is not one of them: MySQL also reports invalid numbers with it. */
const CODES: ReadonlySet<unknown> = new Set([1267, 1270, 1271, 3988])
/** The message of the database after a prefix of the driver or Prisma; values quoted in the message do not match. */
const WORDS =
  /^(?:\([^()]*\):? |.*Code: `(?:1366|1267|1270|1271|3988)`\. Message: `)?(?:incorrect string value: '|illegal mix of collations )/is

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errno, message, cause }: Error & { errno?: unknown } = error
  if (cause instanceof Error) return isRefused(cause)
  if (CODES.has(errno)) return true
  return (errno === undefined || errno === 1366) && WORDS.test(message)
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

export function characterSetAdvice(
  error: unknown,
  { schema, name }: Pick<NamedTable, 'schema' | 'name'> = { schema: undefined, name: '…' },
): string | null {
  if (!isRefused(error)) return null
  const table = [schema, name]
    .filter((part) => part !== undefined)
    .map(quoted)
    .join('.')
  return `The character set of the table cannot hold this text, which may be an emoji. Run, for this table and the others of the adapter: ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; foreign keys between them have to be dropped before, and added again afterwards.`
}
