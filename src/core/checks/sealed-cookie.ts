/**
 * Sealed cookies of at most 10 minutes: what the next built-in page shows (what the user typed, the reference of an
 * error), and the permission to repeat a failed sign-in.
 */
import type { Context, SessionContext } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import { isRecord } from '../is-record.ts'
import type { Problem } from '../log/problem.ts'
import type { SubmittedForm } from '../pages/sign-in-content.ts'
import { runsInDevelopment } from '../config/variables.ts'

type Name = 'form' | 'resume'

function createKey({ config }: SessionContext, name: Name) {
  return { secrets: config.secrets, salt: `lib.${name}`, family: 'internal' } as const
}

/** Sets no cookie if browsers would reject it for its length. `maxAge` is in seconds. */
export async function setSealedCookie(
  ctx: SessionContext,
  name: Name,
  claims: Claims,
  maxAge: number = ctx.cookies[name].options.maxAge ?? 0,
): Promise<void> {
  const cookie = ctx.cookies[name]
  const options = { ...cookie.options, maxAge }
  const value = await seal(claims, { ...createKey(ctx, name), maxAge })
  if (!ctx.jar.trySet({ value, ...cookie, options }))
    ctx.config.log.debug?.('cookie not set', { name, length: value.length })
}

async function openSealedCookie(ctx: SessionContext, name: Name): Promise<Claims> {
  const sealed = ctx.jar.get(ctx.cookies[name].name)
  return (sealed && (await open(sealed, createKey(ctx, name)))) || {}
}

export function deleteSealedCookie({ jar, cookies }: Context, name: Name): void {
  if (jar.get(cookies[name].name) !== undefined) jar.delete(cookies[name])
}

/** What this browser submitted last; `null` if that is too long ago. */
export async function readForm(ctx: Context): Promise<SubmittedForm | null> {
  const { form, values } = await openSealedCookie(ctx, 'form')
  if (typeof form !== 'string' || !isRecord(values)) return null
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return { form, values: Object.fromEntries(texts) }
}

/** Adds what the log contains about an error, for the page that shows it. Only in development. */
export async function addProblem(
  ctx: SessionContext,
  error: string,
  problem: Problem,
): Promise<void> {
  const { form = '', values = {} } = await openSealedCookie(ctx, 'form')
  await setSealedCookie(ctx, 'form', { form, values, problem: { error, ...problem } })
}

/** `null` for another error, and outside of development: a cookie can outlive the environment that set it. */
export async function readProblem(ctx: SessionContext, error: string): Promise<Problem | null> {
  if (!runsInDevelopment()) return null
  const { problem } = await openSealedCookie(ctx, 'form')
  if (!isRecord(problem) || problem['error'] !== error || !Array.isArray(problem['lines']))
    return null
  const { lines, documentation } = problem
  return { lines: lines.map(String), documentation: String(documentation) }
}

/** Within which a browser follows the redirects of a sign-out. */
const REDIRECT_SECONDS = 15

/** A protected page redirects to the sign-in page, which then shows the reason. After a public page, it is no news. */
export async function announceSignOut(ctx: Context, returnTo: string): Promise<void> {
  if (returnTo === ctx.origin || ctx.config.pages.signIn) return
  const claims = { form: 'signout', values: { returnTo } }
  await setSealedCookie(ctx, 'form', claims, REDIRECT_SECONDS)
}

/** How many mails this browser has requested for the address that it submitted last. */
export function mailsRequested(submitted: SubmittedForm | null): number {
  return Number(submitted?.values['requested'] ?? 0)
}

/** The name of what can be repeated: an account that is not linked yet, or a magic link. */
type Resumed = readonly string[]

export function setResumeCookie(ctx: Context, name: Resumed, value: string): Promise<void> {
  return setSealedCookie(ctx, 'resume', { name: JSON.stringify(name), value })
}

export async function readResumeCookie(ctx: Context, name: Resumed): Promise<string | null> {
  const { name: sealedName, value } = await openSealedCookie(ctx, 'resume')
  return sealedName === JSON.stringify(name) && typeof value === 'string' ? value : null
}
