import type { Subject } from '../contracts.ts'
import type { JWT } from '../types.ts'
import { asRecord } from '../is-record.ts'
import { signInClaims } from './codec.ts'
import { parseFacts } from './facts.ts'
import { sessionId } from '../crypto/session-id.ts'

/** The user of a session token; `null` if it names none. */
export function tokenSubject(token: JWT): Subject | null {
  const { sub: id = '', email, name } = token
  const {
    auth_time,
    auth_time_known,
    verified_at_sign_in: verified,
    user_at_sign_in: user,
    lib,
  } = signInClaims(token)
  if (!id && !user) return null
  const isKnown = auth_time !== undefined && auth_time_known !== false
  const since = isKnown ? new Date(auth_time * 1000) : null
  const isUnknown = verified === undefined && id !== ''
  const isStored = isUnknown ? null : typeof verified === 'boolean'
  const label = email || name || null
  const facts = () => parseFacts(lib)
  return {
    id,
    sid: () => (facts() ? String(asRecord(lib)['sid']) : sessionId(`${id}.${auth_time ?? ''}`)),
    facts,
    since,
    wasVerified: verified ?? null,
    isStored,
    isUser: user === true,
    label,
  }
}
