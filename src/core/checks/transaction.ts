/** Bind authorization responses to requests (RFC 9700 §4.7). Each has its own cookie, so that tabs do not interfere. */
import { setBounded } from '../async/cache.ts'
import { TIMEOUTS, unavailable, withTimeout } from '../async/timeout.ts'
import type { Context } from '../contracts.ts'
import type { Connect, StepUp } from '../evidence.ts'
import { isCookieShort } from '../cookies/syntax.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { CookieOption, ResponseCookie } from '../types.ts'

/** A code that was sent by e-mail, and can be entered in this browser. */
export interface EmailCode {
  /** Part of the stored hash: a code is not valid for another transaction. */
  readonly id: string
  /** Random: the tries that the limit `code` counts together. */
  readonly tries?: string | undefined
  /** HMAC of the code; the code itself is only in the mail. */
  readonly digest: string
  /** Expiry, in milliseconds since the epoch. */
  readonly expires: number
  /** Number of digits; `null` for a code of the application that has other characters. */
  readonly digits: number | null
  /** Stored hash of the link in the same mail: with either of them used, the other one is invalid. */
  readonly link?: string
}

export interface Transaction {
  readonly provider: string
  readonly state?: string | undefined
  readonly address?: string
  readonly emailCode?: EmailCode
  /** Id of the user who was signed in when the transaction began. */
  readonly initiatingUser?: string
  /** Began in a session from `authorize` that is not that of a stored user. */
  readonly beganUnstored?: true
  readonly codeVerifier?: string
  readonly nonce?: string
  readonly returnTo: string
  /** Whether the user wants to stay signed in; missing if the page did not ask. */
  readonly keepSignedIn?: boolean | undefined
  /** Discovered token endpoint: a later discovery may return another one (mix-up attack, RFC 9700 §4.4.2). */
  readonly tokenEndpoint?: string
  /** Expected issuer, if only the metadata contains it. */
  readonly issuer?: string
  /** Whether the response must contain `iss` (RFC 9207 §3). */
  readonly namesIssuer?: true
  /** Requested `max_age`: seconds since the user last authenticated at the provider. */
  readonly maxAge?: number
  readonly acrValues?: string
  /** Requests scopes for the tokens of this account and session, which stay the same. */
  readonly connect?: Connect
  /** What the user of the session confirms. */
  readonly stepUp?: StepUp | undefined
  /** Whether the provider had to decide without the user (`prompt=none`). */
  readonly isSilent?: true
}

const KEY = { salt: 'lib.transaction', family: 'internal' } as const
const MAX_TRANSACTIONS = 5
/** Bytes of all transactions, or of all challenges, in the Cookie header: servers reject long headers for the whole host. */
const MAX_TOTAL_LENGTH = 4096

export interface TransactionKey extends Pick<Transaction, 'provider' | 'state'> {
  /** The site that sends the response. A `cross-site` form post contains only `SameSite=None` cookies. */
  readonly from: 'same-site' | 'cross-site'
}

function isTransaction(value: object): value is Transaction {
  return 'provider' in value && 'returnTo' in value && typeof value.returnTo === 'string'
}

async function locate({ jar, cookies }: Context, { provider, state, from }: TransactionKey) {
  const hash = await sha256(state === undefined ? `provider ${provider}` : `state ${state}`, 'hex')
  const name = `${cookies.transaction.name}.${hash.slice(0, 8)}`
  const { options } = cookies.transaction
  const crossSite = { ...options, sameSite: 'none', secure: true } as const
  const cookie = { name, options: from === 'cross-site' ? crossSite : options }
  return { hash, cookie, sealed: jar.get(name) }
}

async function openTransaction(
  { config }: Context,
  sealed: string | undefined,
  { provider, state }: TransactionKey,
): Promise<Transaction | null> {
  const claims = sealed && (await open(sealed, { secrets: config.secrets, ...KEY }))
  if (!claims || !isTransaction(claims)) return null
  return claims.provider === provider && claims.state === state ? claims : null
}

/** Milliseconds for which a used hash is stored; longer than the lifetime of a transaction. */
const USED_FOR: number = 15 * 60_000
const MAX_USED = 10_000

/** Single use within this process; across processes, the deleted cookie or row, or the provider, enforces it. */
const usedHashes = new Map<string, { readonly returnTo: string; readonly until: number }>()

export function markUsed(hash: string, returnTo: string): void {
  setBounded(usedHashes, [hash, { returnTo, until: Date.now() + USED_FOR }], MAX_USED)
}

export function findUsed(hash: string): { readonly returnTo: string } | undefined {
  const used = usedHashes.get(hash)
  return used && used.until > Date.now() ? used : undefined
}

export function markUnused(hash: string): void {
  usedHashes.delete(hash)
}

/**
 * Asks the records for states that any process has used, for the audit log: a replayed response is reported as one. They
 * are not needed to prevent a replay, because the cookie is deleted and the provider accepts a code once; so an outage is
 * not an error.
 */
