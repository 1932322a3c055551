/** The cookies of tokens: one for each provider. */
import { chain } from '../async/awaitable.ts'
import { oncePerKey } from '../async/cache.ts'
import type { SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Awaitable, CookieOption } from '../types.ts'

/** By id of the provider, for each of the cookies in a configuration: each call needs one. */
const cookiesOf = oncePerKey((_cookie: CookieOption) => new Map<string, CookieOption>())

export function tokenCookie(
  { cookies: { tokens } }: SessionContext,
  provider: string,
): Awaitable<CookieOption> {
  const known = cookiesOf(tokens).get(provider)
  if (known) return known
  return chain(sha256(provider, 'hex'), (hash) => {
    const cookie = { name: `${tokens.name}.${hash.slice(0, 8)}`, options: tokens.options }
    cookiesOf(tokens).set(provider, cookie)
    return cookie
  })
}

/** Bytes of the session and the tokens of all providers: servers reject longer request headers. */
const MAX_COOKIES = 12_288

/** Of the cookies of the session and of other tokens. */
function otherLength({ jar, cookies }: SessionContext, own: string): number {
  const prefixes = [cookies.sessionToken.name, `${cookies.tokens.name}.`]
  const held = prefixes.flatMap((prefix) => Array.from(jar.getPrefixed(prefix)))
  const others = held.filter(([name]) => !name.startsWith(own))
  return others.reduce((sum, [, value]) => sum + value.length, 0)
}

/** Deletes the tokens of every session of this browser. */
export function clearTokenCookies({ cookies, jar }: SessionContext): void {
  const { name, options } = cookies.tokens
  for (const sent of jar.names(`${name}.`)) jar.delete({ name: sent, options })
}

/** @throws RangeError */
export function checkRoom(ctx: SessionContext, { name }: CookieOption, value: string): void {
  const total = value.length + otherLength(ctx, name)
  if (total > MAX_COOKIES)
    throw new RangeError(
      `The session and the tokens take ${total} bytes of cookies, and the limit is ${MAX_COOKIES}. Store the tokens on the server: set store or adapter.`,
    )
}

/** Deletes a cookie that no browser has: if that can be set, so can those of the tokens. */
export function probeCookies({ cookies, jar }: SessionContext): void {
  const { name, options } = cookies.tokens
  jar.delete({ name: `${name}.probe`, options })
}
