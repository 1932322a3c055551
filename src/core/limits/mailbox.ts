/** Limits on e-mails and codes: a browser that has signed in with a mailbox has its own. */
import type { Context } from '../contracts.ts'
import { consumeLimit } from './consume.ts'
import type { Charge, ChargeOptions } from './consume.ts'
import { findBrowser, isRemembering, mailboxText, rememberBrowser } from './known-browser.ts'
import type { Remembered } from './known-browser.ts'

interface MailboxAttempt extends ChargeOptions {
  readonly address: string
  /** Of a code. */
  readonly transaction?: string
}

/** Charges an e-mail to the address, or a try of a code that was sent to it. @throws ChallengeRequired */
export async function consumeMailboxLimit(
  ctx: Context,
  kind: 'mail' | 'code',
  { address, ...rest }: MailboxAttempt,
): Promise<Charge> {
  const values = { ...rest, [kind === 'mail' ? 'recipient' : 'user']: address }
  const { device } = await findBrowser(ctx, [mailboxText(address)])
  return device === null
    ? consumeLimit(ctx, kind, values)
    : consumeLimit(ctx, `${kind}.known`, { ...values, device })
}

/** Remembers that this browser has signed in with a link or a code for the address. */
export async function rememberMailbox(
  ctx: Context,
  address: string,
  ids: Pick<Remembered, 'userId' | 'subjectId'>,
): Promise<void> {
  if (!isRemembering(ctx)) return
  const text = mailboxText(address)
  await rememberBrowser(ctx, { text, ...ids, ...(await findBrowser(ctx, [text])) })
}
