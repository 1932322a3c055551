import type { AdapterAuthenticator } from '../../database/adapter.ts'
import type { WebAuthnUserInfo } from '../../config/webauthn.ts'
import type { Context } from '../../contracts.ts'
import { hmac, toBase64Url } from '../../crypto/digest.ts'
import { userHandle } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'

/** A passkey in the options of a ceremony (WebAuthn §5.8.3). */
export interface CredentialDescriptor {
  readonly id: string
  readonly type: 'public-key'
  readonly transports?: readonly string[]
}

function describePasskey({ credentialID, transports }: AdapterAuthenticator): CredentialDescriptor {
  const id = credentialID.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const list = (transports ?? '').split(',').filter(Boolean)
  return { id, type: 'public-key', ...(list.length > 0 && { transports: list }) }
}

export async function listPasskeys(
  ctx: Context,
  { database }: PasskeyProvider,
  userId: string,
): Promise<readonly CredentialDescriptor[]> {
  const passkeys = await database.call(ctx, 'listAuthenticatorsByUserId', userId)
  return passkeys.map(describePasskey).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Id lengths in bytes, and transports, by frequency: password managers, then a single device, then security keys. */
const DECOY_KINDS = [
  ...[16, 16, 16, 20, 20, 20].map((length) => ({ length, transports: ['hybrid', 'internal'] })),
  { length: 32, transports: ['internal'] },
  { length: 64, transports: ['usb'] },
]

/** Creates a passkey that does not exist: stable for each name, and similar to a stored one. */
async function createDecoy(ctx: Context, name: string): Promise<CredentialDescriptor> {
  const [secret = ''] = ctx.config.secrets
  const mac = async (part: string) => hmac(name + part, { secret, purpose: 'passkey-decoy' })
  const digits = (await mac('')) + (await mac(' more'))
  const kind = parseInt((await mac(' choice')).slice(0, 8), 16) % DECOY_KINDS.length
  const { length = 16, transports = [] } = DECOY_KINDS[kind] ?? {}
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))
  return { id: toBase64Url(bytes.subarray(0, length)), type: 'public-key', transports }
}

interface AllowList {
  readonly credentials: readonly CredentialDescriptor[]
  /** The owner of the passkeys; no user has the handle of a decoy. */
  readonly userHandle: string
}

/** The passkeys of the user; a decoy for a user without any, and for an unknown one, to prevent user enumeration. */
export async function findAllowList(
  ctx: Context,
  provider: PasskeyProvider,
  { info, name }: { readonly info: WebAuthnUserInfo; readonly name: string },
): Promise<AllowList> {
  const id = info.exists ? info.user.id : undefined
  const passkeys = id === undefined ? [] : await listPasskeys(ctx, provider, id)
  // An unknown user takes as many queries as a known one.
  if (id === undefined) await provider.database.call(ctx, 'getUserByEmail', name)
  const decoy = await createDecoy(ctx, name)
  const isKnown = id !== undefined && passkeys.length > 0
  return {
    credentials: isKnown ? passkeys : [decoy],
    userHandle: await userHandle(isKnown ? id : `decoy ${name}`),
  }
}
