/** Signs in with a passkey (WebAuthn §7.2). */
import type { AdapterAuthenticator } from '../../database/adapter.ts'
import { redeemChallenge } from '../../checks/challenge.ts'
import type { RedeemedChallenge } from '../../checks/challenge.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import { storedSubject } from '../../checks/stored-subject.ts'
import type { Context, PasskeyProof, Reply } from '../../contracts.ts'
import { InvalidCheck, WebAuthnVerificationError } from '../../errors/classes.ts'
import { userHandle } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { fromBase64, rejectResponse, toBase64 } from './response.ts'
import type { CeremonyResponse } from './response.ts'
import { verifyResponse } from './verify.ts'
import type { Verified } from './verify.ts'

/** A public key in COSE (ES256), whose private key was deleted. */
const NO_KEY =
  'pQECAyYgASFYIMVbi5loHrlwFCrJHrrq2L+BeMoA6skZa3sLJhPI3ASvIlggBYlQNiNaPng0VeszHGsGtMWWdYh5Nb1mGR1hS+N9rjE='

interface Assertion {
  readonly response: CeremonyResponse
  /** COSE, in base64. */
  readonly publicKey: string
}

/** The arguments of every major version; the counter is compared by the caller, who reports it. */
async function verify(
  ctx: Context,
  provider: PasskeyProvider,
  { response, publicKey: encoded }: Assertion,
): Promise<Verified> {
  const publicKey = fromBase64(encoded)
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

/** Takes as long for a rejected passkey as for a wrong signature: the time must not show whether it exists. */
async function rejectPasskey(
  ctx: Context,
  provider: PasskeyProvider,
  { response, reason }: { readonly response: CeremonyResponse; readonly reason: string },
): Promise<never> {
  try {
    await verify(ctx, provider, { response, publicKey: NO_KEY })
  } catch (error) {
    if (!(error instanceof WebAuthnVerificationError)) throw error
  }
  return rejectResponse(reason)
}

/** The stored passkey, if it was in the allow-list. */
async function findPasskey(
  ctx: Context,
  provider: PasskeyProvider,
  {
    response,
    allowed,
  }: { readonly response: CeremonyResponse; readonly allowed: string | undefined },
): Promise<AdapterAuthenticator> {
  const bytes = fromBase64(response.id)
  const reject = (reason: string) => rejectPasskey(ctx, provider, { response, reason })
  const stored = bytes && (await provider.database.call(ctx, 'getAuthenticator', toBase64(bytes)))
  if (!stored) return reject('the passkey is unknown')
  const isAllowed = allowed === undefined || (await userHandle(stored.userId)) === allowed
  return isAllowed ? stored : reject('the passkey was not in the allow-list')
}

/** Whether another tab has signed in the user of this passkey since the ceremony began. */
async function isSignedInElsewhere(
  ctx: Context,
  { database }: PasskeyProvider,
  { id }: CeremonyResponse,
): Promise<boolean> {
  const bytes = fromBase64(id)
  const subject = await storedSubject(ctx)
  if (!bytes || !subject?.isStored) return false
  const stored = await database.call(ctx, 'getAuthenticator', toBase64(bytes))
  return stored?.userId === subject.id
}

/** Returns a redirect if the sign-in is already complete. */
export async function authenticate(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
): Promise<PasskeyProof | Reply> {
  const { ceremony, challenge } = response
  const key = { provider: provider.id, ceremony, challenge }
  let redeemed: RedeemedChallenge
  try {
    redeemed = await redeemChallenge(ctx, key)
  } catch (error) {
    const isComplete =
      error instanceof InvalidCheck &&
      Object(error.cause).isOfOtherSession === true &&
      (await isSignedInElsewhere(ctx, provider, response))
    if (!isComplete) throw error
    return { status: 302, redirect: await resolveReturnUrl(ctx) }
  }
  const { userHandle: allowed, jti } = redeemed
  const stored = await findPasskey(ctx, provider, { response, allowed })
  const { credentialPublicKey: publicKey } = stored
  const { info, deviceType, isBackedUp } = await verify(ctx, provider, { response, publicKey })
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