async function askRecords(
  ctx: Context,
  run: (records: NonNullable<Context['config']['records']>) => Promise<boolean>,
): Promise<boolean> {
  const { records, audit, log } = ctx.config
  if (!records || !audit) return false
  const work = async () => (await records.adapter()) !== null && run(records)
  const what = 'The record store'
  try {
    const limits = { what, timeout: TIMEOUTS.limit, timers: 10, timeoutError: unavailable }
    return await withTimeout(work(), limits)
  } catch (error) {
    log.debug?.('replay not checked', { reason: error instanceof Error ? error.message : '' })
    return false
  }
}

/** Marks a state as used in all processes, and returns whether one of them has used it before. */
function useState(ctx: Context, hash: string): Promise<boolean> {
  const expires = new Date(Date.now() + USED_FOR)
  const record = { key: `state:${hash}`, value: '', owner: null, expires }
  return askRecords(ctx, async (records) => !(await records.write(ctx, record, null)))
}

function wasStateUsed(ctx: Context, hash: string): Promise<boolean> {
  return askRecords(ctx, async (records) => (await records.read(ctx, [`state:${hash}`])).size > 0)
}

/** Bytes in the Cookie header. A value that needs escapes is not a transaction, so it never fits. */
function measureCookie(name: string, value: string): number {
  return /^[\w.-]*$/.test(value) ? `${name}=${value}; `.length : Infinity
}

/** Deletes the oldest cookies with the prefix that leave no room for this one. */
export function makeRoom(
  { jar }: Context,
  prefix: string,
  { name, value, options }: ResponseCookie,
): void {
  const values = jar.getPrefixed(prefix)
  const newestFirst = jar.names(prefix).toReversed()
  let room = MAX_TOTAL_LENGTH - measureCookie(name, value)
  for (const [index, held] of newestFirst.filter((each) => each !== name).entries()) {
    room -= index < MAX_TRANSACTIONS - 1 ? measureCookie(held, values.get(held) ?? '') : Infinity
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
  const whole = { value: await seal({ ...transaction }, sealing), ...cookie }
  if (isCookieShort(whole)) return whole
  const { provider, returnTo } = transaction
  config.log.debug?.('return URL dropped', { provider, length: returnTo.length })
  return { ...cookie, value: await seal({ ...transaction, returnTo: origin }, sealing) }
}

/** @throws RangeError if the transaction does not fit into a cookie even without its return URL */
export async function createTransaction(
  ctx: Context,
  transaction: Transaction,
  { from, maxAge: lifetime }: Pick<TransactionKey, 'from'> & { readonly maxAge?: number },
): Promise<void> {
  const { name, options } = (await locate(ctx, { ...transaction, from })).cookie
  const maxAge = lifetime ?? options.maxAge ?? 0
  const cookie = await sealCookie(ctx, { name, options: { ...options, maxAge } }, transaction)
  makeRoom(ctx, `${ctx.cookies.transaction.name}.`, cookie)
  ctx.jar.set(cookie)
  ctx.config.log.debug?.('transaction created', { provider: transaction.provider })
}

/** Whether the browser has a transaction with this key, which other sites do not know, or a forged cookie in its place. */
export async function hasTransaction(ctx: Context, key: TransactionKey): Promise<boolean> {
  return (await locate(ctx, key)).sealed !== undefined
}

interface RedeemedTransaction {
  readonly transaction: Transaction | null
  /** Whether the state was used before. */
  readonly isReplay: boolean
  /** Of the sign-in that used it, in this process. */
  readonly usedReturnTo?: string | undefined
}

/** Deletes the cookie whether or not it matches: the user must start a new sign-in (RFC 9700 §4.7). */
export async function redeemTransaction(
  ctx: Context,
  key: TransactionKey,
): Promise<RedeemedTransaction> {
  const { jar, config } = ctx
  const { provider, state } = key
  const { hash, cookie, sealed } = await locate(ctx, key)
  if (sealed !== undefined || findUsed(hash)) jar.delete(cookie)
  const transaction = await openTransaction(ctx, sealed, key)
  // Read after decryption, during which a concurrent request may have used the transaction.
  const used = findUsed(hash)
  if (transaction && !used) {
    // Without a state, the hash is the same for every transaction, so it cannot be marked as used.
    if (state !== undefined) markUsed(hash, transaction.returnTo)
    if (state !== undefined && (await useState(ctx, hash))) {
      const reason = 'the state was already used by another process'
      config.log.debug?.('transaction missing', { provider, reason })
      return { transaction: null, isReplay: true }
    }
    config.log.debug?.('transaction found', { provider })
    return { transaction, isReplay: false }
  }
  let reason = 'the transaction cookie has expired or cannot be decrypted'
  if (sealed === undefined) reason = 'no transaction cookie for this state'
  if (used) reason = 'the state was already used'
  config.log.debug?.('transaction missing', { provider, reason })
  const isReplay = used !== undefined || (state !== undefined && (await wasStateUsed(ctx, hash)))
  return { transaction: null, isReplay, usedReturnTo: used?.returnTo }
}

export async function readTransaction(
  ctx: Context,
  key: TransactionKey,
  after: 'keep' | 'delete' = 'keep',
): Promise<Transaction | null> {
  const { cookie, sealed } = await locate(ctx, key)
  if (sealed !== undefined && after === 'delete') ctx.jar.delete(cookie)
  return openTransaction(ctx, sealed, key)
}
