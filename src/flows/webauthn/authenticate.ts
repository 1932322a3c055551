/** Signs in with a passkey (WebAuthn §7.2). */
import type { AdapterAuthenticator } from '../../adapters/index.ts'
import { redeemChallenge } from '../../checks/challenge.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import type { Context, PasskeyProof } from '../../contracts.ts'
import { userHandle } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { fromBase64, rejectResponse, toBase64 } from './response.ts'
import type { CeremonyResponse } from './response.ts'
import { verifyResponse } from './verify.ts'
import type { Verified } from './verify.ts'

/** The stored passkey, if it was in the allow-list. */
async function findPasskey(
  ctx: Context,
  { database }: PasskeyProvider,
  { id, allowed }: { readonly id: string; readonly allowed: string | undefined },
): Promise<AdapterAuthenticator> {
  const bytes = fromBase64(id)
  const stored = bytes && (await database.call(ctx, 'getAuthenticator', toBase64(bytes)))
  if (!stored) rejectResponse('the passkey is unknown')
  if (allowed !== undefined && (await userHandle(stored.userId)) !== allowed)
    rejectResponse('the passkey was not in the allow-list')
  return stored
}

/** The arguments of every major version; the counter is compared by the caller, who reports it. */
async function verify(
  ctx: Context,
  provider: PasskeyProvider,
  {
    response,
    stored,
  }: { readonly response: CeremonyResponse; readonly stored: AdapterAuthenticator },
): Promise<Verified> {
  const publicKey = fromBase64(stored.credentialPublicKey)
  const options = {
    ...provider.config.verifyAuthenticationOptions,
    authenticator: { credentialID: response.id, credentialPublicKey: publicKey, counter: 0 },
    credential: { id: response.id, publicKey, counter: 0 },
  }
  const verification = {
    run: 'verifyAuthenticationResponse',
    result: 'authenticationInfo',
    options,
  } as const
  return verifyResponse(ctx, provider, { response, verification })
}

export async function authenticate(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
): Promise<PasskeyProof> {
  const { ceremony, challenge, id } = response
  const key = { provider: provider.id, ceremony, challenge }
  const { userHandle: allowed, jti } = await redeemChallenge(ctx, key)
  const stored = await findPasskey(ctx, provider, { id, allowed })
  const { info, deviceType, isBackedUp } = await verify(ctx, provider, { response, stored })
  // The backup eligibility of a passkey never changes (WebAuthn §6.1.3).
  if (stored.credentialDeviceType !== deviceType)
    rejectResponse('its backup eligibility has changed')
  const { newCounter: counter } = info
  if (typeof counter !== 'number') rejectResponse('the package did not report the counter')
  ctx.config.log.debug?.('passkey verified', { provider: provider.id, ceremony })
  const { userId, providerAccountId } = stored
  const account = { provider: provider.id, providerAccountId, type: 'webauthn' } as const
  return {
    proves: 'passkey',
    user: { id: userId },
    account,
    stored: account,
    passkey: {
      kind: 'known',
      authenticator: stored,
      reported: { counter, credentialBackedUp: isBackedUp },
    },
    proofId: jti,
    returnTo: await resolveReturnUrl(ctx),
  }
}
