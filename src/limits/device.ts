/**
 * Known browsers: those that have signed in to an account before. A browser with this cookie has limits of its own, so
 * that an attacker, who lacks it, cannot lock the owner out.
 */
import type { SessionContext } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import { KNOWN_MAX_AGE } from '../defaults.ts'
import { hashTyped } from './hash.ts'

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

/** Whether the browser has signed in with this text, also before the secret was rotated. */
export async function isKnownFor(
  ctx: SessionContext,
  { accounts }: KnownBrowser,
  text: string,
): Promise<boolean> {
  for (const secret of ctx.config.secrets)
    if (accounts.includes(await hashTyped(ctx, text, secret))) return true
  return false
}

/** Remembers that this browser, which was read before, has signed in with what has this hash. */
export async function rememberBrowser(
  ctx: SessionContext,
  account: string,
  known: KnownBrowser | null,
): Promise<void> {
  const former = known?.accounts ?? []
  if (known && former[0] === account && Date.now() / 1000 - known.since < RENEWAL) return
  const others = former.filter((other) => other !== account)
  const claims = {
    id: known?.id ?? crypto.randomUUID(),
    accounts: [account, ...others].slice(0, MAX_ACCOUNTS),
  }
  const value = await seal(claims, { ...keyOf(ctx), maxAge: KNOWN_MAX_AGE })
  ctx.jar.trySet({ value, ...ctx.cookies.known })
}
