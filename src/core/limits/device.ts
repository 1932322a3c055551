/**
 * Known browsers: those that have signed in to an account before. A browser with this cookie has limits of its own, so
 * that an attacker, who lacks it, cannot lock the owner out.
 */
import type { Context, SessionContext } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import { KNOWN_MAX_AGE } from '../config/defaults.ts'
import { hashTyped } from './hash.ts'
import { takeLimit } from './consume.ts'

const MAX_ACCOUNTS = 5
/** Seconds after which the cookie is renewed although its content has not changed. */
const RENEWAL: number = 24 * 60 * 60

export interface KnownBrowser {
  readonly id: string
  /** HMACs of what was typed in to sign in, the last one first. */
  readonly accounts: readonly string[]
  /** Seconds since the epoch. */
  readonly since: number
}

function keyOf({ config }: SessionContext) {
  return { secrets: config.secrets, salt: 'lib.known', family: 'internal' } as const
}

export function isRemembering({ config: { protection } }: SessionContext): boolean {
  return protection !== undefined && protection.knownBrowsers !== 'off'
}

export async function readKnownBrowser(ctx: SessionContext): Promise<KnownBrowser | null> {
  const sealed = ctx.jar.get(ctx.cookies.known.name)
  const claims = sealed && (await open(sealed, keyOf(ctx)))
  if (!claims) return null
  const { id, accounts, iat: since } = claims
  if (typeof id !== 'string' || !Array.isArray(accounts) || typeof since !== 'number') return null
  const isText = (account: unknown): account is string => typeof account === 'string'
  return { id, accounts: accounts.filter(isText).slice(0, MAX_ACCOUNTS), since }
}

/** What a browser is remembered for that has proved a mailbox with a magic link or a code. */
export function mailboxText(address: string): string {
  return JSON.stringify([address])
}

/** Also with the secrets from before a rotation. */
async function hashesOf(ctx: SessionContext, text: string): Promise<readonly string[]> {
  return Promise.all(ctx.config.secrets.map((secret) => hashTyped(ctx, text, secret)))
}

/** Whether the browser has signed in with this text. */
export async function isKnownFor(
  ctx: SessionContext,
  { accounts }: KnownBrowser,
  text: string,
): Promise<boolean> {
  const hashes = await hashesOf(ctx, text)
  return accounts.some((account) => hashes.includes(account))
}

export interface Remembered {
  /** Exactly what was typed, or {@link mailboxText}. */
  readonly text: string
  /** Not the names in the form, which can be those of other users. */
  readonly userId: string | undefined
  readonly browser: KnownBrowser | null
  /** Whether the browser was known for the account before. */
  readonly wasKnown: boolean
}

/**
 * Remembers that this browser, which was read before, has signed in to the account. Not if many others have on the same
 * day: each known browser has guesses of its own, also after the password was changed.
 */
export async function rememberBrowser(
  ctx: Context,
  { text, userId, browser, wasKnown }: Remembered,
): Promise<void> {
  const hashes = await hashesOf(ctx, text)
  const [typed = ''] = hashes
  const former = browser?.accounts ?? []
  if (browser && former[0] === typed && Date.now() / 1000 - browser.since < RENEWAL) return
  if (!wasKnown) {
    const { allowed } = await takeLimit(ctx, 'known', { owner: userId ?? '' })
    if (!allowed) return
  }
  const others = former.filter((other) => !hashes.includes(other))
  const claims = {
    id: browser?.id ?? crypto.randomUUID(),
    accounts: [typed, ...others].slice(0, MAX_ACCOUNTS),
  }
  const value = await seal(claims, { ...keyOf(ctx), maxAge: KNOWN_MAX_AGE })
  ctx.jar.trySet({ value, ...ctx.cookies.known })
}
