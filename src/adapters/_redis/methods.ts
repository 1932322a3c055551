import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../index.ts'
import { USER } from './store.ts'
import type { Unit } from './unit.ts'

const pair = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Keys of rows and of the lists of keys that belong to a user or an identifier. */
const KEYS = {
  user: (id: string) => USER + id,
  email: (email: string) => `email:${email}`,
  account: ({ provider, providerAccountId }: AdapterAccountKey) =>
    `account:${pair(provider, providerAccountId)}`,
  accounts: (userId: string) => `accounts:${userId}`,
  session: (token: string) => `session:${token}`,
  sessions: (userId: string) => `sessions:${userId}`,
  token: (identifier: string, token: string) => `token:${pair(identifier, token)}`,
  tokens: (identifier: string) => `tokens:${identifier}`,
  authenticator: (id: string) => `authenticator:${id}`,
  authenticators: (userId: string) => `authenticators:${userId}`,
}

export interface Access {
  <T>(work: (unit: Unit) => Promise<T>): Promise<T>
  follow<T extends object>(key: string): Promise<readonly [row: T, user: AdapterUser] | null>
}

async function rowsOf<T extends object>(unit: Unit, list: string): Promise<T[]> {
  const rows = await Promise.all((await unit.list(list)).map((key) => unit.get<T>(key)))
  return rows.flatMap((row) => row ?? [])
}

/** Applies the changes, except those that are `undefined`. */
function changed<T extends object>(row: T, changes: object): T {
  const copy = { ...row }
  for (const [field, value] of Object.entries(changes))
    if (value !== undefined) Reflect.set(copy, field, value)
  return copy
}

async function addRow<T extends object>(unit: Unit, key: string, row: T, until?: Date): Promise<T> {
  if (await unit.get(key)) throw new Error('A row with this key already exists.')
  unit.set(key, row, until)
  return row
}

async function known<T extends object>(unit: Unit, key: string, method: string): Promise<T> {
  const row = await unit.get<T>(key)
  if (row) return row
  throw new Error(`${method}: the row does not exist.`)
}

async function takeAddress(unit: Unit, email: string | null | undefined, userId: string) {
  if (email) await addRow(unit, KEYS.email(email), { userId })
}

async function addOwned<T extends { readonly userId: string }>(
  unit: Unit,
  { key, list, row, until }: { key: string; list: string; row: T; until?: Date },
): Promise<T> {
  await known(unit, KEYS.user(row.userId), 'user')
  await addRow(unit, key, row, until)
  unit.add(list, key, until)
  return row
}

export function methodsOver(
  access: Access,
): Omit<Required<Adapter>, 'transaction' | 'deleteExpired'> {
  return {
    createUser: (user) =>
      access(async (unit) => {
        await takeAddress(unit, user.email, user.id)
        return addRow(unit, KEYS.user(user.id), user)
      }),
    getUser: (id) => access((unit) => unit.get<AdapterUser>(KEYS.user(id))),
    getUserByEmail: async (email) => (await access.follow(KEYS.email(email)))?.[1] ?? null,
    getUserByAccount: async (key) => (await access.follow(KEYS.account(key)))?.[1] ?? null,
    updateUser: (changes) =>
      access(async (unit) => {
        const key = KEYS.user(changes.id)
        const before = await known<AdapterUser>(unit, key, 'updateUser')
        const user = changed(before, changes)
        if (user.email !== before.email) {
          if (before.email) unit.delete(KEYS.email(before.email))
          await takeAddress(unit, user.email, user.id)
        }
        unit.set(key, user)
        return user
      }),
    deleteUser: (id) =>
      access(async (unit) => {
        const user = await unit.get<AdapterUser>(KEYS.user(id))
        for (const list of [KEYS.accounts(id), KEYS.sessions(id), KEYS.authenticators(id)])
          await unit.clear(list)
        if (user?.email) unit.delete(KEYS.email(user.email))
        unit.delete(KEYS.user(id))
        return user
      }),

    linkAccount: (row) =>
      access((unit) =>
        addOwned(unit, { key: KEYS.account(row), list: KEYS.accounts(row.userId), row }),
      ),
    unlinkAccount: (account) =>
      access(async (unit) => {
        const row = await unit.get<AdapterAccount>(KEYS.account(account))
        unit.delete(KEYS.account(account))
        if (row) unit.remove(KEYS.accounts(row.userId), KEYS.account(account))
        return row
      }),
    updateAccount: (changes) =>
      access(async (unit) => {
        const key = KEYS.account(changes)
        const account = changed(await known<AdapterAccount>(unit, key, 'updateAccount'), changes)
        unit.set(key, account)
        return account
      }),
    getAccount: (providerAccountId, provider) =>
      access((unit) => unit.get<AdapterAccount>(KEYS.account({ provider, providerAccountId }))),
    listAccounts: (userId) => access((unit) => rowsOf<AdapterAccount>(unit, KEYS.accounts(userId))),

    createSession: (row) =>
      access((unit) =>
        addOwned(unit, {
          key: KEYS.session(row.sessionToken),
          list: KEYS.sessions(row.userId),
          row,
          until: row.expires,
        }),
      ),
    async getSessionAndUser(token) {
      const found = await access.follow<AdapterSession>(KEYS.session(token))
      return found && { session: found[0], user: found[1] }
    },
    updateSession: (changes) =>
      access(async (unit) => {
        const key = KEYS.session(changes.sessionToken)
        const before = await unit.get<AdapterSession>(key)
        if (!before) return null
        const session = changed(before, changes)
        unit.set(key, session, session.expires)
        unit.add(KEYS.sessions(session.userId), key, session.expires)
        return session
      }),
    deleteSession: (token) =>
      access(async (unit) => {
        const key = KEYS.session(token)
        const session = await unit.get<AdapterSession>(key)
        unit.delete(key)
        if (session) unit.remove(KEYS.sessions(session.userId), key)
        return session
      }),
    listSessions: (userId) => access((unit) => rowsOf<AdapterSession>(unit, KEYS.sessions(userId))),
    deleteUserSessions: (userId) => access((unit) => unit.clear(KEYS.sessions(userId))),

    createVerificationToken: (row) =>
      access(async (unit) => {
        const key = KEYS.token(row.identifier, row.token)
        await addRow(unit, key, row, row.expires)
        unit.add(KEYS.tokens(row.identifier), key, row.expires)
        return row
      }),
    useVerificationToken: ({ identifier, token }) =>
      access(async (unit) => {
        const key = KEYS.token(identifier, token)
        const row = await unit.get<VerificationToken>(key)
        if (!row) return null
        unit.delete(key)
        unit.remove(KEYS.tokens(identifier), key)
        return row
      }),
    deleteVerificationTokens: (identifier) => access((unit) => unit.clear(KEYS.tokens(identifier))),

    createAuthenticator: (row) =>
      access((unit) =>
        addOwned(unit, {
          key: KEYS.authenticator(row.credentialID),
          list: KEYS.authenticators(row.userId),
          row,
        }),
      ),
    getAuthenticator: (id) =>
      access((unit) => unit.get<AdapterAuthenticator>(KEYS.authenticator(id))),
    listAuthenticatorsByUserId: (userId) =>
      access((unit) => rowsOf<AdapterAuthenticator>(unit, KEYS.authenticators(userId))),
    updateAuthenticatorCounter: (id, counter) =>
      access(async (unit) => {
        const key = KEYS.authenticator(id)
        const row = await known<AdapterAuthenticator>(unit, key, 'updateAuthenticatorCounter')
        const authenticator = { ...row, counter }
        unit.set(key, authenticator)
        return authenticator
      }),
  }
}
