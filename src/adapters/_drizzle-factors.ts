/** The table `factors` of Drizzle. */
import { and, isNull, lt, or } from 'drizzle-orm'
import type { AnyColumn, SQL, Table } from 'drizzle-orm'
import { asQuery, equalsExactly, hasChanged } from './_drizzle.ts'
import type { DrizzleDatabase } from './_drizzle.ts'
import type { FactorRows, Fields, TableRows } from './_methods.ts'
import type { StoredFactor } from '../core/database/adapter.ts'

export type FactorsTable = Table & Readonly<Record<keyof StoredFactor, AnyColumn>>

/** The factors of a table. @param rows - the rows of the same table, which `matches` selects */
export function drizzleFactors(
  db: DrizzleDatabase,
  table: FactorsTable,
  rows: TableRows<StoredFactor>,
  matches: (key: Fields) => SQL | undefined,
): FactorRows {
  return {
    ...rows,
    async use(id, step) {
      // The first condition uses the index, the second is exact.
      const isThis = and(matches({ id }), equalsExactly(table.id, id, rows))
      const isLower = or(isNull(table.lastStep), lt(table.lastStep, step))
      return hasChanged(
        asQuery(db.update(table))
          .set({ lastStep: step, confirmed: true })
          .where(and(isThis, isLower)),
      )
    },
  }
}
