import { toBase64Url } from '../../crypto/digest.ts'
import { isRecord } from '../../is-record.ts'
import { readHead, readMembers } from './cbor.ts'
import { fromBase64, rejectResponse } from './response.ts'
import type { CeremonyResponse } from './response.ts'

/** `{ fmt: 'none', attStmt: {}, authData: … }`, up to the value of the last member (WebAuthn §8.7). */
const NONE = '\u00a3\u0063fmt\u0064none\u0067attStmt\u00a0\u0068authData'

function withNone(authData: Uint8Array): string {
  const start = Array.from(NONE, (character) => character.charCodeAt(0))
  return toBase64Url(Uint8Array.from([...start, ...authData]))
}

/**
 * Removes the attestation statement, which browsers send only on request (WebAuthn §5.4.7). Its certificates name URLs
 * of revocation lists, so that a validation of certificates can send requests to hosts of an attacker (SSRF).
 */
export function withoutAttestation(response: CeremonyResponse): CeremonyResponse {
  const { credential } = response
  const inner = isRecord(credential['response']) ? credential['response'] : {}
  const { attestationObject } = inner
  const bytes = typeof attestationObject === 'string' ? fromBase64(attestationObject) : null
  const members = bytes && readMembers(bytes)
  const [statement, authData] = [members?.get('attStmt'), members?.get('authData')]
  if (!statement || !authData) rejectResponse('its attestation object is malformed')
  const [type, size] = readHead(statement, 0) ?? []
  if (type === 5 && size === 0) return response
  const replaced = { ...inner, attestationObject: withNone(authData) }
  return { ...response, credential: { ...credential, response: replaced } }
}
