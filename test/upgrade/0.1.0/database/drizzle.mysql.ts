import { bigint, boolean, datetime, index, mysqlTable, primaryKey, text, varchar } from 'drizzle-orm/mysql-core'

export const users = mysqlTable(
  'users',
  {
    id: varchar('id', { length: 255 }).primaryKey(),
    name: text('name'),
    email: varchar('email', { length: 255 }).unique(),
    emailVerified: datetime('emailVerified', { mode: 'date', fsp: 3 }),
    image: text('image'),
  },
)

export const accounts = mysqlTable(
  'accounts',
  {
    provider: varchar('provider', { length: 255 }).notNull(),
    providerAccountId: varchar('providerAccountId', { length: 255 }).notNull(),
    userId: varchar('userId', { length: 255 }).notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: varchar('type', { length: 255 }).notNull(),
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

export const sessions = mysqlTable(
  'sessions',
  {
    sessionToken: varchar('sessionToken', { length: 255 }).primaryKey(),
    userId: varchar('userId', { length: 255 }).notNull().references(() => users.id, { onDelete: 'cascade' }),
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull(),
  },
  (table) => [
    index('sessions_userId').on(table.userId),
    index('sessions_expires').on(table.expires),
  ],
)

export const verificationTokens = mysqlTable(
  'verification_tokens',
  {
    identifier: varchar('identifier', { length: 255 }).notNull(),
    token: varchar('token', { length: 255 }).notNull(),
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
    index('verification_tokens_expires').on(table.expires),
  ],
)

export const authenticators = mysqlTable(
  'authenticators',
  {
    credentialID: varchar('credentialID', { length: 255 }).primaryKey(),
    userId: varchar('userId', { length: 255 }).notNull().references(() => users.id, { onDelete: 'cascade' }),
    providerAccountId: varchar('providerAccountId', { length: 255 }).notNull(),
    credentialPublicKey: text('credentialPublicKey').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    credentialDeviceType: varchar('credentialDeviceType', { length: 255 }).notNull(),
    credentialBackedUp: boolean('credentialBackedUp').notNull(),
    transports: text('transports'),
    name: text('name'),
    lastUsed: datetime('lastUsed', { mode: 'date', fsp: 3 }),
    created: datetime('created', { mode: 'date', fsp: 3 }),
  },
  (table) => [
    index('authenticators_userId').on(table.userId),
  ],
)

export const records = mysqlTable(
  'records',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    value: text('value').notNull(),
    owner: varchar('owner', { length: 255 }),
    expires: datetime('expires', { mode: 'date', fsp: 3 }).notNull(),
  },
  (table) => [
    index('records_owner').on(table.owner),
    index('records_expires').on(table.expires),
  ],
)

export const factors = mysqlTable(
  'factors',
  {
    id: varchar('id', { length: 255 }).primaryKey(),
    userId: varchar('userId', { length: 255 }).notNull().references(() => users.id, { onDelete: 'cascade' }),
    type: varchar('type', { length: 255 }).notNull(),
    secret: text('secret').notNull(),
    name: text('name'),
    lastStep: bigint('lastStep', { mode: 'number' }),
    confirmed: boolean('confirmed').notNull(),
    created: datetime('created', { mode: 'date', fsp: 3 }).notNull(),
  },
  (table) => [
    index('factors_userId').on(table.userId),
  ],
)

export const passwords = mysqlTable(
  'passwords',
  {
    userId: varchar('userId', { length: 255 }).primaryKey().references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    changed: datetime('changed', { mode: 'date', fsp: 3 }).notNull(),
  },
)
