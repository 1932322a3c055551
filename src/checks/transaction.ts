/**
 * One sign-in attempt at a provider, sealed into a cookie of its own, so that two tabs do not disturb each
 * other. What it holds proves that the answer belongs to the request (RFC 9700 §4.7).
 */
import type { Context } from '../contracts.ts'
import { isCookieShort } from '../cookies/serialize.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { CookieOption, ResponseCookie } from '../types.ts'
import { used } from './used.ts'

/** What is known of a sign-in attempt when the browser comes back. */
export interface Transaction {
  /** Id of the provider it was started with. */
  readonly provider: string
  readonly state?: string
  /** Where a link was sent (e-mail). */
  readonly address?: string
  /** Id of the user who was signed in when it began. */
  readonly startedBy?: string
  /** PKCE code verifier (RFC 7636 §4.1). */
  readonly codeVerifier?: string
  readonly nonce?: string
  /** Where the browser goes when it is signed in. */
  readonly returnTo: string
  /** Where the code may be sent, as discovery said: it may say something else by then (RFC 9700 §4.4.2). */
  readonly tokenEndpoint?: string
  /** Who may answer, where only discovery says. */
  readonly issuer?: string
  /** Whether the answer has to name the issuer (RFC 9207 §3). */
  readonly namesIssuer?: true
  /** Seconds since the person last proved who they are, when that was asked for. */
  readonly maxAge?: number
  /** Authentication contexts that were asked for, separated by spaces. */
  readonly acrValues?: string
}

/** What came of looking for a transaction. */
export type TransactionUse =
  | { readonly outcome: 'found'; readonly transaction: Transaction }
  /** There is none, or there was one and it is used: then `returnTo` says where it went. */
  | { readonly outcome: 'missing'; readonly returnTo?: string }

const KEY = { salt: 'lib.transaction', family: 'internal' } as const
/** Transactions a browser may hold. */
const MAX_ATTEMPTS = 5
/** Bytes of a Cookie header that all transactions together may take: servers refuse long headers for the whole host. */
const MAX_TOTAL_LENGTH = 4096
const USED = 'the state was already used'
/** Which site the answer comes from. A form that another one posts brings `cross-site` cookies only. */
type Sender = 'same-site' | 'cross-site'

interface Key {
  readonly provider: string
  readonly state: string | undefined
  readonly from: Sender
}

async function hashOf({ provider, state }: Pick<Key, 'provider' | 'state'>): Promise<string> {
  return sha256(state === undefined ? `provider ${provider}` : `state ${state}`, 'hex')
}

function cookieFor({ name, options }: CookieOption, hash: string, from: Sender): CookieOption {
  const crossSite = { ...options, sameSite: 'none', secure: true } as const
  return {
    name: `${name}.${hash.slice(0, 8)}`,
    options: from === 'cross-site' ? crossSite : options,
  }
}

function isTransaction(value: object): value is Transaction {
  return 'provider' in value && 'returnTo' in value && typeof value.returnTo === 'string'
}

/** What a cookie holds, if it is the attempt that was asked for. */
async function read(
  { config }: Context,
  sealed: string,
  { provider, state }: Key,
): Promise<Transaction | null> {
  const claims = await open(sealed, { secrets: config.secrets, ...KEY })
  if (!claims || !isTransaction(claims)) return null
  return claims.provider === provider && claims.state === state ? claims : null
}

/** Bytes that a cookie takes in a Cookie header. A value that needs escapes is not a transaction: it never fits. */
function lengthOf(name: string, value: string): number {
  return /^[\w.-]*$/.test(value) ? `${name}=${value}; `.length : Infinity
}

/** Deletes the oldest transactions until there is room for this one. */
function makeRoom({ jar, cookies }: Context, { name, value, options }: ResponseCookie): void {
  const prefix = `${cookies.transaction.name}.`
  const values = jar.getPrefixed(prefix)
  const newestFirst = jar.names(prefix).toReversed()
  let room = MAX_TOTAL_LENGTH - lengthOf(name, value)
  for (const [index, held] of newestFirst.filter((each) => each !== name).entries()) {
    room -= index < MAX_ATTEMPTS - 1 ? lengthOf(held, values.get(held) ?? '') : Infinity
    if (room < 0) jar.delete({ name: held, options })
  }
}

