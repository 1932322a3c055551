/** Sends magic links and codes. Only hashes are stored: read access to the database is not enough to sign in. */
import { readKeepSignedIn } from '../../checks/keep-signed-in.ts'
import { REMEMBER } from '../../http/call-options.ts'
import type { KeptChoice } from '../../checks/keep-signed-in.ts'
import { redirectUrl, resolveReturnUrl } from '../../checks/return-to.ts'
import type { EmailCode } from '../../checks/transaction.ts'
import type { Context, Reply } from '../../contracts.ts'
import type { StepUp } from '../../evidence.ts'
import { runSignInCallback } from '../../hooks.ts'
import { consumeMailboxLimit } from '../../limits/mailbox.ts'
import { recordLimited, refundOutage } from '../../limits/consume.ts'
import { normalizedAddress } from './address.ts'
import { CODE_MAX_AGE, createCode, readPendingCode, rememberCode, tryKey } from './code.ts'
import { addressEvidence, linkKeys, rememberLink } from './link.ts'
import type { EmailProvider, LinkKey } from './link.ts'
import { generateSecrets, sendMail } from './mail.ts'
import type { MailSecrets } from './mail.ts'
import { retireOlderLinks } from './open-links.ts'

/** Seconds for which a link is valid: 1 day. */
const MAX_AGE: number = 24 * 60 * 60

function computeExpiry({ config }: EmailProvider, { code }: MailSecrets): Date {
  const maxAge =
    code === null
      ? (config.maxAge ?? MAX_AGE)
      : Math.min(config.maxAge ?? CODE_MAX_AGE, CODE_MAX_AGE)
  return new Date(Date.now() + maxAge * 1000)
}

/** The secrets of a mail, and what is stored of them. */
interface PreparedMail {
  readonly secrets: MailSecrets
  readonly expires: Date
  readonly link: LinkKey | null
  readonly code: EmailCode | null
}

async function prepareMail(
  ctx: Context,
  provider: EmailProvider,
  address: string,
): Promise<PreparedMail> {
  const secrets = await generateSecrets(ctx, provider)
  const expires = computeExpiry(provider, secrets)
  const { link: token, code: digits } = secrets
  const keys = token === null ? [] : await linkKeys(ctx, provider, { address, token })
  const [link = null] = keys
  const code =
    digits === null
      ? null
      : await createCode(ctx, provider, { code: digits, address, expires, link: link?.token })
  return { secrets, expires, link, code }
}

interface RequestedMail extends KeptChoice {
  readonly address: string
  readonly returnTo: string
  /** Base URL of the routes. */
  readonly base: string
  readonly stepUp: StepUp | undefined
  /** The response after the mail was sent. */
  readonly reply: Reply
}

/** Sets the transaction cookies of a mail. */
async function rememberMail(
  ctx: Context,
  provider: EmailProvider,
  { address, returnTo, stepUp, keepSignedIn }: RequestedMail,
  { expires, link, code }: Omit<PreparedMail, 'secrets'>,
): Promise<void> {
  const mail = { address, returnTo, stepUp, keepSignedIn, expires }
  if (link) await rememberLink(ctx, provider, { ...mail, ...link })
  if (code) await rememberCode(ctx, provider, { ...mail, emailCode: code })
}

/** Sets the same cookies as for a mail that was sent. An earlier code for the address can still be entered. */
async function pretendToSend(
  ctx: Context,
  provider: EmailProvider,
  requested: RequestedMail,
): Promise<Reply> {
  const { address, reply } = requested
  const prepared = await prepareMail(ctx, provider, address)
  const { code } = prepared
  const earlier = await readPendingCode(ctx, provider)
  const isKept = code && earlier?.address === address
  // The browser has the tries of a new code; the rows of the earlier code limit how many of them can succeed.
  const kept = isKept ? { ...earlier.emailCode, tries: code.tries } : code
  await rememberMail(ctx, provider, requested, { ...prepared, code: kept })
  return reply
}

async function sendSecrets(
  ctx: Context,
  provider: EmailProvider,
  requested: RequestedMail,
): Promise<Reply> {
  const { address, returnTo, base, reply, keepSignedIn } = requested
  const { id } = provider
  const { user, account } = await ctx.config.matchUser(ctx, addressEvidence(id, address, returnTo))
  const email = { verificationRequest: true } as const
  const answer = await runSignInCallback(ctx, { user, account, email })
  if (answer !== true) {
    const redirect = await redirectUrl(ctx, answer)
    // The application does not show for which addresses it sends mails.
    if (redirect === reply.redirect) return pretendToSend(ctx, provider, requested)
    return { status: 302, redirect }
  }
  const prepared = await prepareMail(ctx, provider, address)
  const { secrets, expires, link, code } = prepared
  const rows = [...(link ? [link] : []), ...(code ? [await tryKey(address, code, 0)] : [])]
  for (const row of rows)
    await provider.database.call(ctx, 'createVerificationToken', { ...row, expires })
  const token = secrets.link ?? secrets.code
  const query = new URLSearchParams({ callbackUrl: returnTo, token, email: address })
  // For a browser without the transaction cookie.
  if (keepSignedIn !== undefined) query.set(REMEMBER, String(keepSignedIn))
  const url = `${base}/callback/${id}?${query}`
  const sent = { identifier: address, url, expires, token }
  const { code: digits } = secrets
  await sendMail(ctx, provider, digits === null ? sent : { ...sent, code: digits }, rows)
  if (link) ctx.config.log.debug?.('magic link sent', { provider: id })
  else ctx.config.log.debug?.('e-mail code sent', { provider: id })
  if (link && ctx.config.protection) await retireOlderLinks(ctx, provider, { ...link, expires })
  await rememberMail(ctx, provider, requested, prepared)
  return reply
}

/** Responds identically for existing and unknown addresses, to prevent user enumeration. */
export async function begin(
  ctx: Context,
  provider: EmailProvider,
  stepUp?: StepUp,
): Promise<Reply> {
  const { id } = provider
  const address = await normalizedAddress(ctx, provider)
  const returnTo = await resolveReturnUrl(ctx)
  const base = `${ctx.origin}${ctx.config.basePath}`
  const reply = { status: 302, redirect: `${base}/verify-request?provider=${id}&type=email` }
  const keepSignedIn = readKeepSignedIn(ctx)
  const requested = { address, returnTo, base, reply, stepUp, keepSignedIn }
  const charged = await consumeMailboxLimit(ctx, 'mail', { address })
  // As for a mail that was sent: the response must not show for which addresses others request mails.
  if (charged.error) {
    await recordLimited(ctx, charged.error)
    return pretendToSend(ctx, provider, requested)
  }
  return refundOutage(charged, () => sendSecrets(ctx, provider, requested))
}
