/** The adapter methods that the core calls. Rows are validated: an invalid one must not sign a user in or out. */
import type {
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
import { CREDENTIAL_RULES } from './credential-rules.ts'
import { readCounter, readDate, readId } from './read-column.ts'
import { readRows } from './read-rows.ts'
import { rejectCall, requireBoolean } from './reject-call.ts'
import type { Method, Rules } from './rules.ts'

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
  ...CREDENTIAL_RULES,
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
  writeRecord: { read: requireBoolean },
  deleteRecords: nothing,
}
