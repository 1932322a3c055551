/** Queries of Drizzle, whose types differ by dialect. */
import { eq, sql } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import type { Awaitable } from '../core/types.ts'
import { characterSetAdvice, missingTableMessage } from './_database-errors.ts'
import { plainRow } from './_rows.ts'

/** A Drizzle database or transaction, of any dialect. */
export interface DrizzleDatabase {
  select(fields?: object): object
  insert(table: object): object
  update(table: object): object
  delete(table: object): object
  transaction<T>(work: (transaction: DrizzleDatabase) => Promise<T>): Awaitable<T>
}

/** Awaiting a query runs it. */
export interface Query extends PromiseLike<unknown> {
  from(table: Table): Query
  innerJoin(table: Table, on: SQL): Query
  where(condition: SQL | undefined): Query
  limit(count: number): Query
  values(row: object): Query
  set(changes: object): Query
  /** Missing in MySQL, like `onConflictDoUpdate` and `onConflictDoNothing`. */
  returning?(): Query
  onConflictDoUpdate?(options: object): Query
  onConflictDoNothing?(options: object): Query
  /** MySQL only. */
  onDuplicateKeyUpdate?(options: object): Query
  /** MySQL only: returns the auto-increment id. */
  $returningId?(): Query
}

export const NO_DATABASE: string =
  'DrizzleAdapter needs a database of drizzle-orm 0.34 or newer as its first argument. To update: npm install drizzle-orm@latest'

function isQuery(value: object): value is Query {
  return 'from' in value || 'values' in value || 'set' in value || 'where' in value
}

/** Narrows what a method of the database returns. @throws TypeError if it is not a query */
export function asQuery(begun: object): Query {
  if (isQuery(begun)) return begun
  throw new TypeError(NO_DATABASE)
}

export async function runQuery(built: Query): Promise<unknown> {
  try {
    return await built
  } catch (error) {
    const advice = characterSetAdvice(error)
    if (advice !== null) throw new Error(`DrizzleAdapter: ${advice}`, { cause: error })
    const missing = missingTableMessage(error)
    if (missing === null) throw error
    throw new Error(
      `DrizzleAdapter: a table, or a column of it, is not in the database (${missing}). Run: npx drizzle-kit generate, and then: npx drizzle-kit migrate`,
      { cause: error },
    )
  }
}

export async function queryRows<Row extends object>(built: Query): Promise<Row[]> {
  const rows = await runQuery(built)
  return Array.isArray(rows) ? rows : []
}

/** Runs an update or delete. Returns the first changed row; in MySQL, the number of rows as its drivers report it. */
export async function changeRows<Row extends object>(built: Query): Promise<Row | null | number> {
  if (built.returning) {
    const [row] = await queryRows<Row>(built.returning())
    return row ? plainRow(row) : null
  }
  const answer = await runQuery(built)
  const header: unknown = Array.isArray(answer) ? answer[0] : answer
  if (typeof header !== 'object' || header === null || !('affectedRows' in header)) return 0
  return Number(header.affectedRows)
}

/** Runs an update or delete of one row, and returns whether it changed the row. */
export async function hasChanged(built: Query): Promise<boolean> {
  const changed = await changeRows(built)
  return typeof changed === 'number' ? changed > 0 : changed !== null
}

/** A condition on a text: the usual collations of MySQL, which has no `returning`, ignore case and trailing spaces. */
export function equalsExactly(
  column: AnyColumn,
  text: string,
  { hasReturning }: { readonly hasReturning: boolean },
): SQL {
  return hasReturning
    ? eq(column, text)
    : sql`cast(convert(${column} using utf8mb4) as binary) = cast(convert(${text} using utf8mb4) as binary)`
}
