/** The methods of an adapter over a driver, which reads and writes the rows of its tables. */
import type { StoredRecord } from '../core/records/record-store.ts'
import { isDeadlock } from './_database-errors.ts'
import { passwordMethods } from './_passwords.ts'
import type { PasswordRows } from './_passwords.ts'
import { recordMethods } from './_records.ts'
import type { RecordRows } from './_records.ts'
import type { OptionalTable, StoreOf, TableId } from './_schema.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  StoredFactor,
  StoredPassword,
  VerificationToken,
} from '../core/database/adapter.ts'

export type Fields = Readonly<Record<string, string>>

export interface TableRow {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
  records: StoredRecord
  factors: StoredFactor
  passwords: StoredPassword
}

export interface TableRows<Row> {
  /** Whether `delete` returns a deleted row, and not the number of rows. */
  readonly hasReturning: boolean
  /** Returns the rows that have exactly these values. */
  list(key: Fields): Promise<Row[]>
  /** Returns the stored row; throws if its key already exists. */
  insert(row: Row): Promise<Row>
  /** Changes the given fields. Returns the row, `null` if it does not exist, or the number of rows. */
  update(key: Fields, changes: object): Promise<Row | null | number>
  /** Deletes the rows with these values; of concurrent calls exactly one gets a row. */
  delete(key: Fields): Promise<Row | null | number>
  /** Deletes the rows whose `expires` is before this, or `limit` of them. Returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number>
}

export interface FactorRows extends Omit<TableRows<StoredFactor>, 'update' | 'deleteExpired'> {
  /** Stores the step of a row if it is higher, and confirms the row; returns whether it did, atomically. */
  use(id: string, step: number): Promise<boolean>
}

export interface RowWithUser<Row, User = AdapterUser> {
  readonly row: Row
  readonly user: User
}

export interface Driver {
  readonly openTable: <Id extends Exclude<TableId, 'authenticators' | OptionalTable>>(
    id: Id,
  ) => TableRows<TableRow[Id]>
  /** `null` without a table for passkeys. */
  readonly authenticators: TableRows<AdapterAuthenticator> | null
  /** `null` without a table for records. */
  readonly records: RecordRows | null
  /** `null` without a table for second factors. */
  readonly factors: FactorRows | null
  /** `null` without a table for passwords. */
  readonly passwords: PasswordRows | null
  readonly findWithUser: <Id extends 'accounts' | 'sessions'>(
    id: Id,
    key: Fields,
  ) => Promise<RowWithUser<TableRow[Id]> | null>
}

export type PasskeyDriver = Driver & { readonly authenticators: object }

export type FullDriver = PasskeyDriver & Readonly<Record<OptionalTable, object>>

export type AllMethods = Omit<Required<Adapter>, 'transaction'>

type OptionalStores = StoreOf<OptionalTable>

/** Without the optional tables. */
export type PasskeyMethods = Omit<AllMethods, keyof OptionalStores> & Partial<OptionalStores>

type PasskeyMethod = Extract<keyof Adapter, `${string}Authenticator${string}`>

export type AdapterMethods = Omit<PasskeyMethods, PasskeyMethod> & Pick<Adapter, PasskeyMethod>

/** Rows deleted at once: a synchronous driver would block the event loop. */
const BATCH = 1000
/** How often a batch is tried while other processes delete the same rows. */
const ATTEMPTS = 10

async function deleteBatch(
  rows: Pick<TableRows<object>, 'deleteExpired'>,
  before: Date,
): Promise<number> {
  for (let attempt = 1; ; attempt++)
    try {
      return await rows.deleteExpired(before, BATCH)
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error
    }
}

async function deleteExpiredRows(
  rows: Pick<TableRows<object>, 'deleteExpired'>,
  before: Date,
): Promise<void> {
  while ((await deleteBatch(rows, before)) >= BATCH)
    // Not `setImmediate`: some runtimes lack it.
    await new Promise((resolve) => void setTimeout(resolve, 0))
}

async function findRow<Row>(rows: Pick<TableRows<Row>, 'list'>, key: Fields): Promise<Row | null> {
  return (await rows.list(key))[0] ?? null
}

async function takeRow<Row>(
  rows: Pick<TableRows<Row>, 'hasReturning' | 'list' | 'delete'>,
  key: Fields,
): Promise<Row | null> {
  const found = rows.hasReturning ? undefined : await findRow(rows, key)
  if (found === null) return null
  const deleted = await rows.delete(key)
  if (typeof deleted !== 'number') return deleted
  return deleted > 0 ? (found ?? null) : null
}

/** Changes a row; `null` if it does not exist, `undefined` if the database does not return it. */
async function updateRow<Row>(rows: TableRows<Row>, key: Fields, changes: object) {
  const updated = await rows.update(key, changes)
  // Some drivers do not count a row that already has the new values.
  if (updated === 0) return findRow(rows, key)
  return typeof updated === 'number' ? undefined : updated
}

async function updateAndRead<Row>(rows: TableRows<Row>, key: Fields, changes: object) {
  const updated = await updateRow(rows, key, changes)
  return updated === undefined ? findRow(rows, key) : updated
}

