/** The adapter contract over Kysely, with each supported form of the tables. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables, writer } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect } from '../../src/cli/database/create-tables.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { testAccounts } from './manage-accounts.ts'
import { testPasswordFlows } from './reset-passwords.ts'
import { testSecondStep } from './second-step.ts'
import { testPasskeys } from './manage-passkeys.ts'
import { testAssured } from './assured.ts'
import { testSignIn } from './sign-in.ts'
import { testExpiredRecords } from '../core/records/expired-suite.ts'

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
  records: `${prefix}records`,
  factors: `${prefix}factors`,
  passwords: `${prefix}passwords`,
})

const ALL = ['records', 'factors', 'passwords'] as const

/** Forms of the tables. */
const FORMS: Readonly<Record<string, Omit<KyselyAdapterOptions, 'dialect'>>> = {
  'the default tables': { with: ALL },
  'snake_case columns and auto-increment ids': {
    columns: 'snake_case',
    ids: 'integer',
    with: ALL,
    tables: prefixed('counted_'),
  },
  'custom names and UUIDs': {
    ids: 'uuid',
    with: ALL,
    tables: prefixed('my '),
    columns: {
      users: { emailVerified: 'verified at', id: 'user' },
      sessions: { sessionToken: 'order' },
      records: { key: 'the key', owner: 'group' },
      factors: { id: 'select', lastStep: 'last step', type: 'table' },
      passwords: { userId: 'user', hash: 'order' },
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

const OPTIONAL = ['name', 'lastUsed', 'created']

/** Passkeys in a table without the optional columns, which are added while the adapter is in use. */
async function testWithoutOptional(db: Kysely<object>, dialect: SqlDialect): Promise<void> {
  const options = { tables: prefixed('earlier_') }
  await makeTables(db, dialect, options)
  for (const name of OPTIONAL)
    await sql`alter table earlier_authenticators drop column ${sql.id(name)}`.execute(db)
  const adapter = KyselyAdapter(db, options)
  const remarks: string[] = []
  testAdapter(adapter, { test, report: (remark) => remarks.push(remark) })

  test('reports that names and dates are dropped, and stores them when the columns exist', async () => {
    expect(remarks).toEqual([expect.stringMatching(/^updateAuthenticator drops name or lastUsed/)])
    await adapter.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const created = new Date('2026-05-04T03:02:01.234Z')
    const passkey = {
      credentialID: 'AQID',
      userId: 'ada',
      providerAccountId: 'AQID',
      credentialPublicKey: 'pQ==',
      counter: 0,
      credentialDeviceType: 'singleDevice',
      credentialBackedUp: false,
    }
    const stored = await adapter.createAuthenticator({ ...passkey, name: 'Key', created })
    for (const field of OPTIONAL) expect(stored).not.toHaveProperty(field)
    const { nameTable, addColumn } = writer({ dialect, ...options })
    for (const field of OPTIONAL)
      await sql.raw(addColumn(nameTable('authenticators'), field).statement).execute(db)
    const changes = { name: 'Key', lastUsed: created }
    const none = { transports: null, created: null }
    const updated = { ...passkey, ...none, ...changes }
    expect(await adapter.updateAuthenticator('AQID', changes)).toEqual(updated)
    await adapter.deleteAuthenticator('AQID')
    expect(await adapter.createAuthenticator({ ...passkey, created })).toMatchObject({ created })
  })
}

/** Tests the adapter over each form of the tables; over the first one only if just the driver is another. */
export function testKysely(
  db: Kysely<object>,
  dialect: SqlDialect,
  { forms = Object.keys(FORMS).length }: { readonly forms?: number } = {},
): void {
  for (const [form, options] of Object.entries(FORMS).slice(0, forms))
    describe(`with ${form}`, async () => {
      await makeTables(db, dialect, options)
      const adapter = KyselyAdapter(db, options)
      testAdapter(adapter, { test })
      if (adapter.writeRecord) testExpiredRecords(adapter)
    })
  describe('with additional columns', () => testExtra(db, dialect))
  describe('without optional columns', () => testWithoutOptional(db, dialect))
  describe('sign-ins', () => testSignIn(() => KyselyAdapter(db)))
  describe('sessions', () => testAssured(() => KyselyAdapter(db)))
  describe('passkeys', () => testPasskeys(() => KyselyAdapter(db)))
  describe('accounts', () => testAccounts(() => KyselyAdapter(db, { with: ['records'] })))
  describe('passwords', () =>
    testPasswordFlows(() => KyselyAdapter(db, { with: ['records', 'passwords'] })))
  describe('second steps', () =>
    testSecondStep(() => KyselyAdapter(db, { with: ['records', 'factors'] })))
}
