/** Sends the mails of the account functions. */
import { TIMEOUTS, unavailable, withTimeout } from '../async/timeout.ts'
import { runsInDevelopment } from '../config/variables.ts'
import type { AuditContext, SessionContext } from '../contracts.ts'
import type { AdapterUser } from '../database/adapter.ts'
import {
  AccountMailError,
  InvalidConfiguration,
  TemporarilyUnavailable,
} from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import { consumeLimit } from '../limits/consume.ts'
import type { AccountMail, AccountMailFacts, AccountNotice } from './account-mail.ts'
import { accountMail } from './content.ts'
import { isOneMailbox } from './one-mailbox.ts'

export type MailContext = AuditContext & SessionContext

const HOW =
  'Set account: { send }, a function that sends { to, subject, text, html }, or account: {} and a provider of type email of this package, such as Nodemailer or Resend.'

type Deliver = (mail: AccountMail) => Promise<void>

function findTransport(ctx: MailContext): Deliver | null {
  const { deliver = null } = ctx.config.account ?? {}
  return deliver && ((mail) => deliver(ctx.origin, mail))
}

/** @throws InvalidConfiguration if nothing sends mails; `caller` is the function that needs it */
export function requireTransport(ctx: MailContext, caller: string): void {
  if (!ctx.config.account)
    throw new InvalidConfiguration(`${caller} needs the option account, and e-mails. ${HOW}`)
  if (!findTransport(ctx))
    throw new InvalidConfiguration(`${caller} sends e-mails, and nothing sends them. ${HOW}`)
}

async function deliverMail(
  ctx: MailContext,
  deliver: Deliver,
  facts: AccountMailFacts,
): Promise<void> {
  if (!isOneMailbox(facts.to))
    throw new AccountMailError('The recipient of a mail is not a single plain address.')
  const { theme } = ctx.config
  const host = ctx.origin === '' ? '' : new URL(ctx.origin).host
  const mail = accountMail(facts, { theme, host })
  ctx.secrets.add([mail.url, mail.to, mail.text, mail.html])
  ctx.secrets.addKeysOf({ user: mail.user })
  try {
    await callHook(ctx, {
      what: 'account.send',
      run: () => deliver(mail),
      timeout: TIMEOUTS.mail,
    })
  } catch (cause) {
    if (cause instanceof TemporarilyUnavailable) {
      // The mail may still arrive, so its link stays valid.
      ctx.config.log.error(
        new AccountMailError('A mail took too long to send; it may still arrive.', { cause }),
      )
      return
    }
    throw new AccountMailError(`The mail of kind ${mail.kind} was not sent.`, { cause })
  }
}

/**
 * Sends a mail, in the texts of `theme.messages`. The caller charges the limit `mail`: see `consumeMailboxLimit`.
 *
 * @throws AccountMailError if it was not sent
 * @throws InvalidConfiguration if nothing sends mails
 */
export async function sendAccountMail(ctx: MailContext, facts: AccountMailFacts): Promise<void> {
  const deliver = findTransport(ctx)
  if (!deliver)
    throw new InvalidConfiguration(`A mail of kind ${facts.kind} has to be sent. ${HOW}`)
  await deliverMail(ctx, deliver, facts)
}

/** What else a notice contains. */
export interface NoticeOptions {
  /** The recipient. @default the address of the user */
  readonly to?: string | undefined
  /** A link that undoes the change. */
  readonly undo?: { readonly url: string; readonly expires: Date } | undefined
}

async function sendNotice(
  ctx: MailContext,
  deliver: Deliver,
  facts: AccountMailFacts,
): Promise<void> {
  const { error } = await consumeLimit(ctx, 'notice', { owner: facts.user?.id ?? facts.to })
  if (!error) return deliverMail(ctx, deliver, facts)
  ctx.config.log.error(error)
  await ctx.config.audit?.record(ctx, {
    type: 'attempt.limited',
    outcome: 'denied',
    reason: error.type,
    limit: 'notice',
    actor: { kind: 'application' },
    ...(facts.user && { target: { kind: 'user', id: facts.user.id } }),
  })
}

async function reportUnsent(ctx: MailContext, { id }: AdapterUser, cause: unknown): Promise<void> {
  const error =
    cause instanceof AccountMailError
      ? cause
      : new AccountMailError('A notice was not sent.', { cause })
  ctx.config.log.error(error)
  await ctx.config.audit?.record(ctx, {
    type: 'mail.failed',
    outcome: 'failure',
    reason: error.type,
    actor: { kind: 'application' },
    target: { kind: 'user', id },
  })
}

/**
 * Sends a notice to a user if the option `account` is set. Never throws, and waits for at most two seconds: the change
 * that it reports has been made.
 */
export async function notify(
  ctx: MailContext,
  user: AdapterUser,
  notice: AccountNotice,
  { to = user.email, undo }: NoticeOptions = {},
): Promise<void> {
  const { account, log } = ctx.config
  if (!account || !to) return
  const deliver = findTransport(ctx)
  if (!deliver) {
    if (runsInDevelopment())
      log.warnOnce(
        'no-account-mail',
        `Users are not notified of changes of their account, because nothing sends e-mails. ${HOW}`,
      )
    return
  }
  const sent = sendNotice(ctx, deliver, { kind: 'notice', to, user, notice, ...undo }).catch(
    (cause: unknown) => reportUnsent(ctx, user, cause),
  )
  const limits = { what: 'A notice', timeout: TIMEOUTS.notice, timeoutError: unavailable }
  try {
    await withTimeout(sent, limits)
  } catch {
    log.debug?.('notice not sent yet', { change: notice.change })
  }
}
