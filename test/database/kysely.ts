/** Adapters over a Kysely instance, whatever the database: the contract in every form that tables can have. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect } from '../../src/cli/database/create-tables.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { testSignIn } from './sign-in.ts'

/** Makes the tables of a configuration. */
async function makeTables(
  db: Kysely<object>,
  dialect: SqlDialect,
  options: Omit<KyselyAdapterOptions, 'dialect'> = {},
): Promise<void> {
  for (const { statement } of createTables({ dialect, ...options }))
    await sql.raw(statement).execute(db)
}

const prefixed = (prefix: string) => ({
  users: `${prefix}users`,
  accounts: `${prefix}accounts`,
  sessions: `${prefix}sessions`,
  verificationTokens: `${prefix}tokens`,
  authenticators: `${prefix}authenticators`,
})

/** What tables can look like. */
const FORMS: Readonly<Record<string, Omit<KyselyAdapterOptions, 'dialect'>>> = {
  'the usual tables': {},
  'columns in snake case, and ids that the database counts': {
    columns: 'snake_case',
    ids: 'integer',
    tables: prefixed('counted_'),
  },
  'names of its own, and UUIDs': {
    ids: 'uuid',
    tables: prefixed('my '),
    columns: {
      users: { emailVerified: 'verified at', id: 'user' },
      sessions: { sessionToken: 'order' },
    },
  },
}

/** Tests the adapter over each form. */
export function testKysely(db: Kysely<object>, dialect: SqlDialect): void {
  for (const [form, options] of Object.entries(FORMS))
    describe(`with ${form}`, async () => {
      await makeTables(db, dialect, options)
      testAdapter(KyselyAdapter(db, options), { test })
    })
  describe('people', () => testSignIn(() => KyselyAdapter(db)))
}
