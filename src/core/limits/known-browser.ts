/**
 * Known browsers: those that have signed in to an account before. A browser with this cookie has limits of its own, so
 * that an attacker, who lacks it, cannot lock the owner out.
 */
import type { Context, SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import { CLOCK_SKEW, KNOWN_MAX_AGE } from '../config/defaults.ts'
import { AdapterError } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import { hashTyped } from './hash.ts'
import { consumeLimit } from './consume.ts'

const MAX_ACCOUNTS = 5
/** Milliseconds after which the cookie is renewed although its content has not changed. */
const RENEWAL: number = 24 * 60 * 60 * 1000
/** Milliseconds for the store: limits do not wait longer for it, either. */
const MAX_WAIT = 200

interface KnownAccount {
  /** HMAC of what was typed in to sign in. */
  readonly name: string
  /** Digest of the id of the user who has signed in; empty for a user without an id. */
  readonly user: string
  /** The same of the id that the `jwt` callback has set instead. */
  readonly subject?: string | undefined
  /** Milliseconds since the epoch, of the sign-in or the renewal; later than {@link forgetBrowsers} before it. */
  readonly at: number
}

interface KnownBrowser {
  readonly id: string
  /** The last one first. */
  readonly accounts: readonly KnownAccount[]
}

function sealKey({ config }: SessionContext) {
  return { secrets: config.secrets, salt: 'lib.known', family: 'internal' } as const
}

export function isRemembering({ config: { protection } }: SessionContext): boolean {
  return protection !== undefined && protection.knownBrowsers !== 'off'
}

function isKnownAccount(value: unknown): value is KnownAccount {
  if (!isRecord(value)) return false
  const { name, user, subject = '', at } = value
  const areTexts = [name, user, subject].every((each) => typeof each === 'string')
  return areTexts && typeof at === 'number'
}

async function readKnownBrowser(ctx: SessionContext): Promise<KnownBrowser | null> {
  const sealed = ctx.jar.get(ctx.cookies.known.name)
  const claims = sealed && (await open(sealed, sealKey(ctx)))
  if (!claims) return null
  const { id, accounts } = claims
  if (typeof id !== 'string' || !Array.isArray(accounts)) return null
  return { id, accounts: accounts.filter(isKnownAccount).slice(0, MAX_ACCOUNTS) }
}

async function setKnownBrowser(ctx: SessionContext, browser: KnownBrowser): Promise<void> {
  const value = await seal({ ...browser }, { ...sealKey(ctx), maxAge: KNOWN_MAX_AGE })
  ctx.jar.trySet({ value, ...ctx.cookies.known })
}

async function digestOf(userId: string | undefined): Promise<string> {
  return userId ? (await sha256(userId, 'base64url')).slice(0, 22) : ''
}

const forgottenKey = (user: string): string => `forgotten:${user}`

type Users = Pick<KnownAccount, 'user' | 'subject'>

const usersOf = ({ user, subject }: Users): readonly string[] =>
  [user, subject ?? ''].filter(Boolean)

/** Until when browsers have been forgotten, by the digest of the user; `null` while the store does not respond. */
async function readForgotten(
  { config, deadline }: SessionContext,
  users: readonly string[],
): Promise<ReadonlyMap<string, number> | null> {
  const { records } = config
  if (users.length === 0 || !records) return new Map()
  try {
    if (!(await records.adapter())) return new Map()
    const ctx = { config, deadline: Math.min(deadline, performance.now() + MAX_WAIT) }
    const unique = [...new Set(users)]
    const found = await records.read(ctx, unique.map(forgottenKey))
    return new Map(unique.map((user) => [user, Number(found.get(forgottenKey(user))?.value ?? 0)]))
  } catch (error) {
    if (error instanceof AdapterError) return null
    throw error
  }
}

const lastOf = (times: ReadonlyMap<string, number> | null, users: Users): number =>
  Math.max(0, ...usersOf(users).map((user) => times?.get(user) ?? 0))

/**
 * Those of the accounts whose users have not ended all sessions since; all of them while the store does not respond.
 * Else, an attacker who slows the store down with guesses would lock the owner out.
 */
async function withoutForgotten(
  ctx: SessionContext,
  accounts: readonly KnownAccount[],
): Promise<readonly KnownAccount[]> {
  const forgotten = await readForgotten(ctx, accounts.flatMap(usersOf))
  return accounts.filter((account) => account.at > lastOf(forgotten, account))
}

/** Makes the user unknown to all browsers, if the application has a store for records; the sessions have ended before. */
export async function forgetBrowsers(ctx: SessionContext, userId: string): Promise<void> {
  const { records, log } = ctx.config
  try {
    if (!isRemembering(ctx) || !records || !(await records.adapter())) return
    const key = forgottenKey(await digestOf(userId))
    const before = Number((await records.read(ctx, [key])).get(key)?.value ?? 0)
    // The clock of a process that has remembered a browser may be ahead.
    const latest = Date.now() + CLOCK_SKEW * 1000
    const expires = new Date(latest + KNOWN_MAX_AGE * 1000)
    const value = String(Math.max(latest, before + 1))
    await records.write(ctx, { key, value, owner: null, expires })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    log.warn(
      'browsers-not-forgotten',
      'All sessions of a user have ended, but browsers that have signed in to the account before keep limits of their own, because the store does not respond.',
    )
  }
}

/** Keeps this browser known to its user after {@link forgetBrowsers}. */
export async function keepKnown(ctx: SessionContext, userId: string): Promise<void> {
  const browser = isRemembering(ctx) ? await readKnownBrowser(ctx) : null
  const user = await digestOf(userId)
  const isOwn = (account: KnownAccount) => usersOf(account).includes(user)
  if (!browser?.accounts.some(isOwn)) return
  const at = Math.max(Date.now(), lastOf(await readForgotten(ctx, [user]), { user })) + 1
  const accounts = browser.accounts.map((each) => (isOwn(each) ? { ...each, at } : each))
  await setKnownBrowser(ctx, { ...browser, accounts })
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
  const matching = browser.accounts.filter(({ name }) => hashes.has(name))
  const isKnown = (await withoutForgotten(ctx, matching)).length > 0
  return { browser, device: isKnown ? browser.id : null }
}

/** When this browser became known for the text, in milliseconds since the epoch; `null`: it is not, or that is not certain. */
export async function knownSince(ctx: SessionContext, text: string): Promise<number | null> {
  const browser = isRemembering(ctx) ? await readKnownBrowser(ctx) : null
  const hashes = browser ? await hashWithAll(ctx, text) : []
  const account = browser?.accounts.find(({ name }) => hashes.includes(name))
  const forgotten = account && (await readForgotten(ctx, usersOf(account)))
  return forgotten && account.at > lastOf(forgotten, account) ? account.at : null
}

export interface Remembered extends FoundBrowser {
  /** Exactly what was typed, or {@link mailboxText}. */
  readonly text: string
  /** Not the names in the form, which can be those of other users. */
  readonly userId: string | undefined
  /** The id of the user in the session, if the `jwt` callback has set another one. */
  readonly subjectId?: string | undefined
}

/**
 * Remembers that this browser, which was read before, has signed in to the account. Not if many others have on the same
 * day: each known browser has guesses of its own, also after the password was changed.
 */
export async function rememberBrowser(
  ctx: Context,
  { text, userId, subjectId = userId, browser, device }: Remembered,
): Promise<void> {
  const hashes = await hashWithAll(ctx, text)
  const user = await digestOf(userId)
  const subject = subjectId === userId ? undefined : await digestOf(subjectId)
  const former = browser?.accounts ?? []
  const [last] = former
  const isLast = last?.name === hashes[0] && last?.user === user && last?.subject === subject
  if (device !== null && isLast && Date.now() - last.at < RENEWAL) return
  if (device === null) {
    const { error } = await consumeLimit(ctx, 'known', { owner: userId ?? '' })
    if (error) return
  }
  // A browser without an account costs no read; within minutes after the end, its next sign-in makes it known.
  const own = former.filter((each) => each.user === user)
  const isForgotten = device === null && own.length > 0
  const times = isForgotten ? await readForgotten(ctx, usersOf({ user, subject })) : null
  const until = lastOf(times, { user, subject })
  const at = Math.max(Date.now(), until + 1, ...own.map((each) => each.at))
  const account = { name: hashes[0] ?? '', user, subject, at }
  const others = former.filter(({ name }) => !hashes.includes(name))
  await setKnownBrowser(ctx, {
    id: browser?.id ?? crypto.randomUUID(),
    accounts: [account, ...others].slice(0, MAX_ACCOUNTS),
  })
}
