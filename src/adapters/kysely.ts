import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import type { Connection } from './_kysely/columns.ts'
import { dialectOf } from './_kysely/dialect.ts'
import type { DialectName } from './_kysely/dialect.ts'
import { rowsOf } from './_kysely/rows.ts'
import type { IdType } from './_kysely/values.ts'
import type { SchemaNames } from './_schema.ts'
import { transact } from './_transact.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from './index.ts'

export type { DialectName } from './_kysely/dialect.ts'
export type { IdType } from './_kysely/values.ts'
export type { SchemaNames, TableId } from './_schema.ts'

/** Options of {@link KyselyAdapter}. */
export interface KyselyAdapterOptions extends SchemaNames {
  /** SQL dialect. @default detected from Kysely's own dialects */
  readonly dialect?: DialectName | undefined
  /** Type of user ids: the database generates `integer`, the library `text` and `uuid`. @default 'text' */
  readonly ids?: IdType | undefined
  /** `false` for databases without transactions, such as D1: a failed sign-up is undone step by step. @default true */
  readonly transactions?: boolean | undefined
}

/** `transaction` exists only if the database supports it. */
type SqlAdapter = Omit<Required<Adapter>, 'transaction'> & Pick<Adapter, 'transaction'>

function required<Row>(row: Row | null, method: string): Row {
  if (row) return row
  throw new Error(`${method}: the row does not exist.`)
}

function methodsOver(connection: Connection): Omit<Required<Adapter>, 'transaction'> {
  const users = rowsOf<AdapterUser>('users', connection)
  const accounts = rowsOf<AdapterAccount>('accounts', connection)
  const sessions = rowsOf<AdapterSession>('sessions', connection)
  const tokens = rowsOf<VerificationToken>('verificationTokens', connection)
  const authenticators = rowsOf<AdapterAuthenticator>('authenticators', connection)
  const [t, u] = [sql.id('t'), sql.id('u')]
  const sessionWithUser = sessions.prepare(
    (sessionToken) =>
      sql<
        AdapterSession & AdapterUser
      >`select ${sessions.joined('t')}, ${users.all('u')} from ${sessions.table} as ${t} inner join ${users.table} as ${u} on ${users.column('id', 'u')} = ${sessions.column('userId', 't')} where ${sessions.matches({ sessionToken }, 't')}`,
  )

  return {
    createUser: (user) =>
      users.insert(connection.ids === 'integer' ? { ...user, id: undefined } : user),
    getUser: (id) => users.find({ id }),
    getUserByEmail: (email) => users.find({ email }),
    async getUserByAccount({ provider, providerAccountId }) {
      const ofAccount = accounts.matches({ provider, providerAccountId }, 't')
      const { rows } = await users.run(
        sql<AdapterUser>`select ${users.all('u')} from ${accounts.table} as ${t} inner join ${users.table} as ${u} on ${users.column('id', 'u')} = ${accounts.column('userId', 't')} where ${ofAccount}`,
      )
      const [row] = rows
      return row ? users.read(row) : null
    },
    updateUser: async ({ id, ...changes }) =>
      required(await users.update({ id }, changes), 'updateUser'),
    async deleteUser(userId) {
      for (const rows of [accounts, sessions, authenticators]) await rows.remove({ userId })
      return users.take({ id: userId })
    },

    linkAccount: (account) => accounts.insert(account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      accounts.take({ provider, providerAccountId }),
    updateAccount: async ({ provider, providerAccountId, ...changes }) =>
      required(await accounts.update({ provider, providerAccountId }, changes), 'updateAccount'),
    getAccount: (providerAccountId, provider) => accounts.find({ provider, providerAccountId }),
    listAccounts: (userId) => accounts.list({ userId }),

    createSession: (session) => sessions.insert(session),
    async getSessionAndUser(sessionToken) {
      const { rows } = await sessionWithUser(sessionToken)
      const [row] = rows
      if (!row) return null
      const user = users.read(row)
      return { session: sessions.readJoined(row, { sessionToken, userId: user.id }), user }
    },
    updateSession: ({ sessionToken, ...changes }) => sessions.update({ sessionToken }, changes),
    deleteSession: (sessionToken) => sessions.take({ sessionToken }),
    listSessions: (userId) => sessions.list({ userId }),
    deleteUserSessions: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => tokens.take({ identifier, token }),
    deleteVerificationTokens: (identifier) => tokens.remove({ identifier }),

    createAuthenticator: (authenticator) => authenticators.insert(authenticator),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    updateAuthenticatorCounter: async (credentialID, counter) =>
      required(
        await authenticators.update({ credentialID }, { counter }),
        'updateAuthenticatorCounter',
      ),

    async deleteExpired(now = new Date()) {
      await sessions.removeExpired(now)
      await tokens.removeExpired(now)
    },
  }
}

/**
 * Stores users, accounts and sessions with Kysely: SQLite, PostgreSQL, MySQL and MariaDB, libSQL, PGlite, D1. The
 * application owns the instance: it connects, logs, and closes it. `npx lib-auth migrate` creates or extends the
 * tables.
 *
 * A session is read with one statement. Operations that must be atomic use one statement or a transaction.
 *
 * @throws Error when the dialect is unknown, or `db` is not an instance of Kysely 0.27 or newer
 * @example
 * ```ts
 * import { Kysely, PostgresDialect } from 'kysely'
 * import KyselyAdapter from 'lib-auth/adapters/kysely'
 * import { Pool } from 'pg'
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * // Without listeners a connection that breaks would end the process.
 * pool.on('error', console.error)
 * pool.on('connect', (client) => client.on('error', console.error))
 * const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
 *
 * export const adapter = KyselyAdapter(db)
 * ```
 */
export default function KyselyAdapter<DB>(
  db: Kysely<DB>,
  options: KyselyAdapterOptions = {},
): SqlAdapter {
  const { dialect, ids = 'text', transactions = true, ...names } = options
  const shared = { dialect: dialectOf(db, dialect), ids, names }
  // Plugins, such as `CamelCasePlugin`, would rename the columns.
  const plain = db.withoutPlugins()
  if (!transactions) return methodsOver({ db: plain, ...shared })
  const within = (transaction: Transaction<DB>): Required<Adapter> => {
    const adapter: Required<Adapter> = {
      ...methodsOver({ db: transaction, ...shared }),
      transaction: (work) => work(adapter),
    }
    return adapter
  }
  const transaction = <T>(work: (adapter: Required<Adapter>) => Promise<T>) =>
    transact<Transaction<DB>, T>(
      (run) => plain.transaction().execute(run),
      (each) => work(within(each)),
    )
  return {
    ...methodsOver({ db: plain, ...shared }),
    deleteUser: (userId) => transaction(async (adapter) => adapter.deleteUser(userId)),
    transaction,
  }
}
