/**
 * Something that broke off half-way and could not be taken back: a user whose account is not theirs yet, or a link that
 * was used for nothing. The next attempt in the same browser may go on where this one stopped.
 */
import type { Context } from '../contracts.ts'
import { isCookieShort } from '../cookies/serialize.ts'
import { open, seal } from '../crypto/seal.ts'

const KEY = { salt: 'lib.resume', family: 'internal' } as const

/** Names what broke off: what it was, and every part of it that must be the same the next time. */
export type ResumeName = readonly [what: 'account' | 'link', ...parts: string[]]

/** Remembers where it stopped. */
async function create(ctx: Context, name: ResumeName, value: string): Promise<void> {
  const { jar, cookies, config } = ctx
  const maxAge = cookies.resume.options.maxAge ?? 0
  const claims = { name: JSON.stringify(name), value }
  const sealed = await seal(claims, { secrets: config.secrets, ...KEY, maxAge })
  const cookie = { ...cookies.resume, value: sealed }
  if (isCookieShort(cookie)) jar.set(cookie)
  else config.log.debug?.('resume cookie not set', { length: sealed.length })
}

/** Where an attempt with that name stopped; `null`: none did. */
async function find(ctx: Context, name: ResumeName): Promise<string | null> {
  const { jar, cookies, config } = ctx
  const sealed = jar.get(cookies.resume.name)
  if (sealed === undefined) return null
  const claims = await open(sealed, { secrets: config.secrets, ...KEY })
  const { name: held, value } = claims ?? {}
  return held === JSON.stringify(name) && typeof value === 'string' ? value : null
}

/** Forgets it, once it is complete. */
function forget({ jar, cookies }: Context): void {
  if (jar.get(cookies.resume.name) !== undefined) jar.delete(cookies.resume)
}

/** Attempts that broke off. */
export const resume: {
  readonly create: typeof create
  readonly find: typeof find
  readonly forget: typeof forget
} = { create, find, forget }
