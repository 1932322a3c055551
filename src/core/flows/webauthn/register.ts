/** Registers a passkey, for the signed-in user or for a new one (WebAuthn §7.1). */
import { redeemChallenge } from '../../checks/challenge.ts'
import type { NewUser } from '../../checks/challenge.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import type { Context } from '../../contracts.ts'
import type { NewPasskey, PasskeyProof } from '../../evidence.ts'
import { AccountNotLinked, InvalidRequest } from '../../errors/classes.ts'
import { isRecord } from '../../is-record.ts'
import type { User } from '../../types.ts'
import { withoutAttestation } from './attestation.ts'
import { isUsableKey } from './cose.ts'
import { listAlgorithms, userHandle } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { fromBase64, rejectResponse, toBase64 } from './response.ts'
import type { CeremonyResponse } from './response.ts'
import { findUser } from './user-info.ts'
import { verifyResponse } from './verify.ts'

type Authenticator = NewPasskey['authenticator']

interface Credential {
  readonly id: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** The result of version 11 and later has `credential`; in version 9, the id is not encoded. */
function readCredential(info: Readonly<Record<string, unknown>>): Credential {
  const { credential } = info
  const { id, publicKey, counter } = isRecord(credential)
    ? credential
    : { id: info['credentialID'], publicKey: info['credentialPublicKey'], counter: info['counter'] }
  const bytes = typeof id === 'string' ? fromBase64(id) : id
  if (bytes instanceof Uint8Array && publicKey instanceof Uint8Array && typeof counter === 'number')
    return { id: bytes, publicKey, counter }
  return rejectResponse('the package did not report the passkey')
}

interface RegisteredPasskey {
  readonly authenticator: Authenticator
  readonly isUserVerified: boolean
}

async function verifyRegistration(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
): Promise<RegisteredPasskey> {
  const options = {
    ...provider.config.verifyRegistrationOptions,
    supportedAlgorithmIDs: listAlgorithms(provider),
  }
  const { attestationType = 'none' } = provider.config.registrationOptions ?? {}
  const { info, deviceType, isBackedUp, isUserVerified } = await verifyResponse(ctx, provider, {
    run: 'verifyRegistrationResponse',
    response: attestationType === 'none' ? withoutAttestation(response) : response,
    options,
  })
  const { id, publicKey, counter } = readCredential(info)
  const credentialID = toBase64(id)
  const claimed = fromBase64(response.id)
  if (!claimed || toBase64(claimed) !== credentialID)
    rejectResponse('its id is not that of the key')
  if (!isUsableKey(publicKey)) rejectResponse('its public key is not valid, or too short')
  const authenticator = {
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: toBase64(publicKey),
    counter,
    credentialDeviceType: deviceType,
    credentialBackedUp: isBackedUp,
    transports: response.transports,
  }
  return { authenticator, isUserVerified }
}

/** The user to create. @throws AccountNotLinked if `getUserInfo` finds an existing one */
async function findNewUser(
  ctx: Context,
  provider: PasskeyProvider,
  { id, fields }: NewUser,
): Promise<User> {
  const info = await findUser(ctx, provider, fields, false)
  if (!info) throw new InvalidRequest('The fields of the registration name no user.')
  if (!info.exists) return { ...info.user, id }
  throw new AccountNotLinked('The user exists already. Sign in, then add a passkey.', {
    provider: provider.id,
  })
}

export async function register(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
): Promise<PasskeyProof> {
  const { ceremony, challenge } = response
  const key = { provider: provider.id, ceremony, challenge }
  const { newUser, userHandle: handle, jti } = await redeemChallenge(ctx, key)
  const { authenticator, isUserVerified } = await verifyRegistration(ctx, provider, response)
  ctx.config.log.debug?.('passkey verified', { provider: provider.id, ceremony })
  const { providerAccountId } = authenticator
  const isFor = async (userId: string) => (await userHandle(userId)) === handle
  const account = { provider: provider.id, providerAccountId, type: 'webauthn' } as const
  return {
    proves: 'passkey',
    isUserVerified,
    user: newUser ? await findNewUser(ctx, provider, newUser) : {},
    account,
    stored: account,
    passkey: { kind: 'new', authenticator, isFor: newUser ? null : isFor },
    proofId: jti,
    returnTo: await resolveReturnUrl(ctx),
  }
}
