/** Tables as an application writes them for Drizzle, in each dialect. */
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'

const pgDate = () => pg.timestamp({ mode: 'date', withTimezone: true, precision: 3 })

export const pgTables = {
  users: pg.pgTable('users', {
    id: pg.text().primaryKey(),
    name: pg.text(),
    email: pg.text().unique(),
    emailVerified: pgDate(),
    image: pg.text(),
  }),
  accounts: pg.pgTable('accounts', {
    userId: pg.text().notNull(),
    type: pg.text().notNull(),
    provider: pg.text().notNull(),
    providerAccountId: pg.text().notNull(),
    refresh_token: pg.text(),
    access_token: pg.text(),
    expires_at: pg.bigint({ mode: 'number' }),
    token_type: pg.text(),
    scope: pg.text(),
    id_token: pg.text(),
    session_state: pg.text(),
  }),
  sessions: pg.pgTable('sessions', {
    sessionToken: pg.text().primaryKey(),
    userId: pg.text().notNull(),
    expires: pgDate().notNull(),
  }),
  verificationTokens: pg.pgTable('verification_tokens', {
    identifier: pg.text().notNull(),
    token: pg.text().notNull(),
    expires: pgDate().notNull(),
  }),
  authenticators: pg.pgTable('authenticators', {
    credentialID: pg.text().primaryKey(),
    userId: pg.text().notNull(),
    providerAccountId: pg.text().notNull(),
    credentialPublicKey: pg.text().notNull(),
    counter: pg.bigint({ mode: 'number' }).notNull(),
    credentialDeviceType: pg.text().notNull(),
    credentialBackedUp: pg.boolean().notNull(),
    transports: pg.text(),
  }),
}

const key = () => mysql.varchar({ length: 255 }).notNull()
const mysqlDate = () => mysql.datetime({ mode: 'date', fsp: 3 })

export const mysqlTables = {
  users: mysql.mysqlTable('users', {
    id: mysql.varchar({ length: 255 }).primaryKey(),
    name: mysql.text(),
    email: mysql.varchar({ length: 255 }).unique(),
    emailVerified: mysqlDate(),
    image: mysql.text(),
  }),
  accounts: mysql.mysqlTable('accounts', {
    userId: key(),
    type: key(),
    provider: key(),
    providerAccountId: key(),
    refresh_token: mysql.text(),
    access_token: mysql.text(),
    expires_at: mysql.bigint({ mode: 'number' }),
    token_type: mysql.text(),
    scope: mysql.text(),
    id_token: mysql.text(),
    session_state: mysql.text(),
  }),
  sessions: mysql.mysqlTable('sessions', {
    sessionToken: mysql.varchar({ length: 255 }).primaryKey(),
    userId: key(),
    expires: mysqlDate().notNull(),
  }),
  verificationTokens: mysql.mysqlTable('verification_tokens', {
    identifier: key(),
    token: key(),
    expires: mysqlDate().notNull(),
  }),
  authenticators: mysql.mysqlTable('authenticators', {
    credentialID: mysql.varchar({ length: 255 }).primaryKey(),
    userId: key(),
    providerAccountId: key(),
    credentialPublicKey: mysql.text().notNull(),
    counter: mysql.bigint({ mode: 'number' }).notNull(),
    credentialDeviceType: key(),
    credentialBackedUp: mysql.boolean().notNull(),
    transports: mysql.text(),
  }),
}

const sqliteDate = () => sqlite.integer({ mode: 'timestamp_ms' })

/** Ids that the database counts, and names of its own. */
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
}
