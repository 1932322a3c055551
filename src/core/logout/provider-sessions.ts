/** The sessions here by the user and the session at the provider, in records, so that the provider can end them. */
import type { SessionContext } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { RecordAccess } from '../records/access.ts'
import { recordsKeptFor } from '../session/kept-for.ts'

const KEY = { salt: 'lib.provider-session', family: 'internal' } as const

/** A session that began with an ID token. */
export interface ProviderSession {
  readonly userId: string
  readonly sid: string
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** Id of the provider in the configuration of the sign-in. */
  readonly provider: string
  /** Of the ID token. */
  readonly sub: string
  readonly opSid: string | undefined
  /** Whether the tokens were issued with `offline_access`. */
  readonly isOffline: boolean
}

/** Who has issued an ID token to whom: the sessions of another client do not end. */
export interface Issued {
  readonly issuer: string
  readonly clientId: string
}

async function ownerOf(
  kind: 'op-sid' | 'op-sub',
  { issuer, clientId }: Issued,
  value: string,
): Promise<string> {
  return `${kind}:${await sha256(JSON.stringify([issuer, clientId, value]), 'base64url')}`
}

/** The owners of the records of a session. */
export async function ownersOf(
  issued: Issued,
  { sub, opSid }: Pick<ProviderSession, 'sub' | 'opSid'>,
): Promise<readonly string[]> {
  return [
    await ownerOf('op-sub', issued, sub),
    ...(opSid === undefined ? [] : [await ownerOf('op-sid', issued, opSid)]),
  ]
}

function requireRecords({ config: { records } }: SessionContext): RecordAccess {
  if (records) return records
  throw new Error('logout needs records, which the validation of the configuration requires.')
}

const keyOf = (owner: string, sid: string) => `${owner}:${sid}`

/** Returns the owners of the records. @throws AdapterError */
export async function addProviderSession(
  ctx: SessionContext,
  issued: Issued,
  session: ProviderSession,
): Promise<readonly string[]> {
  const { sid } = session
  const owners = await ownersOf(issued, session)
  const value = await seal({ ...session }, { secrets: ctx.config.secrets, ...KEY })
  const expires = new Date(Date.now() + recordsKeptFor(ctx) * 1000)
  for (const owner of owners)
    await requireRecords(ctx).write(ctx, { key: keyOf(owner, sid), value, owner, expires })
  return owners
}

/** Deletes the records of a session that has ended. @throws AdapterError */
export async function removeProviderSession(
  ctx: SessionContext,
  owners: readonly string[],
  sid: string,
): Promise<void> {
  if (owners.length > 0)
    await requireRecords(ctx).delete(ctx, { keys: owners.map((owner) => keyOf(owner, sid)) })
}

/** Keeps the records as long as a session that was extended. @throws AdapterError */
export async function extendProviderSession(
  ctx: SessionContext,
  owners: readonly string[],
  sid: string,
): Promise<void> {
  const records = requireRecords(ctx)
  const expires = new Date(Date.now() + recordsKeptFor(ctx) * 1000)
  const found = await records.read(
    ctx,
    owners.map((owner) => keyOf(owner, sid)),
  )
  for (const record of found.values())
    await records.write(ctx, { ...record, expires }, record.value)
}

function parseSession(claims: Readonly<Record<string, unknown>> | null): ProviderSession | null {
  const { userId, sid, startedAt, provider, sub, opSid, isOffline } = claims ?? {}
  const isText = (value: unknown): value is string => typeof value === 'string'
  if (!isText(userId) || !isText(sid) || !isText(provider) || !isText(sub)) return null
  if (typeof startedAt !== 'number') return null
  return {
    userId,
    sid,
    startedAt,
    provider,
    sub,
    opSid: isText(opSid) ? opSid : undefined,
    isOffline: isOffline === true,
  }
}

/** Lets the providers of a session end the one that replaces it, too. @throws AdapterError */
export async function copyProviderSession(
  ctx: SessionContext,
  { owners, from }: { readonly owners: readonly string[]; readonly from: string },
  session: Pick<ProviderSession, 'userId' | 'sid'>,
): Promise<void> {
  const records = requireRecords(ctx)
  const { secrets } = ctx.config
  const keys = owners.map((owner) => keyOf(owner, from))
  const found = await records.read(ctx, keys)
  const expires = new Date(Date.now() + recordsKeptFor(ctx) * 1000)
  for (const [index, owner] of owners.entries()) {
    const record = found.get(keys[index] ?? '')
    const old = record && parseSession(await open(record.value, { secrets, ...KEY }))
    if (!old) continue
    const value = await seal({ ...old, ...session }, { secrets, ...KEY })
    await records.write(ctx, { key: keyOf(owner, session.sid), value, owner, expires })
  }
}

/** The sessions of a user or a session at the provider, and the owners of their records. @throws AdapterError */
export async function findProviderSessions(
  ctx: SessionContext,
  issued: Issued,
  by: { readonly opSid: string } | { readonly sub: string },
): Promise<readonly ProviderSession[]> {
  const owner =
    'opSid' in by
      ? await ownerOf('op-sid', issued, by.opSid)
      : await ownerOf('op-sub', issued, by.sub)
  const opening = { secrets: ctx.config.secrets, ...KEY }
  const records = await requireRecords(ctx).list(ctx, owner)
  const sessions = await Promise.all(
    records.map(async ({ value }) => parseSession(await open(value, opening))),
  )
  return sessions.filter((each) => each !== null)
}
