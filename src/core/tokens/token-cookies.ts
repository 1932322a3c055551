/** The cookies of tokens: one for each provider. */
import { oncePerKey } from '../async/cache.ts'
import type { ResolvedConfig, SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { CookieOption } from '../types.ts'

/** By id of the provider: each name is needed for each call. */
const hashesOf = oncePerKey((_config: ResolvedConfig) => new Map<string, string>())

async function hashId(config: ResolvedConfig, provider: string): Promise<string> {
  const hashes = hashesOf(config)
  const known = hashes.get(provider) ?? (await sha256(provider, 'hex')).slice(0, 8)
  hashes.set(provider, known)
  return known
}

export async function tokenCookie(
  { cookies, config }: SessionContext,
  provider: string,
): Promise<CookieOption> {
  const { name, options } = cookies.tokens
  const maxAge = config.tokens.sessionMaxAge
  const hash = await hashId(config, provider)
  return { name: `${name}.${hash}`, options: { ...options, maxAge } }
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
