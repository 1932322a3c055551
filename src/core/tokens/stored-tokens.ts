/** Tokens of an account at a provider, by the names of their columns. */
import type { AdapterAccount, AdapterAccountKey } from '../database/adapter.ts'
import { epochSeconds } from '../crypto/seal.ts'

export const TOKEN_COLUMNS = ['access_token', 'refresh_token', 'id_token'] as const

export type TokenColumn = (typeof TOKEN_COLUMNS)[number]

/** Of `Date`, in seconds. */
const MAX_TIME = 8.64e12

export interface StoredTokens extends AdapterAccountKey {
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
  readonly id_token?: string | undefined
  /** In seconds since the epoch. */
  readonly expires_at?: number | undefined
  /** Separated by spaces (RFC 6749 §3.3). */
  readonly scope?: string | undefined
  readonly token_type?: string | undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The tokens in a row or a sealed value; some databases return numbers as text. */
export function readTokens(
  { provider, providerAccountId }: AdapterAccountKey,
  from: Readonly<Record<string, unknown>>,
): StoredTokens {
  const expiresAt = Number(from['expires_at'] ?? NaN)
  return {
    provider,
    providerAccountId,
    access_token: text(from['access_token']),
    refresh_token: text(from['refresh_token']),
    id_token: text(from['id_token']),
    expires_at: expiresAt > 0 && expiresAt <= MAX_TIME ? expiresAt : undefined,
    scope: text(from['scope']),
    token_type: text(from['token_type']),
  }
}

/** A token without an expiry is valid until the API rejects it. */
export function isValidFor({ access_token, expires_at }: StoredTokens, seconds: number): boolean {
  if (access_token === undefined) return false
  return expires_at === undefined || expires_at > epochSeconds() + seconds
}

export function isReplaced(before: StoredTokens, now: StoredTokens): boolean {
  return now.refresh_token !== before.refresh_token || now.access_token !== before.access_token
}

/** The scopes of a grant; some providers separate them with commas. */
export function listScopes({ scope = '' }: Pick<StoredTokens, 'scope'>): readonly string[] {
  return scope.split(/[ ,]+/).filter(Boolean)
}

/** After a refresh. What the provider omits has not changed (RFC 6749 §5.1, §6); except for the lifetime. */
export function refreshedTokens(
  before: StoredTokens,
  response: Readonly<Record<string, unknown>>,
): StoredTokens {
  const { provider, providerAccountId } = before
  const { expires_at, ...after } = readTokens(before, response)
  return {
    provider,
    providerAccountId,
    access_token: after.access_token,
    refresh_token: after.refresh_token ?? before.refresh_token,
    id_token: after.id_token ?? before.id_token,
    expires_at,
    scope: after.scope ?? before.scope,
    token_type: after.token_type ?? before.token_type,
  }
}

/** Of what is not set, a row keeps what it has; an unknown expiry is 0, because rows have no type for `null`. */
export function toColumns(tokens: StoredTokens): Partial<AdapterAccount> & AdapterAccountKey {
  const { provider, providerAccountId, expires_at = 0, ...columns } = tokens
  const set = Object.entries(columns).filter(([, value]) => value !== undefined)
  return { provider, providerAccountId, expires_at, ...Object.fromEntries(set) }
}
