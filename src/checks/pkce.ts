import { randomBase64Url, sha256 } from '../crypto/digest.ts'

export interface Pkce {
  readonly codeVerifier: string
  readonly codeChallenge: string
}

/** Creates a PKCE verifier and its `S256` challenge (RFC 7636 §4.1, §4.2). */
export async function createPkce(): Promise<Pkce> {
  const codeVerifier = randomBase64Url()
  return { codeVerifier, codeChallenge: await sha256(codeVerifier, 'base64url') }
}
