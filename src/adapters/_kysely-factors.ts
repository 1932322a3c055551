/** The table `factors` in SQL. */
import { sql } from 'kysely'
import { columnSql, matches } from './_kysely.ts'
import type { SqlTable } from './_kysely.ts'
import { assignments, hasChanged } from './_kysely-statements.ts'
import type { Run } from './_kysely-statements.ts'
import type { FactorRows, TableRows } from './_methods.ts'
import type { StoredFactor } from '../core/database/adapter.ts'

/** The factors of a table. @param rows - the rows of the same table */
export function kyselyFactors(
  table: SqlTable,
  rows: TableRows<StoredFactor>,
  run: Run,
): FactorRows {
  const lastStep = columnSql(table, 'lastStep')
  return {
    ...rows,
    use: async (id, step) =>
      hasChanged(
        run,
        table,
        sql`update ${table.sqlName} set ${assignments(table, { lastStep: step, confirmed: true })} where ${matches(table, { id })} and (${lastStep} is null or ${lastStep} < ${step})`,
      ),
  }
}
