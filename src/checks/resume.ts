/** The cookie with which a browser repeats a sign-in that failed and left a user without account, or a used magic link. */
import type { Context } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'

const KEY = { salt: 'lib.resume', family: 'internal' } as const

type Name = readonly string[]

export async function setResumeCookie(ctx: Context, name: Name, value: string): Promise<void> {
  const { jar, cookies, config } = ctx
  const maxAge = cookies.resume.options.maxAge ?? 0
  const claims = { name: JSON.stringify(name), value }
  const sealed = await seal(claims, { secrets: config.secrets, ...KEY, maxAge })
  const cookie = { ...cookies.resume, value: sealed }
  if (!jar.trySet(cookie)) config.log.debug?.('resume cookie not set', { length: sealed.length })
}

export async function readResumeCookie(ctx: Context, name: Name): Promise<string | null> {
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
