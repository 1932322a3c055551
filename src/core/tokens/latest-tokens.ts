import type { TokenIssuer } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import { processMemory } from '../limits/process-memory.ts'
import type { StoredTokens } from './stored-tokens.ts'

/** Refreshes that may follow a token which a browser has sent. */
const MAX_STEPS = 10

/** Names a refresh token of what the user has granted to this client. */
export async function nameToken(issuedBy: string, tokens: StoredTokens): Promise<string> {
  const { provider, providerAccountId, refresh_token } = tokens
  return sha256(JSON.stringify([issuedBy, provider, providerAccountId, refresh_token]), 'base64url')
}

/** The tokens that have followed these in this process; waits for a request that it has sent. */
export async function latestTokens(
  { issuedBy }: Pick<TokenIssuer, 'issuedBy'>,
  tokens: StoredTokens,
): Promise<StoredTokens> {
  let latest = tokens
  // A provider may return a token that it has replaced before.
  for (let step = 0; step < MAX_STEPS; step++) {
    const flight = processMemory().refreshes?.get(await nameToken(issuedBy, latest))
    const outcome = await flight?.result
    if (outcome?.kind !== 'refreshed') break
    latest = outcome.tokens
  }
  return latest
}
