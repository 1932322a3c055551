/** The table `passwords` in SQL. */
import { sql } from 'kysely'
import { matches } from './_kysely.ts'
import type { SqlTable } from './_kysely.ts'
import { assignments, hasChanged, insertInto, keyColumns } from './_kysely-statements.ts'
import type { Run } from './_kysely-statements.ts'
import type { TableRows } from './_methods.ts'
import { passwordRows } from './_passwords.ts'
import type { PasswordRows } from './_passwords.ts'
import type { StoredPassword } from '../core/database/adapter.ts'

/** The passwords of a table. @param rows - the rows of the same table */
export function kyselyPasswords(
  table: SqlTable,
  { list }: Pick<TableRows<StoredPassword>, 'list'>,
  run: Run,
): PasswordRows {
  const { sqlName, dialect } = table
  const changesTo = ({ hash, changed }: StoredPassword) => assignments(table, { hash, changed })
  const onConflict = sql`on conflict (${keyColumns(table)}) do`

  return passwordRows({
    list,
    insertIfNone: dialect.hasReturning
      ? async (row) => hasChanged(run, table, sql`${insertInto(table, row)} ${onConflict} nothing`)
      : null,
    insert: async (row) => run(insertInto(table, row)),
    async upsert(row) {
      const update = dialect.hasReturning
        ? sql`${onConflict} update set ${changesTo(row)}`
        : sql`on duplicate key update ${changesTo(row)}`
      await run(sql`${insertInto(table, row)} ${update}`)
    },
    async replace(row, hash) {
      const isStored = matches(table, { userId: row.userId, hash })
      return hasChanged(run, table, sql`update ${sqlName} set ${changesTo(row)} where ${isStored}`)
    },
    async delete(userId, hash) {
      const isStored = matches(table, hash === undefined ? { userId } : { userId, hash })
      return hasChanged(run, table, sql`delete from ${sqlName} where ${isStored}`)
    },
  })
}
