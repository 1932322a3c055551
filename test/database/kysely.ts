/** The adapter contract over Kysely, with each supported form of the tables. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect } from '../../src/cli/database/create-tables.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { testSignIn } from './sign-in.ts'

/** Creates the tables of a configuration. */
export async function makeTables(
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

/** Forms of the tables. */
const FORMS: Readonly<Record<string, Omit<KyselyAdapterOptions, 'dialect'>>> = {
  'the default tables': {},
  'snake_case columns and auto-increment ids': {
    columns: 'snake_case',
    ids: 'integer',
    tables: prefixed('counted_'),
  },
  'custom names and UUIDs': {
    ids: 'uuid',
    tables: prefixed('my '),
    columns: {
      users: { emailVerified: 'verified at', id: 'user' },
      sessions: { sessionToken: 'order' },
    },
  },
}

/** Additional columns, in a separate schema if the database supports it. */
const EXTRA = {
  columns: 'snake_case',
  tables: prefixed('extra_'),
  extraColumns: { users: ['plan', 'order'], accounts: ['realm'], sessions: ['device'] },
} as const

async function testExtra(db: Kysely<object>, dialect: SqlDialect): Promise<void> {
  const schema = dialect === 'postgres' ? 'my "own' : undefined
  if (schema) await sql`create schema ${sql.id(schema)}`.execute(db)
  const options = { ...EXTRA, schema }
  await makeTables(db, dialect, options)
  const adapter = KyselyAdapter(db, options)
  testAdapter(adapter, { test })

  test('writes, updates and reads additional columns', async () => {
    const person = { id: 'ada', email: 'ada@example.com', emailVerified: null, name: 'Ada' }
    const own = { ...person, plan: 'paid', order: 'first' }
    const profile = { ...own, other: 'none' }
    const user = await adapter.createUser(profile)
    expect(user).toEqual({ ...own, image: null })
    const change = { id: 'ada', plan: 'free' }
    expect(await adapter.updateUser(change)).toEqual({ ...user, ...change })
    const key = { provider: 'op', providerAccountId: '1' }
    await adapter.linkAccount({ ...key, userId: 'ada', type: 'oidc', realm: 'london' })
    expect(await adapter.getAccount('1', 'op')).toMatchObject({ ...key, realm: 'london' })
    expect(await adapter.getUserByAccount(key)).toEqual({ ...user, plan: 'free' })
    const session = {
      sessionToken: 'token',
      userId: 'ada',
      expires: new Date(1_000),
      device: 'phone',
    }
    await adapter.createSession(session)
    expect(await adapter.getSessionAndUser('token')).toEqual({
      session,
      user: { ...user, plan: 'free' },
    })
  })
}

/** Tests the adapter over each form. */
export function testKysely(db: Kysely<object>, dialect: SqlDialect): void {
  for (const [form, options] of Object.entries(FORMS))
    describe(`with ${form}`, async () => {
      await makeTables(db, dialect, options)
      testAdapter(KyselyAdapter(db, options), { test })
    })
  describe('with additional columns', () => testExtra(db, dialect))
  describe('sign-ins', () => testSignIn(() => KyselyAdapter(db)))
}
