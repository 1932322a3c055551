/** Signs in with a code that was sent by e-mail. */
import type { VerificationToken } from '../../database/adapter.ts'
import {
  deleteSealedCookie,
  readResumeCookie,
  setResumeCookie,
} from '../../checks/sealed-cookie.ts'
import { isForeign } from '../../checks/source.ts'
import { findUsed, markUnused, markUsed } from '../../checks/transaction.ts'
import type { Context, Evidence, Reply } from '../../contracts.ts'
import { AdapterError, InvalidRequest, Verification } from '../../errors/classes.ts'
import { builtInPageUrl } from '../../http/path.ts'
import { rememberMailbox, consumeMailboxLimit } from '../../limits/mailbox.ts'
import { refundOutage, rejectLimited } from '../../limits/consume.ts'
import { mailboxText } from '../../limits/known-browser.ts'
import { noteIdentifier } from '../../log/identifier.ts'
import {
  CODE_MAX_AGE,
  isCorrectCode,
  isCodeLike,
  isGuessable,
  MAX_TRIES,
  normalizeCode,
  readPendingCode,
  rememberCode,
  tryKey,
} from './code.ts'
import type { PendingCode } from './code.ts'
import { addressEvidence } from './link.ts'
import type { EmailProvider } from './link.ts'

export interface EnteredCode {
  readonly code: string
  /** Only in a link of an application whose tokens are short. */
  readonly address?: string
}

/** The code of the form, or of a link whose token is a code; `null` for a magic link. */
export function parseCode({ request, secrets }: Context): EnteredCode | null {
  const { method, body, url } = request
  const isForm = method === 'POST'
  const fields: Readonly<Record<string, unknown>> = isForm
    ? body
    : Object.fromEntries(url.searchParams)
  const { code, token, email: address } = fields
  if (isForm && code !== undefined) {
    if (typeof code !== 'string') throw new InvalidRequest('The field "code" is not a string.')
    secrets.add(code)
    return { code }
  }
  const isLink = typeof token === 'string' && typeof address === 'string'
  return isLink && token && isGuessable(token) ? { code: token, address } : null
}

/** One response for every reason: wrong or expired code, other browser, unknown address. */
function reject(ctx: Context, provider: EmailProvider, reason: string): never {
  ctx.config.log.debug?.('e-mail code rejected', { provider: provider.id, reason })
  throw new Verification('The code is wrong or has expired, or was requested in another browser.', {
    code: 'invalid_code',
  })
}

interface Try {
  /** Counted from 0. */
  readonly at: number
  readonly row: VerificationToken
}

/** Deletes the row that one more attempt needs; `null` if there is none, or a concurrent request has deleted it. */
async function useTry(
  ctx: Context,
  { database }: EmailProvider,
  { address, emailCode }: PendingCode,
): Promise<Try | null> {
  for (let at = 0; at < MAX_TRIES; at++) {
    const key = await tryKey(address, emailCode, at)
    const found = await database.call(ctx, 'useVerificationToken', key)
    if (found) return { at, row: { ...key, expires: found.expires } }
  }
  return null
}

/** The row with which the code was stored. */
async function firstRow({ address, emailCode }: PendingCode): Promise<VerificationToken> {
  return { ...(await tryKey(address, emailCode, 0)), expires: new Date(emailCode.expires) }
}

/** Allows another try, in any browser with the cookie. */
async function allowNextTry(
  ctx: Context,
  provider: EmailProvider,
  { address, emailCode }: PendingCode,
  { at, row: { expires } }: Try,
): Promise<void> {
  if (at + 1 >= MAX_TRIES) return
  const row = { ...(await tryKey(address, emailCode, at + 1)), expires }
  await provider.database.call(ctx, 'createVerificationToken', row)
}

/** Names a code that was right, did not sign in, and could not be stored again. */
function resumeName({ id }: EmailProvider, { address, emailCode }: PendingCode): readonly string[] {
  return ['code', id, address, emailCode.digest]
}

/** A resume cookie replaces the rows, and not the code. */
async function isResumable(
  ctx: Context,
  provider: EmailProvider,
  pending: PendingCode,
): Promise<boolean> {
  if (findUsed(pending.emailCode.digest)) return false
  return (await readResumeCookie(ctx, resumeName(provider, pending))) !== null
}

