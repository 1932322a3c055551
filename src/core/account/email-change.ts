/** A change of the e-mail address that is not confirmed yet, or can be undone: its records and links. */
import type { SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { Claims } from '../crypto/seal.ts'
import type { StoredRecord } from '../database/adapter.ts'
import { AddressChangeError, InvalidConfiguration } from '../errors/classes.ts'
import type { RecordAccess } from '../records/access.ts'

/** Seconds for which a change can be confirmed. */
export const CHANGE_MAX_AGE: number = 60 * 60
/** Seconds for which a change can be undone. */
export const UNDO_MAX_AGE: number = 7 * 24 * 60 * 60

export type Mailbox = 'current' | 'new'

/** A change that was requested. Of each user, there is one. */
export interface EmailChange {
  readonly id: string
  readonly userId: string
  /** The address at the request; `null`: the user had none. */
  readonly from: string | null
  /** Whether `from` was verified. */
  readonly wasVerified: boolean
  readonly to: string
  /** Of the session that has requested it. */
  readonly sid: string
  /** The mailboxes that have to confirm it. */
  readonly needed: readonly Mailbox[]
  readonly confirmed: readonly Mailbox[]
  readonly isDone: boolean
  readonly expires: Date
}

/** A change that was made. */
export interface EmailUndo {
  readonly id: string
  readonly userId: string
  /** The address to restore. */
  readonly from: string
  readonly to: string
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number
  readonly isDone: boolean
  readonly expires: Date
}

/** A record, and its value as stored, which a write has to find. */
export interface Stored<T> {
  readonly change: T
  readonly value: string
}

const RECORD = { salt: 'lib.records', family: 'internal' } as const
const LINK = { salt: 'lib.email-change', family: 'internal' } as const

type Ctx = SessionContext

/** @throws InvalidConfiguration if records are not stored */
export async function requireRecords({ config }: Ctx, caller: string): Promise<RecordAccess> {
  const { records } = config
  if (records && (await records.adapter())) return records
  throw new InvalidConfiguration(
    `${caller} needs records, which are not stored. Set store, or use an adapter with: ['records'].`,
  )
}

async function changeKey(userId: string): Promise<string> {
  return `email-change:${await sha256(JSON.stringify([userId]), 'base64url')}`
}

const undoKey = (id: string) => `email-undo:${id}`

function readBoxes(value: unknown): readonly Mailbox[] {
  const found = Array.isArray(value) ? value : []
  return (['current', 'new'] as const).filter((box) => found.includes(box))
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

async function openRecord(
  { config: { secrets } }: Ctx,
  { value }: StoredRecord,
): Promise<Claims | null> {
  return open(value, { secrets, ...RECORD })
}

async function sealRecord({ config: { secrets } }: Ctx, claims: object): Promise<string> {
  return seal({ ...claims }, { secrets, ...RECORD })
}

/** `null`: none, or it has expired. @throws AdapterError */
export async function readChange(
  ctx: Ctx,
  records: RecordAccess,
  userId: string,
): Promise<Stored<EmailChange> | null> {
  const key = await changeKey(userId)
  const record = (await records.read(ctx, [key])).get(key)
  const claims = record && (await openRecord(ctx, record))
  // A value that was moved from the record of another user is not read.
  if (!claims || claims['user'] !== userId) return null
  const { id, from, verified, to, sid, needed, confirmed, done } = claims
  const change = {
    id: readText(id),
    userId,
    from: typeof from === 'string' ? from : null,
    wasVerified: verified === true,
    to: readText(to),
    sid: readText(sid),
    needed: readBoxes(needed),
    confirmed: readBoxes(confirmed),
    isDone: done === true,
    expires: record.expires,
  }
  return { change, value: record.value }
}

/** `expected` omitted: replaces an earlier change, whose links are then not valid. @throws AdapterError */
export async function writeChange(
  ctx: Ctx,
  records: RecordAccess,
  change: EmailChange,
  ...expected: [value?: string]
): Promise<boolean> {
  const { id, userId, from, wasVerified, to, sid, needed, confirmed, isDone, expires } = change
  const facts = { id, user: userId, from, verified: wasVerified, to, sid, needed, confirmed }
  const value = await sealRecord(ctx, { ...facts, done: isDone })
  const record = { key: await changeKey(userId), value, owner: `user:${userId}`, expires }
  return records.write(ctx, record, ...expected)
}

/** @throws AdapterError */
export async function deleteChange(ctx: Ctx, records: RecordAccess, userId: string): Promise<void> {
  await records.delete(ctx, { keys: [await changeKey(userId)] })
}

async function parseUndo(ctx: Ctx, record: StoredRecord): Promise<Stored<EmailUndo> | null> {
  const claims = await openRecord(ctx, record)
  const { undo, user, from, to, at, done } = claims ?? {}
  if (typeof undo !== 'string' || record.key !== undoKey(undo)) return null
  const change = {
    id: undo,
    userId: readText(user),
    from: readText(from),
    to: readText(to),
    at: Number(at),
    isDone: done === true,
    expires: record.expires,
  }
  return { change, value: record.value }
}

/** `null`: none, or it has expired. @throws AdapterError */
export async function readUndo(
  ctx: Ctx,
  records: RecordAccess,
  id: string,
): Promise<Stored<EmailUndo> | null> {
  const record = (await records.read(ctx, [undoKey(id)])).get(undoKey(id))
  return record ? parseUndo(ctx, record) : null
}

/** `expected`: as for `writeRecord`. @throws AdapterError */
export async function writeUndo(
  ctx: Ctx,
  records: RecordAccess,
  { id, userId, from, to, at, isDone, expires }: EmailUndo,
  expected: string | null,
): Promise<boolean> {
  const value = await sealRecord(ctx, { undo: id, user: userId, from, to, at, done: isDone })
  const record = { key: undoKey(id), value, owner: `user:${userId}`, expires }
  return records.write(ctx, record, expected)
}

/** Deletes the records by which later changes of the user could be undone. @throws AdapterError */
export async function deleteLaterUndos(
  ctx: Ctx,
  records: RecordAccess,
  { id, userId, at }: EmailUndo,
): Promise<void> {
  const later: string[] = []
  for (const record of await records.list(ctx, `user:${userId}`)) {
    const found = record.key.startsWith('email-undo:') ? await parseUndo(ctx, record) : null
    if (found && found.change.id !== id && found.change.at >= at) later.push(record.key)
  }
  if (later.length > 0) await records.delete(ctx, { keys: later })
}

/** What a link in a mail confirms. */
export interface EmailLink {
  readonly kind: Mailbox | 'undo'
  readonly id: string
  readonly userId: string
}

/** The URL of a page with a button: programs that open links change nothing. */
export async function createLink(
  { config, origin }: Ctx,
  { kind, id, userId }: EmailLink,
): Promise<string> {
  const maxAge = kind === 'undo' ? UNDO_MAX_AGE : CHANGE_MAX_AGE
  // With the origin: another tenant may have the same secret and other users.
  const claims = { kind, change: id, user: userId, origin }
  const token = await seal(claims, { secrets: config.secrets, ...LINK, maxAge })
  return `${origin}${config.basePath}/confirm?${new URLSearchParams({ token })}`
}

/** @throws AddressChangeError if it has expired, or is of another site */
export async function openLink({ config, origin }: Ctx, token: unknown): Promise<EmailLink> {
  const claims =
    typeof token === 'string' ? await open(token, { secrets: config.secrets, ...LINK }) : null
  const { kind, change: id, user: userId } = claims ?? {}
  const isKind = kind === 'current' || kind === 'new' || kind === 'undo'
  if (
    isKind &&
    typeof id === 'string' &&
    typeof userId === 'string' &&
    claims?.['origin'] === origin
  )
    return { kind, id, userId }
  throw new AddressChangeError('The link has expired, or is not one of this site.', {
    code: 'invalid',
  })
}
