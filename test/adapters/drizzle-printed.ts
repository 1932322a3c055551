/** The tables that `lib-auth schema --adapter drizzle` prints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DrizzleTablesWithRecords } from '../../src/adapters/drizzle.ts'
import { drizzleSchema } from '../../src/cli/schema.ts'
import type { DrizzleDialect } from '../../src/cli/schema.ts'

/** Tables of Drizzle, as an application imports them. */
export async function printedTables(dialect: DrizzleDialect): Promise<DrizzleTablesWithRecords> {
  const folder = mkdtempSync(join(import.meta.dirname, '.generated-'))
  try {
    const file = join(folder, `${dialect}.ts`)
    writeFileSync(file, drizzleSchema(dialect, { with: ['records'] }))
    const tables: DrizzleTablesWithRecords = await import(file)
    return tables
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
