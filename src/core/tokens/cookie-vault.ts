/** Tokens in a sealed cookie, for one session. */
import { chain, firstResult } from '../async/awaitable.ts'
import type { SessionContext } from '../contracts.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import { readChunked } from '../cookies/reader.ts'
import { withLifetime } from '../session/cookies.ts'
import { tokensKeptFor } from '../session/kept-for.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { checkRoom, probeCookies, tokenCookie } from './token-cookies.ts'
import type { SessionKey, TokenVault } from './token-vault.ts'

export function cookieVault(ctx: SessionContext, key: SessionKey): TokenVault {
  const { jar } = ctx

  async function toCookie(tokens: StoredTokens) {
    const { name, options } = await tokenCookie(ctx, key.provider)
    const { seconds: maxAge, keep } = tokensKeptFor(ctx, key.subject)
    const cookie = { name, options: withLifetime(options, keep ? { maxAge } : null) }
    const value = await sealTokens(ctx, key, tokens)
    checkRoom(ctx, cookie, value)
    return { cookie, value }
  }

  return {
    isShared: false,
    isOfSession: true,
    read: () =>
      chain(tokenCookie(ctx, key.provider), (cookie) => {
        const values = readChunked(jar, cookie.name)
        const found = firstResult(values, (value) => openTokens(ctx, key, value))
        return chain(found, (tokens) => {
          // Of another session, or what no secret opens.
          if (!tokens) deleteChunked(jar, cookie)
          return tokens
        })
      }),
    async write(tokens) {
      const { cookie, value } = await toCookie(tokens)
      writeChunked(jar, cookie, { value })
    },
    async probe(tokens) {
      await toCookie(tokens)
      probeCookies(ctx)
    },
    replace(tokens) {
      return this.write(tokens)
    },
    async remove() {
      deleteChunked(jar, await tokenCookie(ctx, key.provider))
    },
  }
}
