/** Signs in with a passkey (WebAuthn §7.2). */
import { asRecord } from '../../is-record.ts'
import type { AdapterAuthenticator } from '../../database/adapter.ts'
import { redeemChallenge } from '../../checks/challenge.ts'
import type { RedeemedChallenge } from '../../checks/challenge.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import { storedSubject } from '../../checks/stored-subject.ts'
import type { Context, Reply } from '../../contracts.ts'
import type { PasskeyProof } from '../../evidence.ts'
import { InvalidCheck, WebAuthnVerificationError } from '../../errors/classes.ts'
import { userHandle } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { fromBase64, rejectResponse, toBase64 } from './response.ts'
import type { CeremonyResponse } from './response.ts'
import { verifyResponse } from './verify.ts'
import type { Verified } from './verify.ts'

/** A public key in COSE (ES256) whose private key was deleted, so that no signature is valid. */
const DUMMY_KEY =
  'pQECAyYgASFYIMVbi5loHrlwFCrJHrrq2L+BeMoA6skZa3sLJhPI3ASvIlggBYlQNiNaPng0VeszHGsGtMWWdYh5Nb1mGR1hS+N9rjE='

/** Passes the arguments of every major version of the package. The counter is compared later, and reported. */
async function verifyAuthentication(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
  encodedKey: string,
): Promise<Verified> {
  const publicKey = fromBase64(encodedKey)
  const options = {
    ...provider.config.verifyAuthenticationOptions,
    authenticator: { credentialID: response.id, credentialPublicKey: publicKey, counter: 0 },
    credential: { id: response.id, publicKey, counter: 0 },
  }
  return verifyResponse(ctx, provider, { run: 'verifyAuthenticationResponse', response, options })
}

async function readPasskey(
  ctx: Context,
  { database }: PasskeyProvider,
  { id }: CeremonyResponse,
): Promise<AdapterAuthenticator | null> {
  const bytes = fromBase64(id)
  return bytes && database.call(ctx, 'getAuthenticator', toBase64(bytes))
}

/** The stored passkey, if it was in the allow-list. */
async function findPasskey(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
  allowed: string | undefined,
): Promise<AdapterAuthenticator> {
  const stored = await readPasskey(ctx, provider, response)
  const isAllowed =
    allowed === undefined || (stored && (await userHandle(stored.userId)) === allowed)
  if (stored && isAllowed) return stored
  try {
    // Takes as long as for a wrong signature: the time must not show whether the passkey exists.
    await verifyAuthentication(ctx, provider, response, DUMMY_KEY)
  } catch (error) {
    if (!(error instanceof WebAuthnVerificationError)) throw error
  }
  return rejectResponse(stored ? 'the passkey was not in the allow-list' : 'the passkey is unknown')
}

/** Whether another tab has signed in the user of this passkey since the ceremony began. */
async function isSignedInElsewhere(
  ctx: Context,
  provider: PasskeyProvider,
  response: CeremonyResponse,
): Promise<boolean> {
  const subject = await storedSubject(ctx)
  if (!subject?.isStored) return false
  return (await readPasskey(ctx, provider, response))?.userId === subject.id
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
      asRecord(error.cause)['isOfOtherSession'] === true &&
      (await isSignedInElsewhere(ctx, provider, response))
    if (!isComplete) throw error
    return { status: 302, redirect: await resolveReturnUrl(ctx) }
  }
  const { userHandle: allowed, jti } = redeemed
  const stored = await findPasskey(ctx, provider, response, allowed)
  const { info, deviceType, isBackedUp, isUserVerified } = await verifyAuthentication(
    ctx,
    provider,
    response,
    stored.credentialPublicKey,
  )
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
    isUserVerified,
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
