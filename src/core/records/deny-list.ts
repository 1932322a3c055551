/** The deny-list: records of sessions in cookies that have ended before their expiry. */
import { CLOCK_SKEW } from '../config/defaults.ts'
import { sha256 } from '../crypto/digest.ts'
import type { StoredRecord } from '../database/adapter.ts'
import type { CallContext } from '../database/database.ts'
import { AdapterError, SessionUnavailable } from '../errors/classes.ts'
import type { Awaitable } from '../types.ts'
import type { RecordAccess } from './access.ts'
import { isBelow, parseFloor, raiseFloor, serializeFloor } from './floor.ts'
import type { Floor } from './floor.ts'
import { revocationMemory } from './revocation-memory.ts'
import type { RevocationMemory } from './revocation-memory.ts'

/** In seconds. */
export interface RevocationSettings {
  /** For which the answer of the store is used again. */
  readonly maxStaleness: number
  /** For which it is used if the store does not respond; 0: not at all. */
  readonly acceptFor: number
  /** For which a token that was issued now can be valid. */
  readonly keepFor: number
}

/** What identifies a session in a cookie. */
export interface RevocableSession {
  readonly sid: string
  readonly userId: string
  /** The user who has signed in, if a callback has assigned the session to another one. */
  readonly signedInAs: string | undefined
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** The session began after the sessions of this time had ended, whatever the clock of the process said. */
  readonly after: number | undefined
  /** The same for {@link userId}, if the sign-in has assigned the session to it. */
  readonly afterSub: number | undefined
}

/** The sessions of a user that end. */
export interface EndedSessions {
  readonly spare: readonly string[]
  /** Only those that started before. @default all */
  readonly startedBefore?: Date | undefined
}

/**
 * That a session had not ended, which holds until another one is learned to have. One object with its facts, because each
 * further one that a read touches is likely not in the cache of the processor.
 */
export interface Standing extends RevocableSession {
  readonly changes: number
  /** In milliseconds since the epoch. */
  readonly since: number
  readonly until: number
}

export interface DenyList {
  /** What the last reads of the store say, if that is enough for now. */
  stand(session: RevocableSession, now: number): Standing | undefined
  /** @param now - in ms */
  isKept(standing: Standing, now: number): boolean
  /** Whether the session has ended; synchronous if the answer is known. @param now - in ms @throws SessionUnavailable */
  isEnded(ctx: CallContext, session: RevocableSession, now: number): Awaitable<boolean>
  /** The value of {@link RevocableSession.after} for a session that begins. @throws AdapterError */
  beginAfter(ctx: CallContext, userId: string, provedAt?: number): Promise<number | undefined>
  /** Returns whether the session was not on the list already. @throws AdapterError */
  end(ctx: CallContext, userId: string, sid: string): Promise<boolean>
  /** @throws AdapterError */
  endAll(ctx: CallContext, userId: string, sessions: EndedSessions): Promise<void>
}

/** Milliseconds for the store, if the session can be accepted without it. */
const SHORT_WAIT = 1_000
/** Concurrent calls that end sessions of one user: each round, one of them succeeds. */
const ATTEMPTS = 40

async function endedKey(userId: string, sid: string): Promise<string> {
  return `ended:${await sha256(JSON.stringify([userId, sid]), 'base64url')}`
}

async function floorKey(userId: string): Promise<string> {
  return `before:${await sha256(userId, 'base64url')}`
}

function readFloor(record: StoredRecord | undefined): Floor | null {
  if (!record) return null
  const floor = parseFloor(record.value)
  if (floor) return floor
  throw new AdapterError(
    'A record about ended sessions of a user cannot be read. End all sessions of the user again to replace it.',
    { method: 'readRecords' },
  )
}

/** The users whose records end the session. */
function usersOf({ userId, signedInAs }: RevocableSession): readonly string[] {
  return signedInAs === undefined || signedInAs === userId ? [userId] : [userId, signedInAs]
}

function startFor(session: RevocableSession, userId: string): number {
  const isSignedIn = (session.signedInAs ?? session.userId) === userId
  const after = isSignedIn ? session.after : session.afterSub
  return Math.max(session.startedAt, (after ?? 0) + 1)
}

/** Whether what the process remembers of the last `seconds` says that the session has ended; `undefined`: too little. */
function recall(
  memory: RevocationMemory,
  session: RevocableSession,
  seconds: number,
  now: number,
): boolean | undefined {
  let isEnded: boolean | undefined = false
  for (const userId of usersOf(session)) {
    const start = startFor(session, userId)
    const known = memory.recall({ userId, sid: session.sid, start }, seconds, now)
    if (known === true) return true
    if (known === undefined) isEnded = undefined
  }
  return isEnded
}

const unavailable = (cause: AdapterError): SessionUnavailable =>
  new SessionUnavailable(
    'The store of ended sessions does not respond, so the session cannot be accepted.',
    { cause },
  )

