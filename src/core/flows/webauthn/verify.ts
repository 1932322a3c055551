import type { Context } from '../../contracts.ts'
import { asRecord, isRecord } from '../../is-record.ts'
import { loadPackage, findRelyingParty } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'
import { rejectResponse } from './response.ts'
import type { CeremonyResponse } from './response.ts'

/** What the package reports about a verified response. */
export interface Verified {
  readonly info: Readonly<Record<string, unknown>>
  readonly deviceType: string
  readonly isBackedUp: boolean
  readonly isUserVerified: boolean
}

interface Verification {
  readonly run: 'verifyAuthenticationResponse' | 'verifyRegistrationResponse'
  readonly response: CeremonyResponse
  readonly options: object
}

/** Verifies a response with the package, whose result differs between major versions. @throws WebAuthnVerificationError */
export async function verifyResponse(
  ctx: Context,
  provider: PasskeyProvider,
  { run, response, options }: Verification,
): Promise<Verified> {
  if (response.isCrossOrigin) rejectResponse('it is of a page in a frame of another site')
  const party = await findRelyingParty(ctx, provider)
  const functions = await loadPackage(provider)
  let verified: unknown
  try {
    verified = await functions[run]({
      ...options,
      response: response.credential,
      expectedChallenge: response.challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
    })
  } catch (error) {
    rejectResponse('it could not be verified', { cause: ctx.secrets.redact(error) })
  }
  const { verified: isVerified, authenticationInfo, registrationInfo } = asRecord(verified)
  const info = isVerified === true ? (authenticationInfo ?? registrationInfo) : null
  if (!isRecord(info)) rejectResponse('its signature is not valid')
  const { credentialDeviceType, credentialBackedUp, userVerified } = info
  if (typeof credentialDeviceType !== 'string' || typeof credentialBackedUp !== 'boolean')
    rejectResponse('the package did not report the backup state')
  return {
    info,
    deviceType: credentialDeviceType,
    isBackedUp: credentialBackedUp,
    isUserVerified: userVerified === true,
  }
}
