import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name'),
    email: text('email').unique(),
    emailVerified: integer('emailVerified', { mode: 'timestamp_ms' }),
    image: text('image'),
  },
)

export const accounts = sqliteTable(
  'accounts',
  {
    provider: text('provider').notNull(),
    providerAccountId: text('providerAccountId').notNull(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    refresh_token: text('refresh_token'),
    access_token: text('access_token'),
    expires_at: integer('expires_at'),
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

export const sessions = sqliteTable(
  'sessions',
  {
    sessionToken: text('sessionToken').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('sessions_userId').on(table.userId),
    index('sessions_expires').on(table.expires),
  ],
)

export const verificationTokens = sqliteTable(
  'verification_tokens',
  {
    identifier: text('identifier').notNull(),
    token: text('token').notNull(),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
    index('verification_tokens_expires').on(table.expires),
  ],
)

export const authenticators = sqliteTable(
  'authenticators',
  {
    credentialID: text('credentialID').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    providerAccountId: text('providerAccountId').notNull(),
    credentialPublicKey: text('credentialPublicKey').notNull(),
    counter: integer('counter').notNull(),
    credentialDeviceType: text('credentialDeviceType').notNull(),
    credentialBackedUp: integer('credentialBackedUp', { mode: 'boolean' }).notNull(),
    transports: text('transports'),
    name: text('name'),
    lastUsed: integer('lastUsed', { mode: 'timestamp_ms' }),
    created: integer('created', { mode: 'timestamp_ms' }),
  },
  (table) => [
    index('authenticators_userId').on(table.userId),
  ],
)

export const records = sqliteTable(
  'records',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    owner: text('owner'),
    expires: integer('expires', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('records_owner').on(table.owner),
    index('records_expires').on(table.expires),
  ],
)

export const factors = sqliteTable(
  'factors',
  {
    id: text('id').primaryKey(),
    userId: text('userId').notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    secret: text('secret').notNull(),
    name: text('name'),
    lastStep: integer('lastStep'),
    confirmed: integer('confirmed', { mode: 'boolean' }).notNull(),
    created: integer('created', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('factors_userId').on(table.userId),
  ],
)

export const passwords = sqliteTable(
  'passwords',
  {
    userId: text('userId').primaryKey().references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    changed: integer('changed', { mode: 'timestamp_ms' }).notNull(),
  },
)