async function adapterOf(records: RecordAccess): Promise<object | null> {
  try {
    return await records.adapter()
  } catch (cause) {
    throw cause instanceof AdapterError ? unavailable(cause) : cause
  }
}

export async function denyList(
  records: RecordAccess,
  { maxStaleness, acceptFor, keepFor }: RevocationSettings,
): Promise<DenyList> {
  const memory = revocationMemory((await adapterOf(records)) ?? records)
  const remembers = maxStaleness > 0 || acceptFor > 0
  // For as long as it does not know the end, another process extends the session.
  const outlives = keepFor + Math.max(maxStaleness, acceptFor) + CLOCK_SKEW
  const expiry = () => new Date(Date.now() + outlives * 1000)

  async function read(ctx: CallContext, session: RevocableSession): Promise<boolean> {
    const begun = Date.now()
    const users = usersOf(session)
    const keys = await Promise.all(
      users.map(async (userId) => ({
        userId,
        ended: await endedKey(userId, session.sid),
        floor: await floorKey(userId),
      })),
    )
    const found = await records.read(
      ctx,
      keys.flatMap(({ ended, floor }) => [ended, floor]),
    )
    let isEnded = false
    for (const key of keys) {
      const { userId } = key
      const ended = found.has(key.ended)
      const floor = readFloor(found.get(key.floor))
      if (remembers) memory.remember(userId, { sid: session.sid, ended, floor, at: begun })
      const start = startFor(session, userId)
      isEnded ||= ended || (floor !== null && isBelow(floor, session.sid, start))
    }
    return isEnded
  }

  async function readOrAccept(
    ctx: CallContext,
    session: RevocableSession,
    now: number,
  ): Promise<boolean> {
    const isAccepted = acceptFor > 0 && recall(memory, session, acceptFor, now) === false
    const deadline = isAccepted
      ? Math.min(ctx.deadline, performance.now() + SHORT_WAIT)
      : ctx.deadline
    try {
      return await read({ config: ctx.config, deadline }, session)
    } catch (cause) {
      if (!(cause instanceof AdapterError)) throw cause
      if (isAccepted) return false
      throw unavailable(cause)
    }
  }

  return {
    stand(session, now) {
      if (maxStaleness === 0 || recall(memory, session, maxStaleness, now) !== false)
        return undefined
      const readings = usersOf(session).map((userId) => memory.readings(userId, session.sid))
      const changes = memory.changes()
      const { sid, userId, signedInAs, startedAt, after, afterSub } = session
      // V8 reads the result of a spread much slower.
      return {
        sid,
        userId,
        signedInAs,
        startedAt,
        after,
        afterSub,
        changes,
        since: Math.max(...readings.map(({ newest }) => newest)),
        until: Math.min(...readings.map(({ oldest }) => oldest)) + maxStaleness * 1000,
      }
    },

    isKept({ changes, since, until }, now) {
      return since <= now && now < until && changes === memory.changes()
    },

    isEnded(ctx, session, now) {
      if (!remembers) return readOrAccept(ctx, session, now)
      const known = recall(memory, session, maxStaleness, now)
      if (known !== undefined) return known
      if (maxStaleness === 0) return readOrAccept(ctx, session, now)
      return memory.once(session, () => readOrAccept(ctx, session, now))
    },

    async beginAfter(ctx, userId, provedAt) {
      const key = await floorKey(userId)
      const floor = readFloor((await records.read(ctx, [key])).get(key))
      if (!floor) return undefined
      // The sessions ended while the credentials were checked, which may have been replaced, too.
      const isOvertaken = provedAt !== undefined && provedAt <= floor.at && floor.at <= Date.now()
      return isOvertaken ? undefined : floor.time
    },

    async end(ctx, userId, sid) {
      const key = await endedKey(userId, sid)
      const record = { key, value: '1', owner: null, expires: expiry() }
      const isNew = await records.write(ctx, record, null)
      memory.end(userId, sid)
      return isNew
    },

    async endAll(ctx, userId, { spare, startedBefore }) {
      const key = await floorKey(userId)
      const now = Date.now()
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const old = (await records.read(ctx, [key])).get(key)
        const before = old ? parseFloor(old.value) : null
        // Processes whose clock is ahead have started sessions after this time, and a process whose clock is behind must
        // end the sessions that began after an earlier end of all.
        const latest = Math.max(now + CLOCK_SKEW * 1000, (before?.time ?? 0) + 1)
        const time = startedBefore ? startedBefore.getTime() - 1 : latest
        const floor = raiseFloor(before, { time, at: now, spare })
        const expires = expiry()
        const record = { key, value: serializeFloor(floor), owner: null, expires }
        if (!(await records.write(ctx, record, old?.value ?? null))) continue
        memory.raise(userId, floor)
        return
      }
      throw new AdapterError('Other calls end the sessions of the user at the same time.', {
        method: 'writeRecord',
      })
    },
  }
}
