/** Confirms a change of the e-mail address, and undoes it: each step can be repeated after a failure. */
import type { Context, SessionContext } from '../contracts.ts'
import type { AdapterUser } from '../database/adapter.ts'
import type { Database, DatabaseAccess } from '../database/database.ts'
import { AddressChangeError, AdapterError, TemporarilyUnavailable } from '../errors/classes.ts'
import { emit } from '../hooks.ts'
import { isSameAddress } from '../identity/case-folding.ts'
import { endSessions } from '../identity/end-sessions.ts'
import { verificationTime } from '../identity/verification-time.ts'
import { notify } from '../mail/send.ts'
import type { RecordAccess } from '../records/access.ts'
import {
  createLink,
  deleteChange,
  deleteLaterUndos,
  readChange,
  readUndo,
  requireRecords,
  UNDO_MAX_AGE,
  writeChange,
  writeUndo,
} from './email-change.ts'
import type { EmailChange, EmailLink, EmailUndo, Mailbox, Stored } from './email-change.ts'

export type ConfirmContext = Context & DatabaseAccess

/** Concurrent confirmations of the same change; a further one has to be repeated. */
const MAX_WRITES = 5

function refuse(reason: string, code: 'invalid' | 'other_user' | 'taken'): AddressChangeError {
  return new AddressChangeError(reason, { code })
}

const CALLER = 'A link of account.changeEmail'

/** @throws AddressChangeError if it has expired or was replaced */
export async function findChange(
  ctx: SessionContext,
  { id, userId }: EmailLink,
): Promise<Stored<EmailChange>> {
  const found = await readChange(ctx, await requireRecords(ctx, CALLER), userId)
  if (found?.change.id === id) return found
  throw refuse('The change has expired, or was cancelled or replaced by another one.', 'invalid')
}

/** @throws AddressChangeError if it has expired or was replaced */
export async function findUndo(
  ctx: SessionContext,
  { id, userId }: EmailLink,
): Promise<Stored<EmailUndo>> {
  const found = await readUndo(ctx, await requireRecords(ctx, CALLER), id)
  if (found?.change.userId === userId) return found
  throw refuse('The change can no longer be undone.', 'invalid')
}

/** A browser with the session of another user does not confirm: who opened the link may be mistaken. */
export async function rejectOtherUser(ctx: Context, { userId }: EmailLink): Promise<void> {
  const subject = await ctx.config.session.subject(ctx)
  if (subject && subject.id !== userId)
    throw refuse('The link is for another user than the one who is signed in.', 'other_user')
}

interface Move {
  readonly userId: string
  /** The address before; `null`: none. `undefined`: any. */
  readonly from: string | null | undefined
  /** Whether the address before was verified; `undefined`: either. */
  readonly wasVerified: boolean | undefined
  readonly to: string
}

const hasAddress = (user: AdapterUser, address: string) =>
  isSameAddress(user.email, address) && user.emailVerified !== null

const taken = () => refuse('Another user has the address.', 'taken')

/** @throws AddressChangeError if the user or the address has changed, or another user has the address */
async function moveAddress(
  ctx: ConfirmContext,
  database: Database,
  { userId, from, wasVerified, to }: Move,
): Promise<{ readonly before: AdapterUser; readonly after: AdapterUser }> {
  const before = await database.call(ctx, 'getUser', userId)
  if (!before) throw refuse('The user was deleted.', 'invalid')
  if (hasAddress(before, to)) return { before, after: before }
  if (from !== undefined && (before.email || null) !== from)
    throw refuse('The address of the user has changed since the change was requested.', 'invalid')
  // The owner of the address has removed the access of earlier users, and was not asked to confirm the change.
  if (wasVerified === false && before.emailVerified)
    throw refuse('The address of the user was verified after the change was requested.', 'invalid')
  const owner = await database.call(ctx, 'getUserByEmail', to)
  if (owner && owner.id !== userId) throw taken()
  const fields = { id: userId, email: to, emailVerified: verificationTime() }
  return { before, after: await database.call(ctx, 'updateUser', fields) }
}

/** In a transaction if the adapter has them. The response of the database may have been lost. */
async function applyMove(ctx: ConfirmContext, move: Move): Promise<AdapterUser> {
  const { database } = ctx
  const { userId, to } = move
  try {
    const moved = (await database.has('transaction'))
      ? await database.transaction(ctx, (inner) => moveAddress(ctx, inner, move))
      : await moveAddress(ctx, database, move)
    if (!moved) throw new AdapterError('The adapter method transaction returned nothing.')
    // Of two users who get the same address without a unique column, at least one finds the other.
    const owner = await ctx.query('getUserByEmail', to)
    if (!owner || owner.id === userId) return moved.after
    const { id, email, emailVerified } = moved.before
    await ctx.query('updateUser', { id, email, emailVerified })
    throw taken()
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    const user = await ctx.query('getUser', userId)
    if (user && hasAddress(user, to)) return user
    const owner = await ctx.query('getUserByEmail', to)
    throw owner && owner.id !== userId ? taken() : error
  }
}

const CHANGE = 'An e-mail address was changed'

