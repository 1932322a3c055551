/**
 * E-mail codes. The stored row of a code is also the permission for one try: entering a code deletes the row, of
 * concurrent requests in any process only one finds it, and a wrong code stores the row of the next try. The cookie does
 * not count tries, so it can be replayed, and its response can be lost.
 */
import { createTransaction, readTransaction } from '../../checks/transaction.ts'
import type { EmailCode, Transaction, TransactionKey } from '../../checks/transaction.ts'
import type { Context } from '../../contracts.ts'
import { equalText, hmac, randomBase64Url, sha256 } from '../../crypto/digest.ts'
import type { Awaitable } from '../../types.ts'
import type { EmailProvider, LinkKey } from './link.ts'

/** Seconds for which a code is valid. */
export const CODE_MAX_AGE: number = 10 * 60

/** Wrong codes until a new one has to be requested. */
export const MAX_TRIES = 5

export const CODE_DIGITS = 6

/** Random decimal digits, each equally likely; at most nine. */
export function randomDigits(count: number): string {
  const bound = 10 ** count
  // Values above the largest multiple of the bound would make small numbers more likely.
  const limit = 2 ** 32 - (2 ** 32 % bound)
  const [value = limit] = crypto.getRandomValues(new Uint32Array(1))
  return value < limit ? String(value % bound).padStart(count, '0') : randomDigits(count)
}

/** A longer text is not a code. */
const MAX_LENGTH = 64

/** The ASCII digit for one of another script; the digits of each script are in order, from 0. */
function asciiDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before++
  return String(before % 10)
}

/**
 * Removes what is not part of a code that was copied or typed in groups: spaces, dashes, zero-width characters. Some
 * keyboards have digits of another script.
 */
export function normalizeCode(text: string): string {
  const compact = text.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}]/gu, '')
  return compact.length > MAX_LENGTH ? compact : compact.replace(/(?!\d)\p{Nd}/gu, asciiDigit)
}

/** Bits of one random character, by the alphabet of the value; in any other alphabet, such as base64url, 6. */
const BITS: readonly (readonly [RegExp, number])[] = [
  [/^\p{Nd}*$/u, Math.log2(10)],
  [/^(?:[\da-f]*|[\dA-F]*)$/, 4],
  [/^(?:[\da-z]*|[\dA-Z]*)$/, 5],
]

/** Whether a generated value has less than about 64 bits, so that it could be guessed without a limit on tries. */
export function isGuessable(value: string): boolean {
  // Without the characters that separate groups; for the alphabet of base64url, they are counted.
  const text = normalizeCode(value).replace(/[^\p{L}\p{Nd}]/gu, '')
  const [, bits] = BITS.find(([pattern]) => pattern.test(text)) ?? []
  return (bits === undefined ? value.length * 6 : text.length * bits) < 64
}

function computeDigest(
  code: string,
  { id, address }: { readonly id: string; readonly address: string },
  secret: string,
): Awaitable<string> {
  return hmac(JSON.stringify([code, address, id]), { secret, purpose: 'email-code' })
}

function listSecrets(ctx: Context, { config: { secret } }: EmailProvider): readonly string[] {
  return secret ? [secret] : ctx.config.secrets
}

/** The key of the row that allows a try, counted from 0. */
export async function tryKey(address: string, { digest }: EmailCode, at: number): Promise<LinkKey> {
  return { identifier: address, token: await sha256(`${digest}.${at}`, 'hex') }
}

/** A browser has one code for each provider. */
function codeTransactionKey({ id }: EmailProvider): TransactionKey {
  return { provider: id, state: undefined, from: 'same-site' }
}

export async function createCode(
  ctx: Context,
  provider: EmailProvider,
  {
    code: generated,
    address,
    expires,
    link,
  }: {
    readonly code: string
    readonly address: string
    readonly expires: Date
    readonly link: string | undefined
  },
): Promise<EmailCode> {
  const id = randomBase64Url()
  const code = normalizeCode(generated)
  const [secret = ''] = listSecrets(ctx, provider)
  return {
    id,
    tries: randomBase64Url(),
    digest: await computeDigest(code, { id, address }, secret),
    expires: expires.getTime(),
    digits: /^\d+$/.test(code) ? code.length : null,
    ...(link !== undefined && { link }),
  }
}

/** Sets the transaction cookie of a code: without it, the code is not valid. */
export async function rememberCode(
  ctx: Context,
  provider: EmailProvider,
  {
    address,
    emailCode,
    returnTo,
    stepUp,
    keepSignedIn,
    expires,
  }: Pick<PendingCode, 'address' | 'emailCode' | 'returnTo' | 'stepUp' | 'keepSignedIn'> & {
    readonly expires: Date
  },
): Promise<void> {
  const { from, ...key } = codeTransactionKey(provider)
  const maxAge = Math.ceil((expires.getTime() - Date.now()) / 1000)
  const transaction = { ...key, address, emailCode, returnTo, stepUp, keepSignedIn }
  await createTransaction(ctx, transaction, { from, maxAge })
}

/** A transaction of this browser with a code. */
export interface PendingCode extends Transaction {
  readonly address: string
  readonly emailCode: EmailCode
}

export async function readPendingCode(
  ctx: Context,
  provider: EmailProvider,
  after: 'keep' | 'delete' = 'keep',
): Promise<PendingCode | null> {
  const transaction = await readTransaction(ctx, codeTransactionKey(provider), after)
  const { address, emailCode } = transaction ?? {}
  if (!transaction || address === undefined || !emailCode) return null
  return { ...transaction, address, emailCode }
}

/** Whether the text has the form of the code; other input does not count as a try. */
export function isCodeLike(code: string, { digits }: EmailCode): boolean {
  return digits === null
    ? code !== '' && code.length < MAX_LENGTH
    : new RegExp(`^\\d{${digits}}$`).test(code)
}

/** Compares with all secrets, so that the time does not depend on which of them matches. */
export async function isCorrectCode(
  ctx: Context,
  provider: EmailProvider,
  { code, address, pending }: { code: string; address: string; pending: EmailCode },
): Promise<boolean> {
  let isEqual = false
  for (const secret of listSecrets(ctx, provider)) {
    const digest = await computeDigest(code, { id: pending.id, address }, secret)
    isEqual = equalText(digest, pending.digest) || isEqual
  }
  return isEqual
}
