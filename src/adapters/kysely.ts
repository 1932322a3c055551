/** Keeps users, accounts and sessions in an SQL database, through a Kysely instance of the application. */
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
  /** Which SQL the database speaks. @default that of Kysely's own dialects */
  readonly dialect?: DialectName | undefined
  /**
   * How ids of users are stored: `text` or `uuid`, chosen by the library, or `integer`, counted by the database.
   *
   * @default 'text'
   */
  readonly ids?: IdType | undefined
  /**
   * Whether the database has transactions. D1 and others that are asked over HTTP have none: a sign-up that fails is
   * then taken back step by step.
   *
   * @default true
   */
  readonly transactions?: boolean | undefined
}

/** All methods; `transaction` where the database has transactions. */
type SqlAdapter = Omit<Required<Adapter>, 'transaction'> & Pick<Adapter, 'transaction'>

function required<Row>(row: Row | null, method: string): Row {
  if (row) return row
  throw new Error(`${method}: the row does not exist.`)
}

/** Everything but transactions. */
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
 * Keeps users, accounts and sessions in a database that Kysely knows: SQLite, PostgreSQL, MySQL and MariaDB,
 * libSQL, PGlite, D1. The instance is the application's: it connects, logs, and is closed there.
 *
 * A session is read with one statement. What must happen once is one statement, too, or is taken back as a whole.
 * `npx lib-auth migrate` makes the tables, or adds what is missing to them.
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
  // Names of columns are given as they are.
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