/** Makes a code that was right valid again in this browser, without the database if that fails. */
async function restore(
  ctx: Context,
  provider: EmailProvider,
  { pending, rows }: { readonly pending: PendingCode; readonly rows: readonly VerificationToken[] },
): Promise<void> {
  const { address, emailCode, returnTo, stepUp, keepSignedIn } = pending
  markUnused(emailCode.digest)
  try {
    for (const row of rows) await provider.database.call(ctx, 'createVerificationToken', row)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
    await setResumeCookie(ctx, resumeName(provider, pending), String(emailCode.expires))
  }
  const expires = new Date(emailCode.expires)
  await rememberCode(ctx, provider, { address, emailCode, returnTo, stepUp, keepSignedIn, expires })
}

async function redeem(
  ctx: Context,
  provider: EmailProvider,
  pending: PendingCode,
  { used, isResumed }: { readonly used: VerificationToken; readonly isResumed: boolean },
): Promise<Evidence> {
  const { address, returnTo, stepUp, keepSignedIn, emailCode } = pending
  const { link } = emailCode
  const rows = [used]
  if (link !== undefined) {
    const key = { identifier: address, token: link }
    try {
      const row = await provider.database.call(ctx, 'useVerificationToken', key)
      if (!row && !isResumed) return reject(ctx, provider, 'the link was used')
      rows.push({ ...key, expires: used.expires })
    } catch (error) {
      if (error instanceof AdapterError) {
        await restore(ctx, provider, { pending, rows })
        // The row of the link may be deleted.
        await setResumeCookie(ctx, resumeName(provider, pending), String(emailCode.expires))
      }
      throw error
    }
  }
  await readPendingCode(ctx, provider, 'delete')
  deleteSealedCookie(ctx, 'resume')
  markUsed(emailCode.digest, returnTo)
  ctx.config.log.debug?.('e-mail code redeemed', { provider: provider.id })
  return {
    ...addressEvidence(provider.id, address, returnTo),
    stepUp,
    keepSignedIn,
    typed: mailboxText(address),
    remember: (userId, subjectId) => rememberMailbox(ctx, address, { userId, subjectId }),
    restore: () => restore(ctx, provider, { pending, rows }),
  }
}

/** Redeems a code: of concurrent requests with the same cookie, one has a try. */
export async function completeCode(
  ctx: Context,
  provider: EmailProvider,
  entered: EnteredCode,
): Promise<Evidence | Reply> {
  const { request, origin } = ctx
  // A page of another site could use up the tries.
  if (request.method === 'GET' && isForeign(request.headers, origin)) {
    const page = builtInPageUrl('verifyRequest', ctx)
    page.search = `provider=${provider.id}&type=email`
    return { status: 302, redirect: page.href }
  }
  const pending = await readPendingCode(ctx, provider)
  const code = normalizeCode(entered.code)
  if (!pending) return reject(ctx, provider, 'no transaction cookie')
  const { address, emailCode } = pending
  noteIdentifier(ctx, address)
  if (entered.address !== undefined && entered.address !== address)
    return reject(ctx, provider, 'another address')
  if (!isCodeLike(code, emailCode)) return reject(ctx, provider, 'another form')
  // Before the code is compared, so that the response does not show whether it is right.
  const transaction = emailCode.tries ?? emailCode.id
  const attempt = { address, transaction, lifetime: CODE_MAX_AGE }
  const charged = rejectLimited(await consumeMailboxLimit(ctx, 'code', attempt))
  const isResumed = await isResumable(ctx, provider, pending)
  const used = await refundOutage(charged, () => useTry(ctx, provider, pending))
  /** After the last try, the browser needs another code, also if this one was not sent. */
  async function rejectTry(reason: string): Promise<never> {
    const tries = charged.tries ?? (used?.at ?? -1) + 1
    if (tries >= MAX_TRIES) await readPendingCode(ctx, provider, 'delete')
    return reject(ctx, provider, reason)
  }
  if (!used && !isResumed) return rejectTry('used, or tried at the same time')
  const row = used?.row ?? (await firstRow(pending))
  if (row.expires.getTime() <= Date.now()) return rejectTry('expired')
  if (!(await isCorrectCode(ctx, provider, { code, address, pending: emailCode }))) {
    if (used) await allowNextTry(ctx, provider, pending, used)
    return rejectTry('wrong')
  }
  await charged.refund()
  return redeem(ctx, provider, pending, { used: row, isResumed })
}