function assertUpdated<Row>(row: Row | null, method: string): Row {
  if (row !== null) return row
  throw new Error(`${method}: the row does not exist.`)
}

function passkeyMethods(authenticators: TableRows<AdapterAuthenticator>) {
  return {
    createAuthenticator: (authenticator) =>
      authenticators.insert({ created: new Date(), ...authenticator }),
    getAuthenticator: (credentialID) => findRow(authenticators, { credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    updateAuthenticatorCounter: async (credentialID, counter) =>
      assertUpdated(
        await updateAndRead(authenticators, { credentialID }, { counter }),
        'updateAuthenticatorCounter',
      ),
    updateAuthenticator: async (credentialID, changes) =>
      assertUpdated(
        await updateAndRead(authenticators, { credentialID }, changes),
        'updateAuthenticator',
      ),
    deleteAuthenticator: async (credentialID) =>
      void (await takeRow(authenticators, { credentialID })),
  } satisfies Adapter
}

function factorMethods(factors: FactorRows) {
  return {
    listFactors: (userId) => factors.list({ userId }),
    createFactor: (factor) => factors.insert(factor),
    useFactor: ({ id, step }) => factors.use(id, step),
    deleteFactor: (id) => takeRow(factors, { id }),
  } satisfies Adapter
}

export function adapterMethods(driver: FullDriver): AllMethods
export function adapterMethods(driver: PasskeyDriver): PasskeyMethods
export function adapterMethods(driver: Driver): AdapterMethods
export function adapterMethods(driver: Driver): AdapterMethods {
  const { openTable, authenticators, records, factors, passwords, findWithUser } = driver
  const [users, accounts, sessions] = [
    openTable('users'),
    openTable('accounts'),
    openTable('sessions'),
  ]
  const tokens = openTable('verificationTokens')

  return {
    createUser: (user) => users.insert(user),
    getUser: (id) => findRow(users, { id }),
    getUserByEmail: (email) => findRow(users, { email }),
    getUserByAccount: async ({ provider, providerAccountId }) =>
      (await findWithUser('accounts', { provider, providerAccountId }))?.user ?? null,
    updateUser: async ({ id, ...changes }) =>
      assertUpdated(await updateAndRead(users, { id }, changes), 'updateUser'),
    async deleteUser(userId) {
      for (const rows of [accounts, sessions, authenticators, factors])
        await rows?.delete({ userId })
      await passwords?.write(userId, null, undefined)
      return takeRow(users, { id: userId })
    },

    linkAccount: (account) => accounts.insert(account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      takeRow(accounts, { provider, providerAccountId }),
    updateAccount: async ({ provider, providerAccountId, ...changes }) =>
      assertUpdated(
        await updateRow(accounts, { provider, providerAccountId }, changes),
        'updateAccount',
      ),
    getAccount: (providerAccountId, provider) => findRow(accounts, { provider, providerAccountId }),
    listAccounts: (userId) => accounts.list({ userId }),

    createSession: (session) => sessions.insert(session),
    async getSessionAndUser(sessionToken) {
      const found = await findWithUser('sessions', { sessionToken })
      return found && { session: found.row, user: found.user }
    },
    updateSession: ({ sessionToken, ...changes }) => updateRow(sessions, { sessionToken }, changes),
    deleteSession: (sessionToken) => takeRow(sessions, { sessionToken }),
    listSessions: (userId) => sessions.list({ userId }),
    deleteUserSessions: async (userId) => void (await sessions.delete({ userId })),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => takeRow(tokens, { identifier, token }),
    deleteVerificationTokens: async (identifier) => void (await tokens.delete({ identifier })),

    async deleteExpired(now = new Date()) {
      await deleteExpiredRows(sessions, now)
      await deleteExpiredRows(tokens, now)
      if (records) await deleteExpiredRows(records, now)
    },
    ...(authenticators && passkeyMethods(authenticators)),
    ...(records && recordMethods(records)),
    ...(factors && factorMethods(factors)),
    ...(passwords && passwordMethods(passwords)),
  }
}

/** Adds `transaction` to an adapter, and makes `deleteUser` atomic. A nested transaction is part of the outer one. */
export function withTransactions<Methods extends AdapterMethods>(
  methods: Methods,
  begin: <T>(work: (inner: Methods) => Promise<T>) => Promise<T>,
): Methods & Pick<Required<Adapter>, 'transaction'> {
  type Transactional = Methods & Pick<Required<Adapter>, 'transaction'>

  async function transaction<T>(work: (adapter: Transactional) => Promise<T>): Promise<T> {
    const errors: unknown[] = []
    try {
      return await begin(async (inner) => {
        const adapter: Transactional = { ...inner, transaction: (more) => more(adapter) }
        try {
          return await work(adapter)
        } catch (error) {
          errors.push(error)
          throw error
        }
      })
    } catch (error) {
      // Not the error of the rollback, which fails if SQLite has already rolled back.
      throw errors.length > 0 ? errors.at(-1) : error
    }
  }
  return {
    ...methods,
    deleteUser: (userId) => transaction(async (adapter) => adapter.deleteUser(userId)),
    transaction,
  }
}
