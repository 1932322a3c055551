/** Requests a change of the e-mail address: nothing changes until the mailboxes have confirmed it. */
import { randomBase64Url } from '../crypto/digest.ts'
import { InvalidRequest, MissingAdapterMethods } from '../errors/classes.ts'
import { isSameAddress } from '../identity/case-folding.ts'
import { parseAddress } from '../identity/mail-address.ts'
import { consumeLimit, recordLimited, rejectLimited } from '../limits/consume.ts'
import { requireTransport, sendAccountMail } from '../mail/send.ts'
import type { PendingEmail } from './account-info.ts'
import {
  CHANGE_MAX_AGE,
  createLink,
  deleteChange,
  readChange,
  requireRecords,
  writeChange,
} from './email-change.ts'
import type { EmailChange, Mailbox } from './email-change.ts'
import type { ManagedUser } from './managed-user.ts'

const CALLER = 'account.changeEmail'

function describeChange({ to, expires, needed, confirmed }: EmailChange): PendingEmail {
  return { to, expires, awaits: needed.filter((box) => !confirmed.includes(box)) }
}

function parseTarget(to: unknown, { user }: ManagedUser): string {
  const address = typeof to === 'string' ? parseAddress(to) : null
  if (address === null)
    throw new InvalidRequest('The new e-mail address does not have the form name@example.com.')
  if (user.emailVerified && isSameAddress(user.email, address))
    throw new InvalidRequest('The new e-mail address is that of the user already.')
  return address
}

/** Sends the same mail whether or not another user has the address. */
async function sendLink({ ctx, user }: ManagedUser, change: EmailChange, box: Mailbox) {
  const { id, to, from, expires } = change
  if (box === 'new') {
    const { error } = await consumeLimit(ctx, 'mail', { recipient: to, userId: user.id })
    // As for a mail that was sent: the response must not show for which addresses others request mails.
    if (error) return recordLimited(ctx, error)
  }
  const url = await createLink(ctx, { kind: box, id, userId: user.id })
  const recipient = box === 'new' ? to : (from ?? '')
  const mail = { kind: 'address-change', mailbox: box, address: to, user, url, expires } as const
  return sendAccountMail(ctx, { ...mail, to: recipient })
}

/** Replaces a change that was requested before. @throws InvalidRequest, TooManyAttempts, AccountMailError */
export async function requestEmailChange(managed: ManagedUser, to: unknown): Promise<PendingEmail> {
  const { ctx, user, current, actor } = managed
  const records = await requireRecords(ctx, CALLER)
  requireTransport(ctx, CALLER)
  if (!(await ctx.database.has('updateUser')))
    throw new MissingAdapterMethods(`The adapter has no method updateUser, which ${CALLER} needs.`)
  const address = parseTarget(to, managed)
  rejectLimited(await consumeLimit(ctx, 'emailChange', { owner: user.id }))
  const wasVerified = user.emailVerified !== null && Boolean(user.email)
  const asksCurrent =
    wasVerified && ctx.config.account?.changeEmail !== 'new' && !isSameAddress(user.email, address)
  const change: EmailChange = {
    id: randomBase64Url(),
    userId: user.id,
    from: user.email || null,
    wasVerified,
    to: address,
    sid: (await current?.sid()) ?? '',
    needed: asksCurrent ? ['current', 'new'] : ['new'],
    confirmed: [],
    isDone: false,
    expires: new Date(Date.now() + CHANGE_MAX_AGE * 1000),
  }
  await writeChange(ctx, records, change)
  try {
    await Promise.all(change.needed.map((box) => sendLink(managed, change, box)))
  } catch (error) {
    await deleteChange(ctx, records, user.id)
    throw error
  }
  await ctx.config.audit?.record(ctx, {
    type: 'address.requested',
    outcome: 'success',
    actor,
    target: { kind: 'user', id: user.id },
  })
  return describeChange(change)
}

/** `null`: no change waits for a confirmation. */
export async function findEmailChange({ ctx, user }: ManagedUser): Promise<PendingEmail | null> {
  const records = await requireRecords(ctx, 'account.pendingEmail')
  const stored = await readChange(ctx, records, user.id)
  return stored && !stored.change.isDone ? describeChange(stored.change) : null
}

/** Returns whether a change was waiting for a confirmation. */
export async function cancelEmailChange(managed: ManagedUser): Promise<boolean> {
  const { ctx, user } = managed
  const pending = await findEmailChange(managed)
  if (!pending) return false
  await deleteChange(ctx, await requireRecords(ctx, 'account.cancelEmail'), user.id)
  return true
}
