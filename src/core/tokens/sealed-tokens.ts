/** Seals tokens with their session and their issuer. */
import { chain } from '../async/awaitable.ts'
import { oncePerKey } from '../async/cache.ts'
import type { ResolvedConfig, SessionContext } from '../contracts.ts'
import { seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import { tokenCache } from '../crypto/token-cache.ts'
import { asRecord } from '../is-record.ts'
import { openCached, tokenSealing } from './open-cached.ts'
import { readTokens } from './stored-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import type { SessionKey } from './token-vault.ts'
import type { Awaitable } from '../types.ts'

const cacheOf = oncePerKey((_config: ResolvedConfig) => tokenCache<Claims>())

/** Who has issued the tokens: the same id may name another provider in the configuration of another tenant. */
function issuedBy({ config }: SessionContext, provider: string): string | undefined {
  return config.providers.get(provider)?.tokens?.issuedBy
}

export async function sealTokens(
  ctx: SessionContext,
  { subject, provider }: SessionKey,
  tokens: StoredTokens,
): Promise<string> {
  const claims = { sid: await subject.sid(), issuedBy: issuedBy(ctx, provider), tokens }
  return seal(claims, tokenSealing(ctx.config.secrets))
}

/** `null` if they are of another session, account or issuer, or no secret opens them. */
export function openTokens(
  ctx: SessionContext,
  { subject, provider, account }: SessionKey,
  sealed: string,
): Awaitable<StoredTokens | null> {
  const opened = openCached(sealed, ctx.config.secrets, cacheOf(ctx.config))
  return chain(opened, (claims) =>
    chain(subject.sid(), (sid) => {
      if (claims?.['sid'] !== sid) return null
      if (claims['issuedBy'] !== issuedBy(ctx, provider)) return null
      const stored = asRecord(claims['tokens'])
      const id = stored['providerAccountId']
      if (stored['provider'] !== provider || typeof id !== 'string') return null
      if (account !== undefined && account !== id) return null
      return readTokens({ provider, providerAccountId: id }, stored)
    }),
  )
}
