/** The adapter methods that the core calls. Rows are validated: an invalid one must not sign a user in or out. */
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  StoredRecord,
  VerificationToken,
} from './adapter.ts'
import { all } from '../async/awaitable.ts'
import { isSameAddress } from '../identity/case-folding.ts'
import type { Awaitable } from '../types.ts'
import { readCounter, readDate, readId } from './read-column.ts'
import { readFactor } from './read-factor.ts'
import { readPassword } from './read-password.ts'
import { rejectCall } from './reject-call.ts'

export type Method = Exclude<keyof Adapter, 'transaction' | 'deleteExpired'>

type Signatures = {
  readonly [M in Method]: {
    readonly args: Parameters<NonNullable<Adapter[M]>>
    readonly row: Awaited<ReturnType<NonNullable<Adapter[M]>>>
  }
}

/** Methods whose result is not used, so that an adapter may return nothing. */
type MethodWithoutResult = 'createAuthenticator' | 'updateAuthenticatorCounter'

export type Arguments<M extends Method> = Signatures[M]['args']
export type Row<M extends Method> = Signatures[M]['row']
export type Result<M extends Method> = M extends MethodWithoutResult
  ? null
  : Exclude<Row<M>, undefined | void> | (undefined extends Row<M> ? null : never)

/** The methods of an adapter by name, in a form that a generic function can call. */
export type AdapterMethods = {
  readonly [M in Method]?: (...args: Arguments<M>) => Awaitable<Row<M>>
}

export interface Rules<M extends Method> {
  /** Validates the row; throws AdapterError if it is invalid. */
  readonly read: (row: NonNullable<Row<M>> | null, method: string, args: Arguments<M>) => Result<M>
  /** Whether the row has the requested key: a case-insensitive collation may return another row. */
  readonly matches?: (result: NonNullable<Result<M>>, args: Arguments<M>) => boolean
  readonly pick?: (args: Arguments<M>) => Arguments<M>
  /** The result for a key that databases cannot store. @default that of `read` without a row */
  readonly unstorable?: Result<M>
  /** Calls with the same text run one after another. */
  readonly turn?: (args: Arguments<M>) => string
  /** The session to delete if the call completes after its deadline, because no browser has its token. */
  readonly undo?: (row: Row<M>, args: Arguments<M>) => string
  /** Timeout in milliseconds. @default 5000 */
  readonly timeout?: number
  /** Encrypts what is written. */
  readonly seal?: (args: Arguments<M>, columns: AccountColumns) => Promise<Arguments<M>>
  /** Decrypts what was read. */
  readonly open?: (result: NonNullable<Result<M>>, columns: AccountColumns) => Awaitable<Result<M>>
}

/** Encrypts and decrypts the tokens of an account. */
export interface AccountColumns {
  seal<R extends AdapterAccountKey>(row: R): Promise<R>
  open<R extends AdapterAccountKey>(row: R): Awaitable<R>
}

export interface SessionRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

function readUser(row: AdapterUser | null, method: string): AdapterUser | null {
  if (row === null) return null
  const id = readId(row.id) ?? rejectCall(method, 'returned a user without an id')
  const emailVerified = readDate(row.emailVerified)
  const isNormal = id === row.id && emailVerified === row.emailVerified
  return isNormal ? row : { ...row, id, emailVerified }
}

export function existingUser(row: AdapterUser | null, method: string): AdapterUser {
  return readUser(row, method) ?? rejectCall(method, 'did not return a user')
}

function readSession(row: Partial<SessionRow> | null, method: string): SessionRow | null {
  if (row === null) return null
  const { session } = row
  const expires = readDate(session?.expires)
  if (!session || !expires) rejectCall(method, 'returned a session without a valid expires')
  const user = readUser(row.user ?? null, method)
  if (!user) return null
  const isNormal = session.expires === expires && session.userId === user.id
  return { session: isNormal ? session : { ...session, userId: user.id, expires }, user }
}

function readToken(row: VerificationToken | null, method: string): VerificationToken | null {
  if (row === null) return null
  const expires = readDate(row.expires)
  return {
    ...row,
    expires: expires ?? rejectCall(method, 'returned a token without a valid expires'),
  }
}

/** Drops rows of other users. Rejects a missing list: treating it as empty could hide accounts from an eviction. */
function readRows<T extends { readonly userId: string }>(
  rows: T[] | null,
  method: string,
  [userId]: [string],
): T[] {
  const list = Array.isArray(rows) ? rows : rejectCall(method, 'did not return an array')
  return list.filter((row) => readId(row.userId) === userId)
}

function checkRecords(rows: readonly StoredRecord[] | null, method: string): StoredRecord[] {
  const list = Array.isArray(rows) ? rows : rejectCall(method, 'did not return an array')
  return list.map(({ key, value, owner, expires }) => {
    if (typeof key !== 'string' || typeof value !== 'string')
      rejectCall(method, 'returned a record without a textual key and value')
    const date =
      readDate(expires) ?? rejectCall(method, 'returned a record without a valid expires')
    return { key, value, owner: owner ?? null, expires: date }
  })
}

function checkBoolean(isDone: boolean | null, method: string): boolean {
  return typeof isDone === 'boolean' ? isDone : rejectCall(method, 'did not return a boolean')
}

