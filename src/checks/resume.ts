/**
 * A sealed cookie of a failed sign-in whose writes could not be rolled back (a user without an account, or a used magic
 * link), with which the same browser can repeat it.
 */
import type { Context } from '../contracts.ts'
import { isCookieShort } from '../cookies/syntax.ts'
import { open, seal } from '../crypto/seal.ts'

const KEY = { salt: 'lib.resume', family: 'internal' } as const

export async function setResumeCookie(
  ctx: Context,
  name: readonly string[],
  value: string,
): Promise<void> {
  const { jar, cookies, config } = ctx
  const maxAge = cookies.resume.options.maxAge ?? 0
  const claims = { name: JSON.stringify(name), value }
  const sealed = await seal(claims, { secrets: config.secrets, ...KEY, maxAge })
  const cookie = { ...cookies.resume, value: sealed }
  if (isCookieShort(cookie)) jar.set(cookie)
  else config.log.debug?.('resume cookie not set', { length: sealed.length })
}

export async function readResumeCookie(
  ctx: Context,
  name: readonly string[],
): Promise<string | null> {
  const { jar, cookies, config } = ctx
  const sealed = jar.get(cookies.resume.name)
  if (sealed === undefined) return null
  const claims = await open(sealed, { secrets: config.secrets, ...KEY })
  const { name: sealedName, value } = claims ?? {}
  return sealedName === JSON.stringify(name) && typeof value === 'string' ? value : null
}

export function deleteResumeCookie({ jar, cookies }: Context): void {
  if (jar.get(cookies.resume.name) !== undefined) jar.delete(cookies.resume)
}
