/** Validates the rows that adapters return: an invalid row must not sign a user in or out. */
import type {
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import { AdapterError } from '../errors/session.ts'

export interface SessionRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

interface Owner {
  readonly method: string
  readonly userId: string
}

/** Parses a time that a database returned as a date, a string or a number of milliseconds; `null` if it is invalid. */
function dateOf(value: unknown): Date | null {
  const isWritten = typeof value === 'string' || typeof value === 'number'
  const date = isWritten ? new Date(value) : value
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date : null
}

/** Converts an id to a string; some databases use numbers. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function rejectRow(method: string, problem: string): never {
  throw new AdapterError(`The adapter method ${method} ${problem}.`, { method })
}

export function userOf(row: AdapterUser | null, method: string): AdapterUser | null {
  if (row === null) return null
  const id = idOf(row.id) ?? rejectRow(method, 'returned a user without an id')
  const emailVerified = dateOf(row.emailVerified)
  const isNormal = id === row.id && emailVerified === row.emailVerified
  return isNormal ? row : { ...row, id, emailVerified }
}

export function existingUser(row: AdapterUser | null, method: string): AdapterUser {
  return userOf(row, method) ?? rejectRow(method, 'did not return a user')
}

export function sessionOf(row: Partial<SessionRow> | null, method: string): SessionRow | null {
  if (row === null) return null
  const { session } = row
  const expires = dateOf(session?.expires)
  if (!session || !expires) rejectRow(method, 'returned a session without a valid expires')
  const user = userOf(row.user ?? null, method)
  if (!user) return null
  const isNormal = session.expires === expires && session.userId === user.id
  return { session: isNormal ? session : { ...session, userId: user.id, expires }, user }
}

/** The stored session: an adapter may replace the proposed token or expiry. */
export function createdSession(
  row: Partial<AdapterSession> | null,
  session: AdapterSession,
): AdapterSession {
  return {
    ...session,
    sessionToken: row?.sessionToken || session.sessionToken,
    expires: dateOf(row?.expires) ?? session.expires,
  }
}

export function tokenOf(row: VerificationToken | null, method: string): VerificationToken | null {
  if (row === null) return null
  const expires = dateOf(row.expires)
  return {
    ...row,
    expires: expires ?? rejectRow(method, 'returned a token without a valid expires'),
  }
}

/**
 * Returns the rows of a user; drops those of other users. Rejects a missing list: treating it as empty could hide
 * accounts from an eviction.
 */
export function rowsOf<T extends { readonly userId: string }>(
  rows: readonly T[] | null,
  { method, userId }: Owner,
): readonly T[] {
  const list = Array.isArray(rows) ? rows : rejectRow(method, 'did not return an array')
  return list.filter((row) => idOf(row.userId) === userId)
}

function textual(row: AdapterAccount): AdapterAccount {
  return { ...row, providerAccountId: idOf(row.providerAccountId) ?? '' }
}

export function accountsOf(
  rows: readonly AdapterAccount[] | null,
  owner: Owner,
): readonly AdapterAccount[] {
  return rowsOf(rows, owner).map(textual)
}
