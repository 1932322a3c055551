/** Revokes tokens at their provider (RFC 7009). */
import { unavailable, withTimeout } from '../async/timeout.ts'
import type { SessionContext } from '../contracts.ts'
import { latestTokens } from './latest-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'

/** Milliseconds for which a request waits for the provider. */
const REVOCATION = 3_000

/** A sign-out may come between a refresh and the cookie or record of its tokens: these are revoked, too. */
async function revokeLatest(ctx: SessionContext, tokens: StoredTokens): Promise<void> {
  const issuer = ctx.config.providers.get(tokens.provider)?.tokens
  if (issuer) await issuer.revoke(ctx, await latestTokens(issuer, tokens))
}

async function revoke(ctx: SessionContext, tokens: StoredTokens): Promise<void> {
  const { log } = ctx.config
  const what = `The revocation of tokens at provider ${tokens.provider}`
  try {
    await withTimeout(revokeLatest(ctx, tokens), {
      what,
      timeout: REVOCATION,
      timeoutError: unavailable,
    })
  } catch (error) {
    const reason = ctx.secrets.redact(error)?.message ?? ''
    log.warn('token-not-revoked', `${what} failed. They were deleted here. ${reason}`)
  }
}

/** Call it after the local work, which a provider must not delay. Never rejects; a failure is a warning. */
export async function revokeAll(
  ctx: SessionContext,
  tokens: readonly StoredTokens[],
): Promise<void> {
  await Promise.all(tokens.map((each) => revoke(ctx, each)))
}
