/** Signs in with a magic link or a code. */
import type { VerificationToken } from '../../database/adapter.ts'
import { issueCsrfToken } from '../../checks/csrf.ts'
import { linkedChoice } from '../../checks/keep-signed-in.ts'
import { REMEMBER } from '../../http/call-options.ts'
import { resolveReturnUrl } from '../../checks/return-to.ts'
import {
  deleteSealedCookie,
  readResumeCookie,
  setResumeCookie,
} from '../../checks/sealed-cookie.ts'
import { findUsed, markUnused, markUsed, readTransaction } from '../../checks/transaction.ts'
import type { Context, Evidence, Reply } from '../../contracts.ts'
import { AdapterError, Verification } from '../../errors/classes.ts'
import { mailboxText } from '../../limits/known-browser.ts'
import { rememberMailbox } from '../../limits/mailbox.ts'
import { limitFailures } from '../../limits/consume.ts'
import { noteIdentifier } from '../../log/identifier.ts'
import { describeSite } from '../../pages/layout.ts'
import { confirmPage } from '../../pages/message-pages.ts'
import { parseAddress } from '../../identity/mail-address.ts'
import { completeCode, parseCode } from './complete-code.ts'
import { addressEvidence, linkKeys, rememberLink, transactionKey } from './link.ts'
import type { EmailProvider, LinkKey } from './link.ts'

/** Milliseconds for which the same browser can reuse a link after the database response was lost. */
const RESUME_MAX_AGE: number = 10 * 60_000

function parseLink({ request }: Context) {
  const { method, body, url } = request
  const query = Object.fromEntries(url.searchParams)
  const { token, email }: Readonly<Record<string, unknown>> = method === 'POST' ? body : query
  if (typeof token === 'string' && token && typeof email === 'string' && email)
    return { token, address: email }
  throw new Verification('The magic link has no token or no e-mail address.')
}

/** Asks first: mail scanners open every link, and an attacker may send their own link to a victim (login CSRF). */
async function askForConfirmation(
  ctx: Context,
  id: string,
  { token, address: email }: ReturnType<typeof parseLink>,
): Promise<Reply> {
  const { origin, config } = ctx
  const csrfToken = await issueCsrfToken(ctx)
  const content = {
    ...describeSite(ctx),
    action: `${origin}${config.basePath}/callback/${id}`,
    hidden: {
      csrfToken,
      token,
      email,
      callbackUrl: await resolveReturnUrl(ctx),
      // As sent, because the browser that requested the link has made the choice.
      [REMEMBER]: ctx.request.url.searchParams.get(REMEMBER),
    },
    // The address comes from the link, so an attacker can put any text there.
    address: parseAddress(email),
    homeUrl: origin,
  }
  // `no-referrer` would make browsers send `Origin: null` with the form; `strict-origin` also hides the token.
  const headers = { 'referrer-policy': 'strict-origin' }
  return { status: 200, html: confirmPage(content), headers }
}

/** Names a link that was deleted without a sign-in and could not be stored again. */
function resumeName({ id }: EmailProvider, { identifier, token }: LinkKey): readonly string[] {
  return ['link', id, identifier, token]
}

async function hasRequested(ctx: Context, provider: EmailProvider, key: LinkKey): Promise<boolean> {
  const transaction = await readTransaction(ctx, transactionKey(provider, key))
  return transaction?.address === key.identifier
}

/** If the response is lost, the row may be gone: the browser that requested the link gets a resume cookie. */
async function useRow(
  ctx: Context,
  provider: EmailProvider,
  key: LinkKey,
): Promise<VerificationToken | null> {
  try {
    return await provider.database.call(ctx, 'useVerificationToken', key)
  } catch (error) {
    if ((await hasRequested(ctx, provider, key)) && !findUsed(key.token))
      await setResumeCookie(ctx, resumeName(provider, key), String(Date.now() + RESUME_MAX_AGE))
    throw error
  }
}

/** Returns the link that is stored in the database or, after a failure, in a resume cookie. */
async function useLink(
  ctx: Context,
  provider: EmailProvider,
  keys: readonly LinkKey[],
): Promise<VerificationToken> {
  for (const key of keys) {
    const resumable = await readResumeCookie(ctx, resumeName(provider, key))
    const row = await useRow(ctx, provider, key)
    const isResumed = resumable !== null && !findUsed(key.token)
    const expires = isResumed ? new Date(Number(resumable)) : row?.expires
    if (expires && expires.getTime() > Date.now()) return { ...key, expires }
    if (expires) throw new Verification('The magic link has expired.')
  }
  throw new Verification('The magic link is unknown or was already used.')
}

/** Redeems the link or code: one of several concurrent requests succeeds. */
export async function complete(ctx: Context, provider: EmailProvider): Promise<Evidence | Reply> {
  const work = async () => {
    const entered = parseCode(ctx)
    return entered ? completeCode(ctx, provider, entered) : completeLink(ctx, provider)
  }
  // Other sites can cause GET requests, which sign in only with a transaction cookie of the same link or code.
  return ctx.request.method === 'POST' ? limitFailures(ctx, 'callback', work) : work()
}

async function completeLink(ctx: Context, provider: EmailProvider): Promise<Evidence | Reply> {
  const parts = parseLink(ctx)
  noteIdentifier(ctx, parts.address)
  const keys = await linkKeys(ctx, provider, parts)
  let isConfirmed = ctx.request.method === 'POST'
  for (const key of keys) isConfirmed ||= await hasRequested(ctx, provider, key)
  if (!isConfirmed) return askForConfirmation(ctx, provider.id, parts)
  const returnTo = await resolveReturnUrl(ctx)
  const link = await useLink(ctx, provider, keys)
  const transaction = await readTransaction(ctx, transactionKey(provider, link), 'delete')
  const keepSignedIn = transaction?.keepSignedIn ?? linkedChoice(ctx)
  deleteSealedCookie(ctx, 'resume')
  markUsed(link.token, returnTo)
  ctx.config.log.debug?.('magic link redeemed', { provider: provider.id })
  async function restore(): Promise<void> {
    markUnused(link.token)
    try {
      await provider.database.call(ctx, 'createVerificationToken', link)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.error(error)
      await setResumeCookie(ctx, resumeName(provider, link), String(link.expires.getTime()))
    }
    if (transaction)
      await rememberLink(ctx, provider, {
        ...link,
        returnTo,
        stepUp: transaction.stepUp,
        keepSignedIn,
      })
  }
  const evidence = addressEvidence(provider.id, parts.address, returnTo)
  const remember: Evidence['remember'] = (userId, subjectId) =>
    rememberMailbox(ctx, parts.address, { userId, subjectId })
  const typed = mailboxText(parts.address)
  return { ...evidence, stepUp: transaction?.stepUp, keepSignedIn, typed, remember, restore }
}
