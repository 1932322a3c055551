import { sha256 } from '../crypto/digest.ts'
import { randomBase64Url } from '../crypto/random.ts'

/** Proof that whoever redeems a code is who asked for it (RFC 7636). */
export interface Pkce {
  /** Kept until the code is redeemed. */
  readonly codeVerifier: string
  /** Sent along with the authorization request, with method `S256`. */
  readonly codeChallenge: string
}

/** A new verifier and its challenge (RFC 7636 §4.1, §4.2). */
export async function createPkce(): Promise<Pkce> {
  const codeVerifier = randomBase64Url()
  return { codeVerifier, codeChallenge: await sha256(codeVerifier, 'base64url') }
}
