/** Mails about passwords: the response is the same for each address, and when no more mails are sent to it. */
import { setSealedCookie } from '../checks/sealed-cookie.ts'
import type { Reply } from '../contracts.ts'
import { EmailSignInError } from '../errors/classes.ts'
import { parseAddress } from '../identity/mail-address.ts'
import { recordLimited, refundOutage } from '../limits/consume.ts'
import { consumeMailboxLimit } from '../limits/mailbox.ts'
import { noteIdentifier } from '../log/identifier.ts'
import type { PasswordContext } from './password-context.ts'

export function sentUrl({ origin, config }: PasswordContext, about: 'forgot' | 'sign-up'): string {
  return `${origin}${config.basePath}/password/sent?about=${about}`
}

/** @throws EmailSignInError `invalid_address` */
export function readAddress(ctx: PasswordContext): string {
  const { email } = ctx.request.body
  const address = typeof email === 'string' ? parseAddress(email) : null
  if (address === null)
    throw new EmailSignInError('The e-mail address does not have the form name@example.com.', {
      code: 'invalid_address',
    })
  ctx.secrets.add(address)
  noteIdentifier(ctx, address)
  return address
}

interface LimitedMail {
  readonly address: string
  readonly redirect: string
  readonly send: () => Promise<void>
  /** What it does instead if no more mails are sent to the address. */
  readonly pretend?: () => Promise<void>
}

/** @throws ChallengeRequired */
export async function sendLimited(
  ctx: PasswordContext,
  { address, redirect, send, pretend }: LimitedMail,
): Promise<Reply> {
  if (ctx.request.form !== undefined && !ctx.request.isServerCall)
    await setSealedCookie(ctx, 'form', { form: 'password', values: { email: address } })
  const charged = await consumeMailboxLimit(ctx, 'mail', { address })
  if (charged.error) {
    await recordLimited(ctx, charged.error)
    await pretend?.()
  } else await refundOutage(charged, send)
  return { status: 302, redirect }
}
