/** Drizzle's query builders without their types, which differ by dialect. */
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import type { Awaitable } from '../../types.ts'
import { characterSetAdvice } from '../_character-set.ts'
import { missingTableMessage } from '../_missing.ts'

/** A Drizzle database or transaction, of any dialect. */
export interface DrizzleDatabase {
  select(fields?: object): object
  insert(table: object): object
  update(table: object): object
  delete(table: object): object
  transaction<T>(work: (transaction: DrizzleDatabase) => Promise<T>): Awaitable<T>
}

/** A Drizzle table with these columns. */
export type DrizzleTable<Field extends string> = Table & Readonly<Record<Field, AnyColumn>>

/** A query under construction; awaiting it runs it. */
export interface Query extends PromiseLike<unknown> {
  from(table: Table): Query
  innerJoin(table: Table, on: SQL): Query
  where(condition: SQL | undefined): Query
  limit(count: number): Query
  values(row: object): Query
  set(changes: object): Query
  /** Missing in MySQL. */
  returning?(): Query
  /** MySQL only: returns the auto-increment id. */
  $returningId?(): Query
}

const NO_DATABASE =
  'DrizzleAdapter needs a database of drizzle-orm 0.34 or newer as its first argument. To update: npm install drizzle-orm@latest'

export function requireDatabase(db: DrizzleDatabase): void {
  const methods = ['select', 'insert', 'update', 'delete', 'transaction'] as const
  if (!methods.every((method) => typeof db?.[method] === 'function'))
    throw new TypeError(NO_DATABASE)
}

function isQuery(value: object): value is Query {
  return 'from' in value || 'values' in value || 'set' in value || 'where' in value
}

export function query(begun: object): Query {
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

/** The number of affected rows, as MySQL drivers report it. */
export async function countOf(built: Query): Promise<number> {
  const answer = await runQuery(built)
  const header: unknown = Array.isArray(answer) ? answer[0] : answer
  if (typeof header !== 'object' || header === null || !('affectedRows' in header)) return 0
  return typeof header.affectedRows === 'number' ? header.affectedRows : 0
}
