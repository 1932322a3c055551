/** Limits on e-mails and codes: a browser that has signed in with a mailbox has its own. */
import type { Context } from '../contracts.ts'
import {
  isKnownFor,
  isRemembering,
  mailboxText,
  readKnownBrowser,
  rememberBrowser,
} from './device.ts'
import { takeLimit } from './consume.ts'
import type { Charge, ChargeOptions } from './consume.ts'

interface MailboxAttempt extends ChargeOptions {
  readonly address: string
  /** Of a code. */
  readonly transaction?: string
}

/** What an attempt of the address is charged against, in unknown browsers and in known ones. */
const KINDS = {
  mail: { subject: 'recipient', known: 'mail.known' },
  code: { subject: 'user', known: 'code.known' },
} as const

/** Charges an e-mail to the address, or a try of a code that was sent to it. @throws ChallengeRequired */
export async function takeMailboxLimit(
  ctx: Context,
  kind: keyof typeof KINDS,
  { address, ...rest }: MailboxAttempt,
): Promise<Charge> {
  const { subject, known } = KINDS[kind]
  const values = { ...rest, [subject]: address }
  const browser = isRemembering(ctx) ? await readKnownBrowser(ctx) : null
  if (!browser || !(await isKnownFor(ctx, browser, mailboxText(address))))
    return takeLimit(ctx, kind, values)
  return takeLimit(ctx, known, { ...values, device: browser.id })
}

/** Remembers that this browser has signed in with a link or a code for the address. */
export async function rememberMailbox(
  ctx: Context,
  address: string,
  userId: string | undefined,
): Promise<void> {
  if (!isRemembering(ctx)) return
  const browser = await readKnownBrowser(ctx)
  const text = mailboxText(address)
  const wasKnown = browser !== null && (await isKnownFor(ctx, browser, text))
  await rememberBrowser(ctx, { text, userId, browser, wasKnown })
}
