/** Recovery codes: each signs in once, if the authenticator app is lost. */
import type { SessionContext } from '../contracts.ts'
import { hmac } from '../crypto/digest.ts'
import { toBase32 } from './base32.ts'

const RECOVERY_CODES = 10
/** 120 bits: from 112 on, an HMAC may store a code; a shorter one would need a slow hash (NIST SP 800-63B, OWASP ASVS 5). */
const BYTES = 15
const LENGTH = 24

/** Six groups of four letters and digits. */
function createCode(): string {
  const text = toBase32(crypto.getRandomValues(new Uint8Array(BYTES))).toLowerCase()
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

export function createCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, createCode)
}

/** A code as it was typed, without separators; `null` if it has not the form of one. 0 and 1 are misread letters. */
function normalizeCode(code: string): string | null {
  const text = code.replace(/[\s\p{Pd}]/gu, '').toLowerCase()
  const corrected = text.replaceAll('0', 'o').replaceAll('1', 'l')
  return corrected.length === LENGTH && /^[a-z2-7]+$/.test(corrected) ? corrected : null
}

/** Of every secret, the newest first; none if the text is no recovery code. */
export async function hashCode(
  { config }: Pick<SessionContext, 'config'>,
  userId: string,
  code: string,
): Promise<readonly string[]> {
  const normal = normalizeCode(code)
  if (normal === null) return []
  const text = JSON.stringify([userId, normal])
  return Promise.all(
    config.secrets.map((secret) => hmac(text, { secret, purpose: 'recovery-code' })),
  )
}
