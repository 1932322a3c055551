/**
 * Authorization transactions, each sealed into a cookie of its own, so that two tabs do not interfere. A transaction
 * binds the authorization response to the request (RFC 9700 §4.7).
 */
import type { Context } from '../contracts.ts'
import { isCookieShort } from '../cookies/serialize.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { CookieOption, ResponseCookie } from '../types.ts'
import { used } from './used.ts'

export interface Transaction {
  readonly provider: string
  readonly state?: string
  /** Recipient of the magic link (e-mail). */
  readonly address?: string
  /** Id of the user who was signed in when the transaction began. */
  readonly startedBy?: string
  readonly codeVerifier?: string
  readonly nonce?: string
  readonly returnTo: string
  /** Discovered token endpoint: a later discovery may return another one (mix-up attack, RFC 9700 §4.4.2). */
  readonly tokenEndpoint?: string
  /** Expected issuer, if only the metadata contains it. */
  readonly issuer?: string
  /** Whether the response must contain `iss` (RFC 9207 §3). */
  readonly namesIssuer?: true
  /** Requested `max_age`: seconds since the user last authenticated at the provider. */
  readonly maxAge?: number
  /** Requested `acr_values`, separated by spaces. */
  readonly acrValues?: string
}

export type TransactionUse =
  | { readonly outcome: 'found'; readonly transaction: Transaction }
  /** No transaction, or a used one; then `returnTo` is its return URL. */
  | { readonly outcome: 'missing'; readonly returnTo?: string }

const KEY = { salt: 'lib.transaction', family: 'internal' } as const
const MAX_ATTEMPTS = 5
/** Bytes of all transactions in the Cookie header: servers reject long headers for the whole host. */
const MAX_TOTAL_LENGTH = 4096
const USED = 'the state was already used'
/** The site that sends the response. A `cross-site` form post contains only `SameSite=None` cookies. */
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

async function read(
  { config }: Context,
  sealed: string,
  { provider, state }: Key,
): Promise<Transaction | null> {
  const claims = await open(sealed, { secrets: config.secrets, ...KEY })
  if (!claims || !isTransaction(claims)) return null
  return claims.provider === provider && claims.state === state ? claims : null
}

/** Bytes in the Cookie header. A value that needs escapes is not a transaction, so it never fits. */
function lengthOf(name: string, value: string): number {
  return /^[\w.-]*$/.test(value) ? `${name}=${value}; `.length : Infinity
}

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

/** Seals a transaction; without its return URL if browsers would reject the cookie for its length. */
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

/** @throws RangeError if the transaction does not fit into a cookie even without its return URL */
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

/** Deletes the cookie whether or not it matched: the user must start a new sign-in (RFC 9700 §4.7). */
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
  // Without a state, the hash is the same for every transaction, so it cannot be marked as used.
  if (key.state !== undefined) {
    // A concurrent request may have used the transaction during decryption.
    if (used.recall(hash)) return missing(ctx, key, { reason: USED, returnTo })
    used.remember(hash, returnTo)
  }
  ctx.config.log.debug?.('transaction found', { provider: key.provider })
  return { outcome: 'found', transaction }
}

async function find(ctx: Context, key: Key): Promise<Transaction | null> {
  const { jar, cookies } = ctx
  const value = jar.get(cookieFor(cookies.transaction, await hashOf(key), key.from).name)
  return value === undefined ? null : read(ctx, value, key)
}

async function forget(ctx: Context, key: Key): Promise<void> {
  const { jar, cookies } = ctx
  const cookie = cookieFor(cookies.transaction, await hashOf(key), key.from)
  if (jar.get(cookie.name) !== undefined) jar.delete(cookie)
}

export const transactions: {
  readonly create: typeof create
  readonly use: typeof use
  readonly find: typeof find
  readonly forget: typeof forget
} = { create, use, find, forget }
