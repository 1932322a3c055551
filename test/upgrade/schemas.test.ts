/** An application keeps what `lib-auth schema` of an earlier release printed: this release works with it. */
import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, describe, expect, test } from 'vitest'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import { drizzleSchema, prismaSchema } from '../../src/cli/schema.ts'
import type { PrintedTables } from '../adapters/drizzle-printed.ts'
import { OPTIONS } from './databases.ts'
import { frozenVersions } from './frozen.ts'
import type { FullAdapter } from './rows.ts'
import { testRows } from './rows-suite.ts'
import { hasSchemas, SCHEMAS } from './schemas.ts'

const here = new URL('./', import.meta.url)
const versions = frozenVersions().filter((version) => hasSchemas(version))

/** The lines of each table or model, by its name. */
function linesOf(text: string): Record<string, string[]> {
  const parts = text
    .split(/^(?=model |export const )/m)
    .filter((part) => !part.startsWith('import'))
  return Object.fromEntries(
    parts.map((part) => [/^(?:model|export const) (\w+)/.exec(part)?.[1], part.trim().split('\n')]),
  )
}

const postgres = new PGlite()
afterAll(() => postgres.close())

describe.each(versions)('of %s', (version) => {
  const read = (file: string) => readFileSync(new URL(`${version}/database/${file}`, here), 'utf8')

  test.each(SCHEMAS)('each column of %s is printed as before', (file, adapter, dialect) => {
    const print = adapter === 'prisma' ? prismaSchema : drizzleSchema
    const current = linesOf(print(dialect, OPTIONS))
    const frozen = Object.entries(linesOf(read(file)))
    expect(frozen).toHaveLength(8)
    for (const [table, lines] of frozen)
      expect(current[table]).toEqual(expect.arrayContaining(lines))
  })

  describe('with the tables for Drizzle, the rows in PostgreSQL', () => {
    testRows({ version, store: 'rows.postgres' }, async () => {
      await postgres.exec('drop schema public cascade; create schema public')
      await postgres.exec(read('rows.postgres.sql'))
      const tables: PrintedTables = await import(`./${version}/database/drizzle.postgres.ts`)
      const adapter = DrizzleAdapter(drizzle({ client: postgres }), tables, OPTIONS) as FullAdapter
      return {
        adapter,
        dump: async () => (await postgres.query('select * from users order by id')).rows,
        close: async () => undefined,
      }
    })
  })
})
