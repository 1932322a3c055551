/** Tells when a table, or a column, is not there, and what to do about it. */
import type { NamedTable } from '../_schema.ts'

/** What databases say then: SQLite in words, PostgreSQL by SQLSTATE, MySQL by number. */
const WORDS = /no such (?:table|column)|has no column named/i
const CODES: ReadonlySet<unknown> = new Set(['42P01', '42703', '3F000', 1146, 1054])

function isMissing(error: Error): boolean {
  const { code, errno }: Error & { code?: unknown; errno?: unknown } = error
  return WORDS.test(error.message) || CODES.has(code) || CODES.has(errno)
}

/** The error, or one that says more. */
export function explained(error: unknown, { name, columns }: NamedTable): unknown {
  if (!(error instanceof Error) || !isMissing(error)) return error
  return new Error(
    `The table "${name}" is not in the database, or lacks one of the columns ${[...columns.values()].join(', ')}. Run: npx lib-auth migrate --url <url of the database>. If the tables have other names, say so in the options of the adapter.`,
    { cause: error },
  )
}
