/** Tokens in a sealed cookie, for one session. */
import type { SessionContext } from '../contracts.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import { readChunked } from '../cookies/reader.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { checkRoom, probeCookies, tokenCookie } from './token-cookies.ts'
import type { SessionKey, TokenVault } from './token-vault.ts'

export function cookieVault(ctx: SessionContext, key: SessionKey): TokenVault {
  const { jar } = ctx

  async function toCookie(tokens: StoredTokens) {
    const cookie = await tokenCookie(ctx, key.provider)
    const value = await sealTokens(ctx, key, tokens)
    checkRoom(ctx, cookie, value)
    return { cookie, value }
  }

  return {
    isShared: false,
    isOfSession: true,
    async read() {
      const cookie = await tokenCookie(ctx, key.provider)
      for (const value of readChunked(jar, cookie.name)) {
        const tokens = await openTokens(ctx, key, value)
        if (tokens) return tokens
      }
      // Of another session, or what no secret opens.
      deleteChunked(jar, cookie)
      return null
    },
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
