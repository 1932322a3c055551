import { isCeremony } from '../../checks/challenge.ts'
import type { Ceremony } from '../../checks/challenge.ts'
import type { Context } from '../../contracts.ts'
import { fromBase64Url, toBase64Url } from '../../crypto/digest.ts'
import { InvalidRequest, WebAuthnVerificationError } from '../../errors/classes.ts'
import { isRecord, parseJsonObject } from '../../is-record.ts'

/** Base64url of 1,023 bytes, the longest credential id (WebAuthn §6.5.1). */
const MAX_ID_LENGTH = 1364

/** The response of an authenticator, in the JSON format of WebAuthn (§5.1). */
export interface CeremonyResponse {
  readonly ceremony: Ceremony
  /** Base64url. */
  readonly id: string
  readonly challenge: string
  readonly isCrossOrigin: boolean
  /** `null` if the browser did not report them. */
  readonly transports: string | null
  readonly credential: Readonly<Record<string, unknown>>
}

/** The bytes of a stored id or key, in base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return fromBase64Url(text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
}

/** Padded base64, as adapters store it. */
export function toBase64(bytes: Uint8Array): string {
  const text = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/** Comma-separated; untrusted, so anything but short names is left out. */
function readTransports(response: Readonly<Record<string, unknown>>): string | null {
  const { transports } = response
  const isName = (name: unknown) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name)
  const names = Array.isArray(transports) ? transports.filter(isName).slice(0, 8) : []
  return names.length > 0 ? names.join(',') : null
}

function malformed(what: string): InvalidRequest {
  return new InvalidRequest(`The field "data" ${what}.`)
}

/** @throws InvalidRequest */
export function parseResponse({ request }: Context): CeremonyResponse {
  const { action, data } = request.body
  if (!isCeremony(action))
    throw new InvalidRequest('The field "action" is not "register" or "authenticate".')
  const credential = typeof data === 'string' ? parseJsonObject(data) : null
  if (!credential) throw malformed('is not a JSON object')
  const { id, response } = credential
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw malformed('has no id in base64url')
  if (id.length > MAX_ID_LENGTH) throw malformed('has an id that exceeds 1023 bytes')
  if (!isRecord(response)) throw malformed('has no response')
  const { clientDataJSON } = response
  const bytes = typeof clientDataJSON === 'string' ? fromBase64Url(clientDataJSON) : null
  const client = bytes && parseJsonObject(new TextDecoder().decode(bytes))
  if (typeof client?.['challenge'] !== 'string')
    throw malformed('has no clientDataJSON with a challenge')
  return {
    ceremony: action,
    id,
    challenge: client['challenge'],
    // A page of another site that embeds this one (WebAuthn §5.10).
    isCrossOrigin: client['crossOrigin'] === true || client['topOrigin'] !== undefined,
    transports: readTransports(response),
    credential,
  }
}

/** One error for every response that is rejected: its type must not show whether the passkey exists. */
export function rejectResponse(reason: string, details: Record<string, unknown> = {}): never {
  throw new WebAuthnVerificationError(
    `The response of the passkey is rejected: ${reason}.`,
    details,
  )
}
