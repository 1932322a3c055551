import { insert, ownedBy, remove, removeWhere, update } from './_rows.ts'
import { inTurn, read, storeOf, write } from './_store.ts'
import type { Store, Tables } from './_store.ts'
import type { Adapter, AdapterAccountKey, AdapterUser } from './index.ts'

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts)
const accountKey = ({ provider, providerAccountId }: AdapterAccountKey): string =>
  keyOf(provider, providerAccountId)

/** Users without an e-mail address must not match each other. */
function findByEmail({ users }: Tables, email: string | null | undefined): AdapterUser | null {
  if (email === undefined || email === null) return null
  return [...users.values()].find((user) => user.email === email) ?? null
}

function assertEmailIsFree(tables: Tables, user: Partial<AdapterUser>, method: string): void {
  const owner = findByEmail(tables, user.email)
  if (owner && owner.id !== user.id)
    throw new Error(`${method}: another user has this e-mail address.`)
}

function assertUserExists({ users }: Tables, userId: string, method: string): void {
  if (!users.has(userId)) throw new Error(`${method}: no user has this id.`)
}

function adapterOver(store: Store): Required<Adapter> {
  return {
    createUser: (user) =>
      write(store, { ...user, id: user.id || crypto.randomUUID() }, (row, tables) => {
        assertEmailIsFree(tables, row, 'createUser')
        return insert(tables.users, row.id, row, 'createUser')
      }),
    getUser: (id) => read(store, ({ users }) => users.get(id) ?? null),
    getUserByEmail: (email) => read(store, (tables) => findByEmail(tables, email)),
    getUserByAccount: (key) =>
      read(store, ({ accounts, users }) => {
        const account = accounts.get(accountKey(key))
        return (account && users.get(account.userId)) ?? null
      }),
    updateUser: (user) =>
      write(store, user, (changes, tables) => {
        assertEmailIsFree(tables, changes, 'updateUser')
        return update(tables.users, changes.id, changes, 'updateUser')
      }),
    deleteUser: (userId) =>
      write(store, userId, (id, { users, accounts, sessions, authenticators }) => {
        removeWhere(accounts, (account) => account.userId === id)
        removeWhere(sessions, (session) => session.userId === id)
        removeWhere(authenticators, (authenticator) => authenticator.userId === id)
        return remove(users, id)
      }),

    linkAccount: (account) =>
      write(store, account, (row, tables) => {
        assertUserExists(tables, row.userId, 'linkAccount')
        return insert(tables.accounts, accountKey(row), row, 'linkAccount')
      }),
    unlinkAccount: (key) =>
      write(store, accountKey(key), (account, { accounts }) => remove(accounts, account)),
    updateAccount: (account) =>
      write(store, account, (changes, { accounts }) =>
        update(accounts, accountKey(changes), changes, 'updateAccount'),
      ),
    getAccount: (providerAccountId, provider) =>
      read(store, ({ accounts }) => accounts.get(keyOf(provider, providerAccountId)) ?? null),
    listAccounts: (userId) => read(store, ({ accounts }) => ownedBy(accounts, userId)),

    createSession: (session) =>
      write(store, session, (row, tables) => {
        assertUserExists(tables, row.userId, 'createSession')
        return insert(tables.sessions, row.sessionToken, row, 'createSession')
      }),
    getSessionAndUser: (sessionToken) =>
      read(store, ({ sessions, users }) => {
        const session = sessions.get(sessionToken)
        const user = session && users.get(session.userId)
        return user ? { session, user } : null
      }),
    updateSession: (session) =>
      write(store, session, (changes, { sessions }) =>
        sessions.has(changes.sessionToken)
          ? update(sessions, changes.sessionToken, changes, 'updateSession')
          : null,
      ),
    deleteSession: (sessionToken) =>
      write(store, sessionToken, (token, { sessions }) => remove(sessions, token)),
    listSessions: (userId) => read(store, ({ sessions }) => ownedBy(sessions, userId)),
    deleteUserSessions: (userId) =>
      write(store, userId, (id, { sessions }) =>
        removeWhere(sessions, (session) => session.userId === id),
      ),

    createVerificationToken: (verificationToken) =>
      write(store, verificationToken, (row, { tokens }) =>
        insert(tokens, keyOf(row.identifier, row.token), row, 'createVerificationToken'),
      ),
    useVerificationToken: ({ identifier, token }) =>
      write(store, keyOf(identifier, token), (key, { tokens }) => remove(tokens, key)),
    deleteVerificationTokens: (identifier) =>
      write(store, identifier, (address, { tokens }) =>
        removeWhere(tokens, (token) => token.identifier === address),
      ),

    createAuthenticator: (authenticator) =>
      write(store, authenticator, (row, tables) => {
        assertUserExists(tables, row.userId, 'createAuthenticator')
        return insert(tables.authenticators, row.credentialID, row, 'createAuthenticator')
      }),
    getAuthenticator: (credentialID) =>
      read(store, ({ authenticators }) => authenticators.get(credentialID) ?? null),
    listAuthenticatorsByUserId: (userId) =>
      read(store, ({ authenticators }) => ownedBy(authenticators, userId)),
    updateAuthenticatorCounter: (credentialID, newCounter) =>
      write(store, newCounter, (counter, { authenticators }) =>
        update(authenticators, credentialID, { counter }, 'updateAuthenticatorCounter'),
      ),

    deleteExpired: (now = new Date()) =>
      write(store, now, (date, { sessions, tokens }) => {
        removeWhere(sessions, ({ expires }) => expires < date)
        removeWhere(tokens, ({ expires }) => expires < date)
      }),
    transaction: (work) =>
      inTurn(store, async () => {
        const draft = storeOf(store.tables)
        const result = await work(adapterOver(draft))
        store.tables = draft.tables
        return result
      }),
  }
}

/**
 * Stores everything in the memory of this process, for demos and tests. Other processes, and modules reloaded in
 * development, do not share it. Next evaluates a module several times in one process: keep the adapter on `globalThis`.
 *
 * It implements the whole contract of {@link Adapter} and keeps the given user ids. Transactions run one at a time:
 * other readers see the state before the transaction, and other writers wait. Inside a transaction, write only to the
 * adapter that it receives; waiting for a write to this one is a deadlock. Expired rows are kept until `deleteExpired`
 * is called.
 *
 * @example
 * ```ts
 * import MemoryAdapter from 'lib-auth/adapters/memory'
 *
 * export const adapter = MemoryAdapter()
 * ```
 */
export default function MemoryAdapter(): Required<Adapter> {
  return adapterOver(
    storeOf({
      users: new Map(),
      accounts: new Map(),
      sessions: new Map(),
      tokens: new Map(),
      authenticators: new Map(),
    }),
  )
}
