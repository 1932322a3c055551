/** The WebAuthn ceremonies of a browser, with options and credentials as JSON (WebAuthn Level 3 §5.1.8 and §5.1.9). */
import { CeremonyError } from './ceremony-error.ts'
import type { CeremonyErrorCode } from './ceremony-error.ts'

interface DescriptorJSON extends Omit<PublicKeyCredentialDescriptor, 'id'> {
  readonly id: string
}

interface RequestJSON extends Omit<
  PublicKeyCredentialRequestOptions,
  'challenge' | 'allowCredentials'
> {
  readonly challenge: string
  readonly allowCredentials?: readonly DescriptorJSON[]
}

interface CreationJSON extends Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> {
  readonly challenge: string
  readonly user: Omit<PublicKeyCredentialUserEntity, 'id'> & { readonly id: string }
  readonly excludeCredentials?: readonly DescriptorJSON[]
}

/** The response of the route `webauthn-options`. */
export type Ceremony =
  | { readonly action: 'authenticate'; readonly options: RequestJSON }
  | { readonly action: 'register'; readonly options: CreationJSON }

export type CeremonyAction = Ceremony['action']

/** The members of the responses that are sent, whichever ceremony it is. */
interface ResponseMembers {
  readonly clientDataJSON: ArrayBuffer
  readonly attestationObject?: ArrayBuffer
  readonly authenticatorData?: ArrayBuffer
  readonly signature?: ArrayBuffer
  readonly userHandle?: ArrayBuffer | null
  getTransports?(): string[]
}

function decode(text: string): ArrayBuffer {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer
}

function encode(buffer: ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(buffer)) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')
}

function encodeIfPresent(buffer: ArrayBuffer | null | undefined): string | undefined {
  return buffer ? encode(buffer) : undefined
}

const descriptors = (given: readonly DescriptorJSON[] = []): PublicKeyCredentialDescriptor[] =>
  given.map((each) => ({ ...each, id: decode(each.id) }))

/** Not `instanceof`: password managers replace the credential by a plain object. */
function isPublicKeyCredential(credential: Credential): credential is PublicKeyCredential {
  return 'rawId' in credential
}

/** Not `toJSON()`: older browsers lack it, and it throws for the objects of some password managers. */
function credentialJSON(credential: Credential | null): string {
  if (!credential || !isPublicKeyCredential(credential)) throw new CeremonyError('failed')
  const { rawId, authenticatorAttachment } = credential
  const response: ResponseMembers = credential.response
  const id = encode(rawId)
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encodeIfPresent(response.attestationObject),
      authenticatorData: encodeIfPresent(response.authenticatorData),
      signature: encodeIfPresent(response.signature),
      userHandle: encodeIfPresent(response.userHandle),
      transports: response.getTransports?.(),
    },
  })
}

const CODES: Readonly<Record<string, CeremonyErrorCode>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'replaced',
  SecurityError: 'wrong_domain',
  InvalidStateError: 'already_registered',
  NotSupportedError: 'no_authenticator',
  ConstraintError: 'no_authenticator',
}

/** The reason of an aborted ceremony whose challenge expires. */
const EXPIRES = 'expires'

/** By the name of the exception (WebAuthn Level 3 §5.1.3 and §5.1.4). */
function codeOf(error: unknown, isTimedOut: boolean, signal: AbortSignal): CeremonyErrorCode {
  if (signal.aborted) return signal.reason === EXPIRES ? 'expired' : 'replaced'
  const code = CODES[error instanceof Error ? error.name : ''] ?? 'failed'
  // Browsers do not distinguish a timeout, so that sites cannot detect whether the user has a passkey.
  return code === 'cancelled' && isTimedOut ? 'timeout' : code
}

/** Why no ceremony is possible in this browser; `null` if one is. */
export function missingSupport(): CeremonyErrorCode | null {
  if (!globalThis.isSecureContext) return 'insecure_origin'
  return 'PublicKeyCredential' in globalThis ? null : 'unsupported'
}

/** Options of {@link runCeremony}. */
interface RunOptions {
  /** `conditional`: offers passkeys in the autofill of a field, without a dialog. */
  readonly mediation?: 'conditional'
  /** Milliseconds after which the ceremony ends with `expired`. */
  readonly lifetime?: number
}

/** Browsers run one ceremony at a time. */
const current: { controller?: AbortController; mediation?: RunOptions['mediation'] } = {}

/** Ends the current ceremony, before the options of a new one are requested. */
export function endCurrent(): void {
  current.controller?.abort()
}

/** A new ceremony replaces the current one; autofill only replaces autofill. */
function replaceCurrent(controller: AbortController, { mediation }: RunOptions): void {
  if (current.controller && mediation && !current.mediation) throw new CeremonyError('replaced')
  endCurrent()
  Object.assign(current, { controller, mediation })
}

function call(ceremony: Ceremony, request: CredentialRequestOptions): Promise<Credential | null> {
  if (ceremony.action === 'register') {
    const { challenge, user, excludeCredentials, ...rest } = ceremony.options
    const publicKey = {
      ...rest,
      challenge: decode(challenge),
      user: { ...user, id: decode(user.id) },
      excludeCredentials: descriptors(excludeCredentials),
    }
    return navigator.credentials.create({ ...request, publicKey })
  }
  const { challenge, allowCredentials, ...rest } = ceremony.options
  const publicKey = {
    ...rest,
    challenge: decode(challenge),
    allowCredentials: descriptors(allowCredentials),
  }
  return navigator.credentials.get({ ...request, publicKey })
}

/**
 * Runs a ceremony, and returns the credential as JSON.
 *
 * @throws CeremonyError
 */
export async function runCeremony(ceremony: Ceremony, run: RunOptions = {}): Promise<string> {
  const { lifetime, ...request } = run
  const controller = new AbortController()
  const { signal } = controller
  replaceCurrent(controller, run)
  const timer = lifetime && setTimeout(() => controller.abort(EXPIRES), lifetime)
  const start = Date.now()
  try {
    return credentialJSON(await call(ceremony, { ...request, signal }))
  } catch (cause) {
    if (cause instanceof CeremonyError) throw cause
    const { timeout = Infinity } = ceremony.options
    throw new CeremonyError(codeOf(cause, Date.now() - start >= timeout, signal), { cause })
  } finally {
    clearTimeout(timer)
    if (current.controller === controller) delete current.controller
  }
}
