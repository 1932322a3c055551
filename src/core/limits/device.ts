/**
 * Known browsers: those that have signed in to an account before. A browser with this cookie has limits of its own, so
 * that an attacker, who lacks it, cannot lock the owner out.
 */
import type { Context, SessionContext } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import { KNOWN_MAX_AGE } from '../config/defaults.ts'
import { hashTyped } from './hash.ts'
import { consumeLimit } from './consume.ts'

const MAX_ACCOUNTS = 5
/** Seconds after which the cookie is renewed although its content has not changed. */
const RENEWAL: number = 24 * 60 * 60

interface KnownBrowser {
  readonly id: string
  /** HMACs of what was typed in to sign in, the last one first. */
  readonly accounts: readonly string[]
  /** Seconds since the epoch. */
  readonly since: number
}

function sealKey({ config }: SessionContext) {
  return { secrets: config.secrets, salt: 'lib.known', family: 'internal' } as const
}

export function isRemembering({ config: { protection } }: SessionContext): boolean {
  return protection !== undefined && protection.knownBrowsers !== 'off'
}

async function readKnownBrowser(ctx: SessionContext): Promise<KnownBrowser | null> {
  const sealed = ctx.jar.get(ctx.cookies.known.name)
  const claims = sealed && (await open(sealed, sealKey(ctx)))
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

/** With all secrets, also those from before a rotation. */
async function hashWithAll(ctx: SessionContext, text: string): Promise<readonly string[]> {
  return Promise.all(ctx.config.secrets.map((secret) => hashTyped(ctx, text, secret)))
}

export interface FoundBrowser {
  /** `null`: it has signed in to no account. */
  readonly browser: KnownBrowser | null
  /** Its id if it has signed in with one of the texts. */
  readonly device: string | null
}

/** The browser of the request, and whether it has signed in with one of these texts. */
export async function findBrowser(
  ctx: SessionContext,
  texts: readonly string[],
): Promise<FoundBrowser> {
  const browser = isRemembering(ctx) ? await readKnownBrowser(ctx) : null
  if (!browser) return { browser, device: null }
  const hashes = new Set((await Promise.all(texts.map((text) => hashWithAll(ctx, text)))).flat())
  const isKnown = browser.accounts.some((account) => hashes.has(account))
  return { browser, device: isKnown ? browser.id : null }
}

export interface Remembered extends FoundBrowser {
  /** Exactly what was typed, or {@link mailboxText}. */
  readonly text: string
  /** Not the names in the form, which can be those of other users. */
  readonly userId: string | undefined
}

/**
 * Remembers that this browser, which was read before, has signed in to the account. Not if many others have on the same
 * day: each known browser has guesses of its own, also after the password was changed.
 */
export async function rememberBrowser(
  ctx: Context,
  { text, userId, browser, device }: Remembered,
): Promise<void> {
  const hashes = await hashWithAll(ctx, text)
  const [typed = ''] = hashes
  const former = browser?.accounts ?? []
  if (browser && former[0] === typed && Date.now() / 1000 - browser.since < RENEWAL) return
  if (device === null) {
    const { error } = await consumeLimit(ctx, 'known', { owner: userId ?? '' })
    if (error) return
  }
  const others = former.filter((other) => !hashes.includes(other))
  const claims = {
    id: browser?.id ?? crypto.randomUUID(),
    accounts: [typed, ...others].slice(0, MAX_ACCOUNTS),
  }
  const value = await seal(claims, { ...sealKey(ctx), maxAge: KNOWN_MAX_AGE })
  ctx.jar.trySet({ value, ...ctx.cookies.known })
}