/** Deletes the magic links and codes of the addresses. */
async function deleteLinks(ctx: ConfirmContext, addresses: readonly (string | null)[]) {
  if (!(await ctx.database.has('deleteVerificationTokens'))) return
  for (const address of addresses) if (address) await ctx.query('deleteVerificationTokens', address)
}

async function record(ctx: ConfirmContext, user: AdapterUser, type: 'changed' | 'restored') {
  await emit(ctx, 'updateUser', { user })
  await ctx.config.audit?.record(ctx, {
    type: `address.${type}`,
    outcome: 'success',
    actor: { kind: 'user', id: user.id },
    target: { kind: 'user', id: user.id },
  })
}

/** Only a verified mailbox receives the link: an address that was mistyped is that of a stranger. */
async function prepareUndo(ctx: ConfirmContext, records: RecordAccess, change: EmailChange) {
  const { id, userId, from, to, wasVerified } = change
  if (!wasVerified || from === null || isSameAddress(from, to)) return null
  const at = Date.now()
  const expires = new Date(at + UNDO_MAX_AGE * 1000)
  await writeUndo(ctx, records, { id, userId, from, to, at, isDone: false, expires }, null)
  return { to: from, undo: { url: await createLink(ctx, { kind: 'undo', id, userId }), expires } }
}

/** Returns whether this request has marked it as done. A response of the store that was lost must not keep back the notice. */
async function mark(
  write: () => Promise<boolean>,
  isMarked: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof AdapterError && (await isMarked())) return true
    throw error
  }
}

async function complete(
  ctx: ConfirmContext,
  records: RecordAccess,
  { change, value }: Stored<EmailChange>,
): Promise<void> {
  const { userId, from, wasVerified, to, sid } = change
  const user = await applyMove(ctx, { userId, from, wasVerified, to })
  await endSessions(ctx, { userId, spare: sid === '' ? 'none' : [sid], change: CHANGE })
  await deleteLinks(ctx, [from, to])
  const undo = await prepareUndo(ctx, records, change)
  // Of concurrent requests, one reports the change. A repeated one does what a failure has left out.
  const done = { ...change, confirmed: change.needed, isDone: true }
  const isMarked = async () => (await readChange(ctx, records, userId))?.change.isDone === true
  if (!(await mark(() => writeChange(ctx, records, done, value), isMarked))) {
    const now = await readChange(ctx, records, userId)
    // Else it was cancelled or replaced, which must not keep the notice from the former mailbox.
    if (now?.change.id === change.id) return
  }
  await record(ctx, user, 'changed')
  if (undo) await notify(ctx, user, { change: 'address-changed', address: to }, undo)
}

/** `waiting`: the other mailbox has to confirm it, too. */
export interface Confirmation {
  readonly state: 'waiting' | 'changed' | 'restored'
  /** The address of the user, unless it is `waiting`. */
  readonly address: string
}

/** @throws AddressChangeError */
export async function confirmChange(
  ctx: ConfirmContext,
  link: EmailLink & { readonly kind: Mailbox },
): Promise<Confirmation> {
  const records = await requireRecords(ctx, CALLER)
  for (let at = 0; at < MAX_WRITES; at++) {
    const stored = await findChange(ctx, link)
    const { change, value } = stored
    const address = change.to
    if (change.isDone) return { state: 'changed', address }
    const others = change.needed.filter((box) => box !== link.kind)
    if (others.every((box) => change.confirmed.includes(box))) {
      await complete(ctx, records, stored)
      return { state: 'changed', address }
    }
    if (change.confirmed.includes(link.kind)) return { state: 'waiting', address }
    const confirmed = [...change.confirmed, link.kind]
    if (await writeChange(ctx, records, { ...change, confirmed }, value))
      return { state: 'waiting', address }
  }
  throw new TemporarilyUnavailable('The change is being confirmed by other requests.')
}

/**
 * Restores the address of before, whatever it is now, and signs the user out everywhere: who has changed it may have
 * changed it again.
 *
 * @throws AddressChangeError
 */
export async function undoChange(ctx: ConfirmContext, link: EmailLink): Promise<Confirmation> {
  const records = await requireRecords(ctx, CALLER)
  const { change, value } = await findUndo(ctx, link)
  const { userId, from, to } = change
  const restored = { state: 'restored', address: from } as const
  if (change.isDone) return restored
  await deleteChange(ctx, records, userId)
  const user = await applyMove(ctx, {
    userId,
    from: undefined,
    wasVerified: undefined,
    to: from,
  })
  await endSessions(ctx, { userId, spare: 'none', change: CHANGE })
  await deleteLinks(ctx, [from, to])
  await deleteLaterUndos(ctx, records, change)
  const done = { ...change, isDone: true }
  const isMarked = async () => (await readUndo(ctx, records, change.id))?.change.isDone === true
  if (!(await mark(() => writeUndo(ctx, records, done, value), isMarked))) return restored
  if ((await ctx.config.session.subject(ctx))?.id === userId) await ctx.config.session.destroy(ctx)
  await record(ctx, user, 'restored')
  return restored
}
