import { eq } from 'drizzle-orm'
import { query, requireDatabase, rowsOf } from './_drizzle/builder.ts'
import type { DrizzleDatabase, DrizzleTable } from './_drizzle/builder.ts'
import { tableRows } from './_drizzle/rows.ts'
import { transact } from './_transact.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from './index.ts'

export type { DrizzleDatabase, DrizzleTable } from './_drizzle/builder.ts'

/** The Drizzle tables. Their properties are named after the fields; their columns can have any names. */
export interface DrizzleTables {
  readonly users: DrizzleTable<'id' | 'name' | 'email' | 'emailVerified' | 'image'>
  readonly accounts: DrizzleTable<'userId' | 'type' | 'provider' | 'providerAccountId'>
  readonly sessions: DrizzleTable<'sessionToken' | 'userId' | 'expires'>
  readonly verificationTokens: DrizzleTable<'identifier' | 'token' | 'expires'>
  /** Required for passkeys. */
  readonly authenticators?:
    | DrizzleTable<
        | 'credentialID'
        | 'userId'
        | 'providerAccountId'
        | 'credentialPublicKey'
        | 'counter'
        | 'credentialDeviceType'
        | 'credentialBackedUp'
        | 'transports'
      >
    | undefined
}

/** Options of {@link DrizzleAdapter}. */
export interface DrizzleAdapterOptions {
  /**
   * `false` for databases without transactions, such as D1 and Neon over HTTP: a failed sign-up is undone step by step.
   * @default `true`, except for synchronous drivers
   */
  readonly transactions?: boolean | undefined
}

function required<Row>(row: Row | null, method: string): Row {
  if (row) return row
  throw new Error(`${method}: the row does not exist.`)
}

function passkeys(db: DrizzleDatabase, table: DrizzleTables['authenticators']): Adapter {
  if (!table) return {}
  const authenticators = tableRows<AdapterAuthenticator>(db, table)
  return {
    createAuthenticator: (row) => authenticators.insert(row, ['credentialID']),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    updateAuthenticatorCounter: async (credentialID, counter) =>
      required(
        await authenticators.update({ credentialID }, { counter }),
        'updateAuthenticatorCounter',
      ),
  }
}

function methodsOver(db: DrizzleDatabase, tables: DrizzleTables): Adapter {
  const users = tableRows<AdapterUser>(db, tables.users)
  const accounts = tableRows<AdapterAccount>(db, tables.accounts)
  const sessions = tableRows<AdapterSession>(db, tables.sessions)
  const tokens = tableRows<VerificationToken>(db, tables.verificationTokens)
  const { authenticators } = tables
  const isCounted = ['number', 'bigint'].includes(tables.users.id.dataType)

  return {
    createUser({ id, ...user }) {
      return users.insert(isCounted ? user : { id, ...user }, ['id'])
    },
    getUser: (id) => users.find({ id }),
    getUserByEmail: (email) => users.find({ email }),
    async getUserByAccount({ provider, providerAccountId }) {
      const joined = query(db.select({ user: tables.users, account: tables.accounts }))
        .from(tables.accounts)
        .innerJoin(tables.users, eq(tables.users.id, tables.accounts.userId))
        .where(accounts.matches({ provider, providerAccountId }))
      const rows = await rowsOf<{ user: AdapterUser; account: AdapterAccount }>(joined)
      const found = rows.find(({ account }) => account.providerAccountId === providerAccountId)
      return found ? users.read(found.user) : null
    },
    updateUser: async ({ id, ...changes }) =>
      required(await users.update({ id }, changes), 'updateUser'),
    async deleteUser(userId) {
      await accounts.remove({ userId })
      await sessions.remove({ userId })
      if (authenticators) await tableRows(db, authenticators).remove({ userId })
      return users.take({ id: userId })
    },

    linkAccount: (account) => accounts.insert(account, ['provider', 'providerAccountId']),
    unlinkAccount: ({ provider, providerAccountId }) =>
      accounts.take({ provider, providerAccountId }),
    updateAccount: async ({ provider, providerAccountId, ...changes }) =>
      required(await accounts.update({ provider, providerAccountId }, changes), 'updateAccount'),
    getAccount: (providerAccountId, provider) => accounts.find({ provider, providerAccountId }),
    listAccounts: (userId) => accounts.list({ userId }),

    createSession: (session) => sessions.insert(session, ['sessionToken']),
    async getSessionAndUser(sessionToken) {
      const joined = query(db.select({ session: tables.sessions, user: tables.users }))
        .from(tables.sessions)
        .innerJoin(tables.users, eq(tables.users.id, tables.sessions.userId))
        .where(sessions.matches({ sessionToken }))
      const rows = await rowsOf<{ session: AdapterSession; user: AdapterUser }>(joined)
      const found = rows.find(({ session }) => session.sessionToken === sessionToken)
      return found ? { session: sessions.read(found.session), user: users.read(found.user) } : null
    },
    updateSession: ({ sessionToken, ...changes }) => sessions.update({ sessionToken }, changes),
    deleteSession: (sessionToken) => sessions.take({ sessionToken }),
    listSessions: (userId) => sessions.list({ userId }),
    deleteUserSessions: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => tokens.insert(token, ['identifier', 'token']),
    useVerificationToken: ({ identifier, token }) => tokens.take({ identifier, token }),
    deleteVerificationTokens: (identifier) => tokens.remove({ identifier }),

    async deleteExpired(now = new Date()) {
      await sessions.removeExpired(now, 'sessionToken')
      await tokens.removeExpired(now, 'token')
    },
    ...passkeys(db, authenticators),
  }
}

