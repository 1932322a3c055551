/** Tables of an application with custom names and auto-increment ids. */
import * as sqlite from 'drizzle-orm/sqlite-core'
import { createTables } from '../../src/cli/database/create-tables.ts'

const sqliteDate = () => sqlite.integer({ mode: 'timestamp_ms' })

export const sqliteTables = {
  users: sqlite.sqliteTable('people', {
    id: sqlite.integer().primaryKey({ autoIncrement: true }),
    name: sqlite.text('full_name'),
    email: sqlite.text('address').unique(),
    emailVerified: sqlite.integer('address_verified', { mode: 'timestamp_ms' }),
    image: sqlite.text(),
  }),
  accounts: sqlite.sqliteTable('people_accounts', {
    userId: sqlite.integer().notNull(),
    type: sqlite.text().notNull(),
    provider: sqlite.text().notNull(),
    providerAccountId: sqlite.text().notNull(),
    refresh_token: sqlite.text(),
    access_token: sqlite.text(),
    expires_at: sqlite.integer(),
    token_type: sqlite.text(),
    scope: sqlite.text(),
    id_token: sqlite.text(),
    session_state: sqlite.text(),
  }),
  sessions: sqlite.sqliteTable('people_sessions', {
    sessionToken: sqlite.text().primaryKey(),
    userId: sqlite.integer().notNull(),
    expires: sqliteDate().notNull(),
  }),
  verificationTokens: sqlite.sqliteTable('people_tokens', {
    identifier: sqlite.text().notNull(),
    token: sqlite.text().notNull(),
    expires: sqliteDate().notNull(),
  }),
  authenticators: sqlite.sqliteTable('people_authenticators', {
    credentialID: sqlite.text().primaryKey(),
    userId: sqlite.integer().notNull(),
    providerAccountId: sqlite.text().notNull(),
    credentialPublicKey: sqlite.text().notNull(),
    counter: sqlite.integer().notNull(),
    credentialDeviceType: sqlite.text().notNull(),
    credentialBackedUp: sqlite.integer({ mode: 'boolean' }).notNull(),
    transports: sqlite.text(),
  }),
  records: sqlite.sqliteTable('people_records', {
    key: sqlite.text('name').primaryKey(),
    value: sqlite.text().notNull(),
    owner: sqlite.text(),
    expires: sqliteDate().notNull(),
  }),
  factors: sqlite.sqliteTable('people_factors', {
    id: sqlite.text('name').primaryKey(),
    userId: sqlite.integer().notNull(),
    type: sqlite.text().notNull(),
    secret: sqlite.text().notNull(),
    name: sqlite.text('label'),
    lastStep: sqlite.integer(),
    confirmed: sqlite.integer({ mode: 'boolean' }).notNull(),
    created: sqliteDate().notNull(),
  }),
  passwords: sqlite.sqliteTable('people_passwords', {
    userId: sqlite.integer('person').primaryKey(),
    hash: sqlite.text().notNull(),
    changed: sqliteDate().notNull(),
  }),
}

const NAMES = {
  ids: 'integer',
  tables: {
    users: 'people',
    accounts: 'people_accounts',
    sessions: 'people_sessions',
    verificationTokens: 'people_tokens',
    authenticators: 'people_authenticators',
    records: 'people_records',
    factors: 'people_factors',
    passwords: 'people_passwords',
  },
  with: ['records', 'factors', 'passwords'],
  columns: {
    records: { key: 'name' },
    factors: { id: 'name', name: 'label' },
    passwords: { userId: 'person' },
    users: { name: 'full_name', email: 'address', emailVerified: 'address_verified' },
  },
} as const

/** The statements that create these tables. */
export const sqliteStatements: readonly string[] = createTables({
  dialect: 'sqlite',
  ...NAMES,
}).map(({ statement }) =>
  statement.replace(/("(?:expires|address_verified|created|changed)") text/, '$1 integer'),
)
