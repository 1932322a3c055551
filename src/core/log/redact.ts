/** Redacts secrets and control characters in log messages. */
import { node } from '../crypto/node.ts'

const MAX_TEXT_LENGTH = 512
const MAX_DEPTH = 6

const SECRET_KEY =
  /token|secret|password|passwd|^code$|code_?verifier|^state$|nonce|assertion|cookie|authorization|credential|api_?key|private|^url$|callback_?url|^pass$|^pin$|^otp$/i
/** Keys of secrets with little entropy: a hash would allow an offline guess. */
const GUESSABLE_KEY = /passw|^pass$|^pin$|^otp$|credential/i
const HARMLESS_KEY = /^token_type$|^csrf$|token_endpoint|^code_challenge_method$/i

const REDACTED = '[redacted]'

/** A short hash, by which equal secrets can be recognized. */
function fingerprint(value: string): string {
  if (!node) return REDACTED
  return `sha256:${node.crypto.createHash('sha256').update(value).digest('hex').slice(0, 8)}`
}

/** Escapes control characters (log injection) and limits the length. */
export function plainText(text: string, limit: number = MAX_TEXT_LENGTH): string {
  const short = text.length > limit ? `${text.slice(0, limit)}…` : text
  return short.replace(
    /\p{Cc}|[\u2028\u2029]/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

function redactValue(key: string, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && !GUESSABLE_KEY.test(key) ? fingerprint(String(value)) : REDACTED
}

function withoutQuery(url: URL): string {
  return plainText(`${url.origin === 'null' ? url.protocol : url.origin}${url.pathname}`)
}

function redactText(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text)
    ? withoutQuery(new URL(text))
    : plainText(text)
}

function isSecret(key: string): boolean {
  return SECRET_KEY.test(key) && !HARMLESS_KEY.test(key)
}

/** The values under secret keys, at every depth. */
export function secretsIn(value: unknown, depth: number = 0): unknown[] {
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, item]) =>
    isSecret(key) ? [item] : secretsIn(item, depth + 1),
  )
}

function redactObject(value: object, depth: number): unknown {
  if (depth >= MAX_DEPTH) return '…'
  if (value instanceof Date) return value
  if (value instanceof Error) return { name: value.name, message: plainText(value.message) }
  if (value instanceof URL) return withoutQuery(value)
  if (Array.isArray(value)) return value.map((item) => redactAt(item, depth + 1))
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    isSecret(key) ? redactValue(key, item) : redactAt(item, depth + 1),
  ])
  return Object.fromEntries(entries)
}

function redactAt(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'object' && value !== null) return redactObject(value, depth)
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'function' || typeof value === 'symbol' ? typeof value : value
}

export function redact(value: unknown): unknown {
  try {
    return redactAt(value, 0)
  } catch {
    // A getter of an application object may throw; the rest of the message is still logged.
    return '[unreadable]'
  }
}
