import { bigint, boolean, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name'),
    email: text('email').unique(),
    emailVerified: timestamp('emailVerified', { mode: 'date', withTimezone: true, precision: 3 }),
    image: text('image'),
  },
)

export const accounts = pgTable(
  'accounts',
  {
    provider: text('provider').notNull(),
    providerAccountId: text('providerAccountId').notNull(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    refresh_token: text('refresh_token'),
    access_token: text('access_token'),
    expires_at: bigint('expires_at', { mode: 'number' }),
    token_type: text('token_type'),
    scope: text('scope'),
    id_token: text('id_token'),
    session_state: text('session_state'),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index('accounts_userId').on(table.userId),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    sessionToken: text('sessionToken').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    expires: timestamp('expires', { mode: 'date', withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    index('sessions_userId').on(table.userId),
    index('sessions_expires').on(table.expires),
  ],
)

export const verificationTokens = pgTable(
  'verification_tokens',
  {
    identifier: text('identifier').notNull(),
    token: text('token').notNull(),
    expires: timestamp('expires', { mode: 'date', withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
    index('verification_tokens_expires').on(table.expires),
  ],
)

export const authenticators = pgTable(
  'authenticators',
  {
    credentialID: text('credentialID').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    providerAccountId: text('providerAccountId').notNull(),
    credentialPublicKey: text('credentialPublicKey').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    credentialDeviceType: text('credentialDeviceType').notNull(),
    credentialBackedUp: boolean('credentialBackedUp').notNull(),
    transports: text('transports'),
    name: text('name'),
    lastUsed: timestamp('lastUsed', { mode: 'date', withTimezone: true, precision: 3 }),
    created: timestamp('created', { mode: 'date', withTimezone: true, precision: 3 }),
  },
  (table) => [
    index('authenticators_userId').on(table.userId),
  ],
)

export const records = pgTable(
  'records',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    owner: text('owner'),
    expires: timestamp('expires', { mode: 'date', withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    index('records_owner').on(table.owner),
    index('records_expires').on(table.expires),
  ],
)

export const factors = pgTable(
  'factors',
  {
    id: text('id').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    secret: text('secret').notNull(),
    name: text('name'),
    lastStep: bigint('lastStep', { mode: 'number' }),
    confirmed: boolean('confirmed').notNull(),
    created: timestamp('created', { mode: 'date', withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [
    index('factors_userId').on(table.userId),
  ],
)

export const passwords = pgTable(
  'passwords',
  {
    userId: text('userId').primaryKey().references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    changed: timestamp('changed', { mode: 'date', withTimezone: true, precision: 3 }).notNull(),
  },
)
