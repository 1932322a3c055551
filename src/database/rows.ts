/** Validates the rows that adapters return: an invalid row must not sign a user in or out. */
import type {
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import { AdapterError } from '../errors/session.ts'

/** Parses a time that a database returned as a date, a string or a number of milliseconds; `null` if it is invalid. */
export function dateOf(value: unknown): Date | null {
  const isWritten = typeof value === 'string' || typeof value === 'number'
  const date = isWritten ? new Date(value) : value
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date : null
}

/** Converts an id to a string; some databases use numbers. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

function isObject(row: unknown): row is Record<string, unknown> {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
}

function refuse(method: string, what: string): never {
  throw new AdapterError(`The adapter method ${method} returned no ${what}.`, { method })
}

export function userOf(row: AdapterUser | null, method: string): AdapterUser | null {
  if (row === null) return null
  const id = isObject(row) ? idOf(row.id) : null
  if (id === null) refuse(method, 'user with an id')
  const emailVerified = dateOf(row.emailVerified)
  const isNormal = id === row.id && emailVerified === row.emailVerified
  return isNormal ? row : { ...row, id, emailVerified }
}

export function knownUser(row: AdapterUser | null, method: string): AdapterUser {
  return userOf(row, method) ?? refuse(method, 'user')
}

export interface SessionRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

export function sessionOf(
  row: { readonly session: AdapterSession; readonly user: AdapterUser } | null,
  method: string,
): SessionRow | null {
  if (row === null) return null
  const { session, user }: { session?: unknown; user?: AdapterUser | null } = isObject(row)
    ? row
    : {}
  const expires = isObject(session) ? dateOf(session['expires']) : null
  if (expires === null) refuse(method, 'session with a time at which it expires')
  const owner = userOf(user ?? null, method)
  if (!owner) return null
  const isAsIs = row.session.expires instanceof Date && row.session.userId === owner.id
  const stored = isAsIs ? row.session : { ...row.session, userId: owner.id, expires }
  return { session: stored, user: owner }
}

export function tokenOf(row: VerificationToken | null, method: string): VerificationToken | null {
  if (row === null) return null
  const expires = isObject(row) ? dateOf(row['expires']) : null
  return { ...row, expires: expires ?? refuse(method, 'token with a time at which it expires') }
}

interface Owner {
  readonly method: string
  readonly userId: string
}

/** Returns the rows of a user; drops those of other users. */
export function rowsOf<T extends { readonly userId: string }>(
  rows: readonly T[] | null,
  { method, userId }: Owner,
): readonly T[] {
  return listOf(rows, method).filter((row) => idOf(row.userId) === userId)
}

function textual(row: AdapterAccount): AdapterAccount {
  const [userId, providerAccountId] = [idOf(row.userId), idOf(row.providerAccountId)]
  return { ...row, userId: userId ?? '', providerAccountId: providerAccountId ?? '' }
}

export function accountsOf(
  rows: readonly AdapterAccount[] | null,
  owner: Owner,
): readonly AdapterAccount[] {
  return rowsOf(rows, owner).map(textual)
}

/** Rejects a missing list: treating it as empty could hide accounts from an eviction. */
function listOf<T>(rows: readonly T[] | null, method: string): readonly T[] {
  return Array.isArray(rows) ? rows : refuse(method, 'list')
}