/** A transaction of a synchronous driver cannot await anything. */
function canWait(db: DrizzleDatabase): boolean {
  return !('resultKind' in db && db.resultKind === 'sync')
}

/**
 * Stores users, accounts and sessions with Drizzle: PostgreSQL, SQLite, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the connection and the tables, which can have any names. `npx lib-auth schema --adapter drizzle`
 * prints the default tables. Additional columns are filled from the fields of the same name.
 *
 * Date columns must return `Date` objects with milliseconds (`timestamp` with `mode: 'date'`, `precision: 3`), not
 * strings. A session is read with one statement. Passkeys require `authenticators`. D1 and Neon over HTTP require
 * `DrizzleAdapter(db, tables, { transactions: false })`.
 *
 * @throws TypeError when `db` is not a database of drizzle-orm
 * @example
 * ```ts
 * import { drizzle } from 'drizzle-orm/node-postgres'
 * import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
 * import DrizzleAdapter from 'lib-auth/adapters/drizzle'
 *
 * const date = { mode: 'date', withTimezone: true, precision: 3 } as const
 *
 * export const users = pgTable('users', {
 *   id: text().primaryKey(),
 *   name: text(),
 *   email: text().unique(),
 *   emailVerified: timestamp(date),
 *   image: text(),
 * })
 * export const accounts = pgTable(
 *   'accounts',
 *   {
 *     userId: text().notNull(),
 *     type: text().notNull(),
 *     provider: text().notNull(),
 *     providerAccountId: text().notNull(),
 *     access_token: text(),
 *   },
 *   (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] })],
 * )
 * export const sessions = pgTable('sessions', {
 *   sessionToken: text().primaryKey(),
 *   userId: text().notNull(),
 *   expires: timestamp(date).notNull(),
 * })
 * export const verificationTokens = pgTable(
 *   'verification_tokens',
 *   { identifier: text().notNull(), token: text().notNull(), expires: timestamp(date).notNull() },
 *   (table) => [primaryKey({ columns: [table.identifier, table.token] })],
 * )
 *
 * const db = drizzle(process.env.DATABASE_URL ?? '')
 * export const adapter = DrizzleAdapter(db, { users, accounts, sessions, verificationTokens })
 * ```
 */
export default function DrizzleAdapter(
  db: DrizzleDatabase,
  tables: DrizzleTables,
  options: DrizzleAdapterOptions = {},
): Adapter {
  requireDatabase(db)
  const { transactions = canWait(db) } = options
  if (!transactions) return methodsOver(db, tables)

  function transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    return transact<DrizzleDatabase, T>(
      async (run) => db.transaction(run),
      (within) => {
        const adapter: Adapter = {
          ...methodsOver(within, tables),
          transaction: (more) => more(adapter),
        }
        return work(adapter)
      },
    )
  }
  return {
    ...methodsOver(db, tables),
    deleteUser: (userId) => transaction(async (adapter) => adapter.deleteUser?.(userId)),
    transaction,
  }
}
