/** Rows as adapters return them, checked: a row that is none must not sign anybody in, or out. */
import type {
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import { AdapterError } from '../errors/session.ts'

/** The time a database gave back as a date, a text or a number of milliseconds; `null` for anything else. */
export function dateOf(value: unknown): Date | null {
  const isWritten = typeof value === 'string' || typeof value === 'number'
  const date = isWritten ? new Date(value) : value
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date : null
}

/** An id, which some databases count. */
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

/** A user, or `null` where there is none. */
export function userOf(row: AdapterUser | null, method: string): AdapterUser | null {
  if (row === null) return null
  const id = isObject(row) ? idOf(row.id) : null
  if (id === null) refuse(method, 'user with an id')
  const emailVerified = dateOf(row.emailVerified)
  const isNormal = id === row.id && emailVerified === row.emailVerified
  return isNormal ? row : { ...row, id, emailVerified }
}

/** A user who has to be there. */
export function knownUser(row: AdapterUser | null, method: string): AdapterUser {
  return userOf(row, method) ?? refuse(method, 'user')
}

/** A session as it is in the database. */
export interface SessionRow {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/** A session with its user, or `null` where there is none, or where its user is gone. */
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

/** A token with the time at which it expires, or `null` where there is none. */
export function tokenOf(row: VerificationToken | null, method: string): VerificationToken | null {
  if (row === null) return null
  const expires = isObject(row) ? dateOf(row['expires']) : null
  return { ...row, expires: expires ?? refuse(method, 'token with a time at which it expires') }
}

/** Whose rows were asked for. */
interface Owner {
  readonly method: string
  readonly userId: string
}

/** Rows of a user; those of other users are left out. */
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

/** The accounts of a user, with every id as text. */
export function accountsOf(
  rows: readonly AdapterAccount[] | null,
  owner: Owner,
): readonly AdapterAccount[] {
  return rowsOf(rows, owner).map(textual)
}

/** Rows. That there are none is an empty list: whoever says nothing at all may be hiding some. */
function listOf<T>(rows: readonly T[] | null, method: string): readonly T[] {
  return Array.isArray(rows) ? rows : refuse(method, 'list')
}
