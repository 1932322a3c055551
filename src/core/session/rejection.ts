/** Explains rejected sessions in the debug log; separate, so that a normal session read does not load it. */
import type { SessionContext } from '../contracts.ts'
import { readChunked } from '../cookies/reader.ts'
import type { SessionCookie } from '../cookies/policy.ts'
import { isCompact } from '../crypto/cipher.ts'
import { decrypt, epochSeconds, isCurrent } from '../crypto/seal.ts'
import type { Claims, KeyFamily } from '../crypto/seal.ts'
import { parseJsonObject } from '../is-record.ts'
import { expiryOf, signInTime } from './codec.ts'
import type { CodecSettings } from './codec.ts'

function reasonInClaims(claims: Claims, family: KeyFamily, settings: CodecSettings): string {
  const { maxAge } = settings
  const { exp, nbf }: { exp?: unknown; nbf?: unknown } = claims
  const expiry = expiryOf(claims, { family, maxAge })
  if (expiry === undefined) return 'has no valid exp'
  const hasExpired = exp === undefined ? expiry <= epochSeconds() : !isCurrent({ exp })
  if (hasExpired) return `expired at ${new Date(expiry * 1000).toISOString()}`
  if (!isCurrent({ nbf })) return 'nbf is not in the past'
  const { absoluteMaxAge } = settings
  const start = signInTime(claims) ?? Infinity
  return start + absoluteMaxAge <= epochSeconds()
    ? 'session.absoluteMaxAge has passed'
    : 'the session was ended'
}

async function reasonFor(
  token: string,
  { name, family }: SessionCookie,
  settings: CodecSettings,
): Promise<string> {
  const { secrets, decode } = settings
  if (decode) return 'jwt.decode returned no token'
  if (!isCompact(token)) return 'not a compact JWE'
  const text = await decrypt(token, { secrets, salt: name, family })
  const { length } = secrets
  if (text === null) return `cannot be decrypted with ${length} secret${length === 1 ? '' : 's'}`
  return reasonInClaims(parseJsonObject(text) ?? {}, family, settings)
}

export async function logRejected(
  { jar, cookies, config }: SessionContext,
  settings: CodecSettings,
): Promise<void> {
  const { log } = config
  let isNoneSent = true
  for (const cookie of cookies.sessionTokens) {
    const { name } = cookie
    const values = readChunked(jar, name)
    for (const value of values)
      log.debug?.('session rejected', { name, reason: await reasonFor(value, cookie, settings) })
    const isIncomplete = values.length === 0 && jar.names(`${name}.`).length > 0
    if (isIncomplete) log.debug?.('session rejected', { name, reason: 'chunk 0 is missing' })
    isNoneSent &&= values.length === 0 && !isIncomplete
  }
  if (isNoneSent) log.debug?.('no session cookie')
}
