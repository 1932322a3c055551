/** What a session keeps to sign out at its providers, sealed with the session: in a record, else in cookies. */
import { readHintList, withoutIdTokens } from '../checks/logout-transaction.ts'
import type { SessionContext, Subject } from '../contracts.ts'
import type { LogoutHint } from './logout-hint.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import { readChunked } from '../cookies/reader.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { RecordAccess } from '../records/access.ts'
import { extendProviderSession, removeProviderSession } from './provider-sessions.ts'
import { recordsKeptFor } from '../session/kept-for.ts'

const KEY = { salt: 'lib.logout-hints', family: 'internal' } as const
/** Characters that every store has room for. */
const MAX_RECORD = 16_000
/** Bytes of the session, the tokens and these cookies: servers reject longer request headers. */
const MAX_COOKIES = 12_288
/** Providers of one session; a browser follows so many redirects to them. */
export const MAX_PROVIDERS = 3

async function recordKey(sid: string): Promise<string> {
  return `logout:${await sha256(sid, 'base64url')}`
}

async function recordsOf({ config: { records } }: SessionContext): Promise<RecordAccess | null> {
  return records && (await records.adapter()) ? records : null
}

async function sealHints(
  { config: { secrets } }: SessionContext,
  sid: string,
  hints: readonly LogoutHint[],
): Promise<string> {
  return seal({ sid, hints }, { secrets, ...KEY })
}

async function openHints(
  { config: { secrets, providers } }: SessionContext,
  sid: string,
  sealed: string,
): Promise<readonly LogoutHint[]> {
  const claims = await open(sealed, { secrets, ...KEY })
  if (claims?.['sid'] !== sid) return []
  // The same id may name another provider in the configuration of another tenant.
  const isOwn = ({ provider, issuedBy }: LogoutHint) =>
    providers.get(provider)?.tokens?.issuedBy === issuedBy
  return readHintList(claims['hints']).filter(isOwn).slice(0, MAX_PROVIDERS)
}

/** The provider of the last sign-in first; none if nothing is kept for the session. @throws AdapterError */
export async function readHints(
  ctx: SessionContext,
  subject: Subject,
): Promise<readonly LogoutHint[]> {
  const sid = await subject.sid()
  const records = await recordsOf(ctx)
  const key = await recordKey(sid)
  const sealed = records
    ? [(await records.read(ctx, [key])).get(key)?.value ?? []].flat()
    : readChunked(ctx.jar, ctx.cookies.logoutHints.name)
  for (const value of sealed) {
    const hints = await openHints(ctx, sid, value)
    if (hints.length > 0) return hints
  }
  return []
}

/** A session, and at which providers its user has signed in. */
export interface SignedIn {
  readonly subject: Subject
  readonly hints: readonly LogoutHint[]
}

/** `null` without a session, or if it cannot be read: neither a sign-in nor a sign-out needs it. */
export async function readSignedIn(ctx: SessionContext): Promise<SignedIn | null> {
  let subject: Subject | null = null
  try {
    subject = await ctx.config.session.subject(ctx)
    return subject && { subject, hints: await readHints(ctx, subject) }
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
    return subject && { subject, hints: [] }
  }
}

/** Of the cookies of the session and of tokens. */
function otherLength({ jar, cookies }: SessionContext): number {
  const prefixes = [cookies.sessionToken.name, `${cookies.tokens.name}.`]
  const held = prefixes.flatMap((prefix) => Array.from(jar.getPrefixed(prefix).values()))
  return held.reduce((sum, value) => sum + value.length, 0)
}

/** Without the ID tokens if there is no room for them. */
export async function writeHints(
  ctx: SessionContext,
  subject: Subject,
  hints: readonly LogoutHint[],
): Promise<void> {
  const sid = await subject.sid()
  const records = await recordsOf(ctx)
  const room = records ? MAX_RECORD : MAX_COOKIES - otherLength(ctx)
  const whole = await sealHints(ctx, sid, hints)
  const value = whole.length <= room ? whole : await sealHints(ctx, sid, withoutIdTokens(hints))
  if (!records) {
    writeChunked(ctx.jar, ctx.cookies.logoutHints, { value })
    return
  }
  const expires = new Date(Date.now() + recordsKeptFor(ctx) * 1000)
  const owner = `user:${subject.id}`
  await records.write(ctx, { key: await recordKey(sid), value, owner, expires })
}

/** Deletes what is kept for a session that has ended, also so that the providers can end it. @throws AdapterError */
export async function forgetProviders(
  ctx: SessionContext,
  sid: string,
  hints: readonly Pick<LogoutHint, 'owners'>[],
): Promise<void> {
  deleteChunked(ctx.jar, ctx.cookies.logoutHints)
  const records = await recordsOf(ctx)
  await records?.delete(ctx, { keys: [await recordKey(sid)] })
  const owners = new Set(hints.flatMap((hint) => hint.owners ?? []))
  await removeProviderSession(ctx, [...owners], sid)
}

/** Milliseconds for which a read of a session waits. */
const EXTENSION_TIMEOUT = 1_000

/** Keeps the records of a session that was extended as long as the session. Never rejects: they have time left. */
export async function extendHints(ctx: SessionContext, sid: string): Promise<void> {
  const deadline = Math.min(ctx.deadline, performance.now() + EXTENSION_TIMEOUT)
  const limited = { ...ctx, deadline }
  try {
    const records = await recordsOf(ctx)
    const key = await recordKey(sid)
    const record = (await records?.read(limited, [key]))?.get(key)
    if (!records || !record) return
    const expires = new Date(Date.now() + recordsKeptFor(ctx) * 1000)
    await records.write(limited, { ...record, expires }, record.value)
    const hints = await openHints(ctx, sid, record.value)
    const owners = hints.flatMap((hint) => hint.owners ?? [])
    await extendProviderSession(limited, owners, sid)
  } catch (error) {
    if (error instanceof Error) ctx.config.log.error(error)
  }
}
