/** Facts about a sign-in, which a session keeps for its whole life. No callback and no update changes them. */
import { fromBase64Url, toBase64Url, toBytes } from '../crypto/digest.ts'
import { isRecord } from '../is-record.ts'

export interface SessionFacts {
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** Id of the provider of the sign-in. */
  readonly via: string
  /** How the user was authenticated, by names of RFC 8176; `fed` and `email` are ours. */
  readonly amr: readonly string[]
  /** What a provider with `trustsAssurance` stated (OpenID Connect Core §2). */
  readonly acr?: string | undefined
  /** Seconds without use after which the session ends. */
  readonly idle: number
  /** Seconds after the sign-in at which it ends; `null`: never. */
  readonly absolute: number | null
  /** Whether the cookie outlives the browser. */
  readonly keep: boolean
  /** When the user was authenticated, in milliseconds since the epoch; 0: never. @default {@link startedAt} */
  readonly authTime?: number | undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0

/** `null` if it is not what {@link SessionFacts} describes, as in sessions of earlier releases. */
export function parseFacts(value: unknown): SessionFacts | null {
  if (!isRecord(value)) return null
  const { startedAt, via, amr, acr, idle, absolute, keep, authTime } = value
  const isValid =
    isTime(startedAt) &&
    isText(via) &&
    Array.isArray(amr) &&
    amr.every(isText) &&
    (acr === undefined || isText(acr)) &&
    isTime(idle) &&
    (absolute === null || isTime(absolute)) &&
    typeof keep === 'boolean' &&
    (authTime === undefined || isTime(authTime))
  return isValid ? { startedAt, via, amr, acr, idle, absolute, keep, authTime } : null
}

/** Behind the random part of a database session token: to change a fact is to change the token. */
const SEPARATOR = '.'

export function appendFacts(
  token: string,
  { startedAt, via, amr, acr, ...limits }: SessionFacts,
): string {
  const { idle, absolute, keep, authTime } = limits
  // Names have no spaces. Short, because key columns are.
  const list = [startedAt, via, amr.join(' '), acr ?? null, idle, absolute, keep]
  if (authTime !== undefined) list.push(authTime)
  return `${token}${SEPARATOR}${toBase64Url(toBytes(JSON.stringify(list)))}`
}

export function readAppendedFacts(token: string): SessionFacts | null {
  const at = token.lastIndexOf(SEPARATOR)
  const bytes = at === -1 ? null : fromBase64Url(token.slice(at + 1))
  if (!bytes) return null
  try {
    const list: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!Array.isArray(list)) return null
    const [startedAt, via, amr, acr, idle, absolute, keep, authTime]: unknown[] = list
    const names = typeof amr === 'string' ? amr.split(' ').filter(Boolean) : amr
    const facts = { startedAt, via, amr: names, acr: acr ?? undefined, idle, absolute, keep }
    return parseFacts({ ...facts, authTime })
  } catch {
    return null
  }
}
