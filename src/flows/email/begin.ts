/** Sends magic links and codes. Only hashes are stored: read access to the database is not enough to sign in. */
import { redirectUrl, resolveReturnUrl } from '../../checks/return-to.ts'
import type { EmailCode } from '../../checks/transaction.ts'
import type { Context, Reply } from '../../contracts.ts'
import { runSignInCallback } from '../../hooks.ts'
import { recordLimited, refundOutage, takeLimit } from '../../limits/take.ts'
import { normalizedAddress } from './address.ts'
import { CODE_MAX_AGE, createCode, rememberCode, tryKey } from './code.ts'
import { evidenceFor, linkKeys, rememberLink } from './link.ts'
import type { EmailProvider, LinkKey } from './link.ts'
import { generateSecrets, sendMail } from './mail.ts'
import type { MailSecrets } from './mail.ts'
import { retireOlderLinks } from './open-links.ts'

/** Seconds for which a link is valid: 1 day. */
const MAX_AGE: number = 24 * 60 * 60

function expiryOf({ config }: EmailProvider, { code }: MailSecrets): Date {
  const maxAge =
    code === null
      ? (config.maxAge ?? MAX_AGE)
      : Math.min(config.maxAge ?? CODE_MAX_AGE, CODE_MAX_AGE)
  return new Date(Date.now() + maxAge * 1000)
}

/** Stores the hashes of what the mail contains, before it is sent. */
async function storeSecrets(
  ctx: Context,
  provider: EmailProvider,
  { address, expires, secrets }: { address: string; expires: Date; secrets: MailSecrets },
): Promise<{ link: LinkKey | null; code: EmailCode | null; rows: readonly LinkKey[] }> {
  const keys =
    secrets.link === null ? [] : await linkKeys(ctx, provider, { address, token: secrets.link })
  const [link = null] = keys
  const code =
    secrets.code === null
      ? null
      : await createCode(ctx, provider, { code: secrets.code, address, expires, link: link?.token })
  const rows = [...(link ? [link] : []), ...(code ? [await tryKey(address, code, 0)] : [])]
  for (const row of rows)
    await provider.database.call(ctx, 'createVerificationToken', { ...row, expires })
  return { link, code, rows }
}

interface WantedMail {
  readonly address: string
  readonly returnTo: string
  /** Of the routes. */
  readonly base: string
  /** To return after the mail was sent. */
  readonly reply: Reply
}

async function sendSecrets(
  ctx: Context,
  provider: EmailProvider,
  { address, returnTo, base, reply }: WantedMail,
): Promise<Reply> {
  const { id } = provider
  const { user, account } = await ctx.config.matchUser(ctx, evidenceFor(id, address, returnTo))
  const email = { verificationRequest: true } as const
  const answer = await runSignInCallback(ctx, { user, account, email })
  if (answer !== true) return { status: 302, redirect: await redirectUrl(ctx, answer) }
  const secrets = await generateSecrets(ctx, provider)
  const expires = expiryOf(provider, secrets)
  const { link, code, rows } = await storeSecrets(ctx, provider, { address, expires, secrets })
  const token = secrets.link ?? secrets.code
  const query = new URLSearchParams({ callbackUrl: returnTo, token, email: address })
  const url = `${base}/callback/${id}?${query}`
  const sent = { identifier: address, url, expires, token }
  const { code: digits } = secrets
  await sendMail(ctx, provider, digits === null ? sent : { ...sent, code: digits }, rows)
  if (link) ctx.config.log.debug?.('magic link sent', { provider: id })
  else ctx.config.log.debug?.('e-mail code sent', { provider: id })
  if (link && ctx.config.protection) await retireOlderLinks(ctx, provider, { ...link, expires })
  if (link) await rememberLink(ctx, provider, { ...link, expires, returnTo })
  if (code) await rememberCode(ctx, provider, { address, emailCode: code, returnTo })
  return reply
}

/** Responds identically for existing and unknown addresses, to prevent user enumeration. */
export async function begin(ctx: Context, provider: EmailProvider): Promise<Reply> {
  const { id } = provider
  const address = await normalizedAddress(ctx, provider)
  const returnTo = await resolveReturnUrl(ctx)
  const base = `${ctx.origin}${ctx.config.basePath}`
  const reply = { status: 302, redirect: `${base}/verify-request?provider=${id}&type=email` }
  const charged = await takeLimit(ctx, 'mail', { recipient: address })
  // As for a mail that was sent: the response must not show for which addresses others request mails.
  if (!charged.allowed) {
    await recordLimited(ctx, charged)
    return reply
  }
  const wanted = { address, returnTo, base, reply }
  return refundOutage(charged, () => sendSecrets(ctx, provider, wanted))
}
