/** The methods of an adapter over a driver, which reads and writes the rows of its tables. */
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from './index.ts'

/** Values of fields. */
export type Fields = Readonly<Record<string, string>>

/** Operations on one table. */
export interface TableRows<Row> {
  /** Returns the stored row; throws if its key already exists. */
  insert(row: Row): Promise<Row>
  find(key: Fields): Promise<Row | null>
  list(key: Fields): Promise<Row[]>
  /** Changes the given fields; `null` if the row does not exist, `undefined` if the driver does not return it. */
  update(key: Fields, changes: object): Promise<Row | null | undefined>
  /** Deletes a row and returns it; of concurrent calls exactly one gets it. */
  take(key: Fields): Promise<Row | null>
  remove(key: Fields): Promise<void>
  removeExpired(before: Date): Promise<void>
}

export interface TableRow {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
}

type Tables = { readonly [Id in keyof TableRow]: TableRows<TableRow[Id]> }

/** Reads and writes the rows of an adapter, in or outside of a transaction. */
export interface Driver extends Omit<Tables, 'users' | 'authenticators'> {
  readonly users: Pick<Tables['users'], 'insert' | 'find' | 'update' | 'take'>
  /** `null` without a table for passkeys. */
  readonly authenticators: Tables['authenticators'] | null
  readonly findAccountOwner: (account: AdapterAccountKey) => Promise<AdapterUser | null>
  readonly findSessionAndUser: (
    sessionToken: string,
  ) => Promise<{ session: AdapterSession; user: AdapterUser } | null>
}

export type FullDriver = Driver & Pick<Tables, 'authenticators'>

/** All methods of an adapter without transactions. */
export type AllMethods = Omit<Required<Adapter>, 'transaction'>

type PasskeyMethod = Extract<keyof Adapter, `${string}Authenticator${string}`>

export type AdapterMethods = Omit<AllMethods, PasskeyMethod> & Pick<Adapter, PasskeyMethod>

function assertUpdated<Row>(row: Row | null, method: string): Row {
  if (row !== null) return row
  throw new Error(`${method}: the row does not exist.`)
}

async function updateAndRead<Row>(
  rows: Pick<TableRows<Row>, 'update' | 'find'>,
  key: Fields,
  changes: object,
) {
  const updated = await rows.update(key, changes)
  return updated === undefined ? rows.find(key) : updated
}

function userMethods({ users, accounts, sessions, authenticators, findAccountOwner }: Driver) {
  return {
    createUser: (user) => users.insert(user),
    getUser: (id) => users.find({ id }),
    getUserByEmail: (email) => users.find({ email }),
    getUserByAccount: (account) => findAccountOwner(account),
    updateUser: async ({ id, ...changes }) =>
      assertUpdated(await updateAndRead(users, { id }, changes), 'updateUser'),
    async deleteUser(userId) {
      for (const rows of [accounts, sessions, authenticators]) await rows?.remove({ userId })
      return users.take({ id: userId })
    },
  } satisfies Adapter
}

function accountMethods({ accounts }: Driver) {
  return {
    linkAccount: (account) => accounts.insert(account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      accounts.take({ provider, providerAccountId }),
    updateAccount: async ({ provider, providerAccountId, ...changes }) =>
      assertUpdated(
        await accounts.update({ provider, providerAccountId }, changes),
        'updateAccount',
      ),
    getAccount: (providerAccountId, provider) => accounts.find({ provider, providerAccountId }),
    listAccounts: (userId) => accounts.list({ userId }),
  } satisfies Adapter
}

function sessionMethods({ sessions, verificationTokens, findSessionAndUser }: Driver) {
  return {
    createSession: (session) => sessions.insert(session),
    getSessionAndUser: (sessionToken) => findSessionAndUser(sessionToken),
    updateSession: ({ sessionToken, ...changes }) => sessions.update({ sessionToken }, changes),
    deleteSession: (sessionToken) => sessions.take({ sessionToken }),
    listSessions: (userId) => sessions.list({ userId }),
    deleteUserSessions: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => verificationTokens.insert(token),
    useVerificationToken: ({ identifier, token }) => verificationTokens.take({ identifier, token }),
    deleteVerificationTokens: (identifier) => verificationTokens.remove({ identifier }),

    async deleteExpired(now = new Date()) {
      await sessions.removeExpired(now)
      await verificationTokens.removeExpired(now)
    },
  } satisfies Adapter
}

function passkeyMethods(authenticators: Tables['authenticators']) {
  return {
    createAuthenticator: (authenticator) => authenticators.insert(authenticator),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    updateAuthenticatorCounter: async (credentialID, counter) =>
      assertUpdated(
        await updateAndRead(authenticators, { credentialID }, { counter }),
        'updateAuthenticatorCounter',
      ),
  } satisfies Adapter
}

/** The methods over a driver; those for passkeys only if it has a table for them. */
export function adapterMethods(driver: FullDriver): AllMethods
export function adapterMethods(driver: Driver): AdapterMethods
export function adapterMethods(driver: Driver): AdapterMethods {
  const { authenticators } = driver
  return {
    ...userMethods(driver),
    ...accountMethods(driver),
    ...sessionMethods(driver),
    ...(authenticators && passkeyMethods(authenticators)),
  }
}