function withTextualId(row: AdapterAccount): AdapterAccount {
  const providerAccountId = readId(row.providerAccountId) ?? ''
  return providerAccountId === row.providerAccountId ? row : { ...row, providerAccountId }
}

function readPasskey(
  row: AdapterAuthenticator | null,
  method: string,
): AdapterAuthenticator | null {
  if (row === null) return null
  const reject = (field: string) =>
    rejectCall(method, `returned a passkey without a valid ${field}`)
  const userId = readId(row.userId) ?? reject('userId')
  const counter = readCounter(row.counter) ?? reject('counter')
  if (typeof row.credentialID !== 'string') reject('credentialID')
  if (typeof row.credentialPublicKey !== 'string') reject('credentialPublicKey')
  return {
    ...row,
    userId,
    counter,
    // Stays undefined without a column.
    ...(row.lastUsed !== undefined && { lastUsed: readDate(row.lastUsed) }),
    ...(row.created !== undefined && { created: readDate(row.created) }),
  }
}

function existingPasskey(row: AdapterAuthenticator | null, method: string): AdapterAuthenticator {
  return readPasskey(row, method) ?? rejectCall(method, 'did not return a passkey')
}

function readAccount(row: AdapterAccount | null, method: string): AdapterAccount | null {
  if (row === null) return null
  const userId = readId(row.userId) ?? rejectCall(method, 'returned an account without a userId')
  return { ...withTextualId(row), userId }
}

const nothing = { read: (): null => null }
const bestEffort = { ...nothing, timeout: 1_000 }

/** An account may contain tokens, which are no part of the key. */
const accountKey = ([key]: [AdapterAccountKey]): [AdapterAccountKey] => [
  { provider: key.provider, providerAccountId: key.providerAccountId },
]

export const METHODS: { readonly [M in Method]: Rules<M> } = {
  getUser: { read: readUser, matches: (user, [id]) => user.id === id },
  getUserByEmail: { read: readUser, matches: (user, [email]) => isSameAddress(user.email, email) },
  getUserByAccount: { read: readUser, pick: accountKey },
  createUser: { read: existingUser },
  updateUser: { read: existingUser },
  deleteUser: nothing,
  linkAccount: { ...nothing, seal: async ([account], columns) => [await columns.seal(account)] },
  unlinkAccount: { ...nothing, pick: accountKey },
  updateAccount: {
    ...bestEffort,
    seal: async ([changes], columns) => [await columns.seal(changes)],
  },
  getAccount: {
    read: readAccount,
    matches: (account, [providerAccountId, provider]) =>
      account.providerAccountId === providerAccountId && account.provider === provider,
    open: (account, columns) => columns.open(account),
  },
  listAccounts: {
    read: (rows, method, args) => readRows(rows, method, args).map(withTextualId),
    open: (rows, columns) => all(rows.map((row) => columns.open(row))),
  },
  getSessionAndUser: {
    read: readSession,
    matches: ({ session }, [sessionToken]) => session.sessionToken === sessionToken,
  },
  createSession: {
    // An adapter may replace the proposed token or expiry.
    read: (row, _method, [session]) => ({
      ...session,
      sessionToken: row?.sessionToken || session.sessionToken,
      expires: readDate(row?.expires) ?? session.expires,
    }),
    undo: (row, [session]) => row?.sessionToken ?? session.sessionToken,
  },
  updateSession: bestEffort,
  deleteSession: { read: (row) => row ?? null },
  listSessions: { read: readRows },
  deleteUserSessions: nothing,
  createVerificationToken: nothing,
  useVerificationToken: {
    read: readToken,
    matches: (row, [key]) => row.identifier === key.identifier && row.token === key.token,
    pick: ([{ identifier, token }]) => [{ identifier, token }],
    // An adapter may read the row before it deletes it.
    turn: ([{ identifier, token }]) => `${identifier} ${token}`,
  },
  deleteVerificationTokens: nothing,
  createAuthenticator: nothing,
  getAuthenticator: {
    read: readPasskey,
    matches: (passkey, [credentialID]) => passkey.credentialID === credentialID,
  },
  listAuthenticatorsByUserId: {
    read: (rows, method, args) =>
      readRows(rows, method, args).map((row) => existingPasskey(row, method)),
  },
  updateAuthenticatorCounter: nothing,
  updateAuthenticator: { ...bestEffort, read: existingPasskey },
  deleteAuthenticator: nothing,
  readRecords: {
    read: (rows, method, [keys]) =>
      checkRecords(rows, method).filter(({ key }) => keys.includes(key)),
  },
  listRecords: {
    read: (rows, method, [owner]) =>
      checkRecords(rows, method).filter((record) => record.owner === owner),
  },
  writeRecord: { read: checkBoolean },
  deleteRecords: nothing,
  listFactors: {
    read: (rows, method, args) =>
      readRows(rows, method, args).flatMap((row) => readFactor(row, method) ?? []),
  },
  createFactor: nothing,
  useFactor: { read: checkBoolean, unstorable: false, turn: ([{ id }]) => `factor ${id}` },
  deleteFactor: {
    read: readFactor,
    matches: (factor, [id]) => factor.id === id,
    turn: ([id]) => `factor ${id}`,
  },
  getPassword: { read: readPassword, matches: (password, [userId]) => password.userId === userId },
  setPassword: { read: checkBoolean },
}
