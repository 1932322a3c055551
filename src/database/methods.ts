/** The adapter methods that the core calls, and how their rows are validated. */
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import { isSameAddress } from '../case-folding.ts'
import type { Awaitable } from '../types.ts'
import {
  accountsOf,
  createdSession,
  existingUser,
  rowsOf,
  sessionOf,
  tokenOf,
  userOf,
} from './rows.ts'
import type { SessionRow } from './rows.ts'

/** The validated result of each method. */
interface Results {
  getUser: AdapterUser | null
  getUserByEmail: AdapterUser | null
  getUserByAccount: AdapterUser | null
  createUser: AdapterUser
  updateUser: AdapterUser
  deleteUser: void
  linkAccount: void
  unlinkAccount: void
  updateAccount: void
  listAccounts: readonly AdapterAccount[]
  getSessionAndUser: SessionRow | null
  createSession: AdapterSession
  updateSession: void
  deleteSession: AdapterSession | null
  listSessions: readonly AdapterSession[]
  deleteUserSessions: void
  createVerificationToken: void
  useVerificationToken: VerificationToken | null
  deleteVerificationTokens: void
}

export type Method = keyof Results

type Signatures = {
  readonly [M in Method]: {
    readonly args: Parameters<NonNullable<Adapter[M]>>
    readonly row: Awaited<ReturnType<NonNullable<Adapter[M]>>>
  }
}

export type Arguments<M extends Method> = Signatures[M]['args']
export type Row<M extends Method> = Signatures[M]['row']
export type Result<M extends Method> = Results[M]

/** The methods of an adapter by name, in a form that a generic function can call. */
export type AdapterMethods = {
  readonly [M in Method]?: (...args: Arguments<M>) => Awaitable<Row<M>>
}

export interface Rules<M extends Method> {
  /** Validates the row; throws AdapterError if it is invalid. */
  readonly read: (row: NonNullable<Row<M>> | null, method: string, args: Arguments<M>) => Result<M>
  /** Whether the row has the requested key: a case-insensitive collation may return another row. */
  readonly matches?: (result: NonNullable<Result<M>>, args: Arguments<M>) => boolean
  /** The arguments that the adapter receives, if not those of the caller. */
  readonly pick?: (args: Arguments<M>) => Arguments<M>
  /** Calls with the same text run one after another. */
  readonly turn?: (args: Arguments<M>) => string
  /** The session to delete if the call completes after its deadline, because no browser has its token. */
  readonly undo?: (row: Row<M>, args: Arguments<M>) => string
  /** Timeout in milliseconds. @default 5000 */
  readonly timeout?: number
}

/** For best-effort writes during a read. */
const BEST_EFFORT_TIMEOUT = 1_000

type MethodTable = { readonly [M in Method]: Rules<M> }

const nothing = { read: (): void => undefined }

/** An account may contain tokens, which are no part of the key. */
const accountKey = ([key]: [AdapterAccountKey]): [AdapterAccountKey] => [
  { provider: key.provider, providerAccountId: key.providerAccountId },
]

export const METHODS: MethodTable = {
  getUser: { read: userOf, matches: (user, [id]) => user.id === id },
  getUserByEmail: { read: userOf, matches: (user, [email]) => isSameAddress(user.email, email) },
  getUserByAccount: { read: userOf, pick: accountKey },
  createUser: { read: existingUser },
  updateUser: { read: existingUser },
  deleteUser: nothing,
  linkAccount: nothing,
  unlinkAccount: { ...nothing, pick: accountKey },
  updateAccount: { ...nothing, timeout: BEST_EFFORT_TIMEOUT },
  listAccounts: { read: (rows, method, [userId]) => accountsOf(rows, { method, userId }) },
  getSessionAndUser: {
    read: sessionOf,
    matches: ({ session }, [sessionToken]) => session.sessionToken === sessionToken,
  },
  createSession: {
    read: (row, _method, [session]) => createdSession(row, session),
    undo: (row, [session]) => row?.sessionToken ?? session.sessionToken,
  },
  updateSession: { ...nothing, timeout: BEST_EFFORT_TIMEOUT },
  deleteSession: { read: (row) => row ?? null },
  listSessions: { read: (rows, method, [userId]) => rowsOf(rows, { method, userId }) },
  deleteUserSessions: nothing,
  createVerificationToken: nothing,
  useVerificationToken: {
    read: tokenOf,
    matches: (row, [key]) => row.identifier === key.identifier && row.token === key.token,
    pick: ([{ identifier, token }]) => [{ identifier, token }],
    // An adapter may read the row before it deletes it.
    turn: ([{ identifier, token }]) => `${identifier} ${token}`,
  },
  deleteVerificationTokens: nothing,
}