/** The transaction as a cookie; without its return URL when browsers would not keep it otherwise. */
async function sealCookie(
  { config, origin }: Context,
  cookie: CookieOption,
  transaction: Transaction,
): Promise<ResponseCookie> {
  const { maxAge = 0 } = cookie.options
  const sealing = { secrets: config.secrets, ...KEY, maxAge }
  const whole = { ...cookie, value: await seal({ ...transaction }, sealing) }
  if (isCookieShort(whole)) return whole
  const { provider, returnTo } = transaction
  config.log.debug?.('return URL dropped', { provider, length: returnTo.length })
  return { ...cookie, value: await seal({ ...transaction, returnTo: origin }, sealing) }
}

/**
 * Stores a transaction in the browser.
 *
 * @throws RangeError when it does not fit into a cookie even without its return URL
 */
async function create(
  ctx: Context,
  transaction: Transaction,
  { from, maxAge: lifetime }: { readonly from: Sender; readonly maxAge?: number },
): Promise<void> {
  const { jar, cookies, config } = ctx
  const { provider, state } = transaction
  const hash = await hashOf({ provider, state })
  const { name, options } = cookieFor(cookies.transaction, hash, from)
  const maxAge = lifetime ?? options.maxAge ?? 0
  const cookie = await sealCookie(ctx, { name, options: { ...options, maxAge } }, transaction)
  makeRoom(ctx, cookie)
  jar.set(cookie)
  config.log.debug?.('transaction created', { provider })
}

function missing(
  { config }: Context,
  { provider }: Key,
  { reason, returnTo }: { readonly reason: string; readonly returnTo?: string },
): TransactionUse {
  config.log.debug?.('transaction missing', { provider, reason })
  return { outcome: 'missing', ...(returnTo !== undefined && { returnTo }) }
}

/**
 * The attempt this answer belongs to. It is gone from the browser afterwards, whether or not it matched:
 * a second attempt must start over (RFC 9700 §4.7).
 */
async function use(ctx: Context, key: Key): Promise<TransactionUse> {
  const { jar, cookies } = ctx
  const hash = await hashOf(key)
  const cookie = cookieFor(cookies.transaction, hash, key.from)
  const memory = used.recall(hash)
  if (memory) {
    jar.delete(cookie)
    return missing(ctx, key, { reason: USED, returnTo: memory.returnTo })
  }
  const value = jar.get(cookie.name)
  if (value === undefined)
    return missing(ctx, key, { reason: 'no transaction cookie for this state' })
  jar.delete(cookie)
  const transaction = await read(ctx, value, key)
  if (!transaction)
    return missing(ctx, key, {
      reason: 'the transaction cookie has expired or cannot be decrypted',
    })
  const { returnTo } = transaction
  // Without a state there is nothing that is new in each attempt, so none can be told used.
  if (key.state !== undefined) {
    // Another request may have used it while this one was opening it.
    if (used.recall(hash)) return missing(ctx, key, { reason: USED, returnTo })
    used.remember(hash, returnTo)
  }
  ctx.config.log.debug?.('transaction found', { provider: key.provider })
  return { outcome: 'found', transaction }
}

/** The attempt that has this state, if it began in this browser; it can still be used afterwards. */
async function find(ctx: Context, key: Key): Promise<Transaction | null> {
  const { jar, cookies } = ctx
  const value = jar.get(cookieFor(cookies.transaction, await hashOf(key), key.from).name)
  return value === undefined ? null : read(ctx, value, key)
}

/** Takes an attempt out of the browser, where it is no longer needed. */
async function forget(ctx: Context, key: Key): Promise<void> {
  const { jar, cookies } = ctx
  const cookie = cookieFor(cookies.transaction, await hashOf(key), key.from)
  if (jar.get(cookie.name) !== undefined) jar.delete(cookie)
}

/** Sign-in attempts: one cookie each. */
export const transactions: {
  readonly create: typeof create
  readonly use: typeof use
  readonly find: typeof find
  readonly forget: typeof forget
} = { create, use, find, forget }
