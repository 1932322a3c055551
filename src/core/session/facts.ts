/** Facts about a sign-in, which a session keeps for its whole life. No callback and no update changes them. */
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

/** What was proved about the user. */
export type Proof = Pick<SessionFacts, 'amr' | 'acr' | 'authTime'>

const isText = (value: unknown): value is string => typeof value === 'string'
const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0

/** Whether it is what {@link SessionFacts} describes, unlike those of sessions of earlier releases. */
export function isFacts(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & SessionFacts {
  const { startedAt, via, amr, acr, idle, absolute, keep, authTime } = value
  return (
    isTime(startedAt) &&
    isText(via) &&
    Array.isArray(amr) &&
    amr.every(isText) &&
    (acr === undefined || isText(acr)) &&
    isTime(idle) &&
    (absolute === null || isTime(absolute)) &&
    typeof keep === 'boolean' &&
    (authTime === undefined || isTime(authTime))
  )
}

/** `null` if they are not {@link isFacts}. */
export function parseFacts(value: unknown): SessionFacts | null {
  if (!isRecord(value) || !isFacts(value)) return null
  const { startedAt, via, amr, acr, idle, absolute, keep, authTime } = value
  return { startedAt, via, amr, acr, idle, absolute, keep, authTime }
}

/** In no provider id, name of a method or stored `acr`; cookies and URLs need no escape for it. */
const SEPARATOR = '!'
const FIELDS = 8

const time = (milliseconds = NaN) =>
  Number.isNaN(milliseconds) ? '' : Math.floor(milliseconds).toString(36)
const number = (text: string | undefined, radix = 10) => Number.parseInt(text ?? '', radix)

/** Behind the random part of a database session token: to change a fact is to change the token. Short, because key columns are. */
export function appendFacts(
  token: string,
  { startedAt, via, amr, acr = '', idle, absolute, keep, authTime }: SessionFacts,
): string {
  const fields = [time(startedAt), via, amr.join('+'), acr, idle, absolute, Number(keep)]
  return [token, ...fields, time(authTime)].join(SEPARATOR)
}

export function readAppendedFacts(token: string): SessionFacts | null {
  const parts = token.split(SEPARATOR)
  if (parts.length <= FIELDS) return null
  const [startedAt, via, amr, acr, idle, absolute, keep, authTime] = parts.slice(-FIELDS)
  return parseFacts({
    startedAt: number(startedAt, 36),
    via,
    amr: amr?.split('+').filter(Boolean),
    acr: acr || undefined,
    idle: number(idle),
    absolute: absolute ? number(absolute) : null,
    keep: keep === '1',
    authTime: authTime ? number(authTime, 36) : undefined,
  })
}
