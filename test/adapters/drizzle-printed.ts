/** The tables that `lib-auth schema --adapter drizzle` prints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrizzleTablesWith, OptionalTable } from '../../src/adapters/drizzle.ts'
import { drizzleSchema } from '../../src/cli/schema.ts'
import type { DrizzleDialect } from '../../src/cli/schema.ts'

/** All tables. */
export type PrintedTables = DrizzleTablesWith<OptionalTable>

/** Tables of Drizzle, as an application imports them. */
export async function printedTables(dialect: DrizzleDialect): Promise<PrintedTables> {
  const folder = mkdtempSync(join(import.meta.dirname, '.generated-'))
  try {
    const file = join(folder, `${dialect}.ts`)
    writeFileSync(file, drizzleSchema(dialect, { with: ['records', 'factors', 'passwords'] }))
    const tables: PrintedTables = await import(file)
    return tables
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
