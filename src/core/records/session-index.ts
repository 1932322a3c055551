/** Records of sessions, by which those of a user are listed and counted. */
import { open, seal } from '../crypto/seal.ts'
import type { StoredRecord } from '../database/adapter.ts'
import type { CallContext } from '../database/database.ts'
import type { RecordAccess } from './access.ts'
import { deleteKeys } from './delete-keys.ts'

export interface IndexedSession {
  readonly sid: string
  readonly userId: string
  /** In milliseconds since the epoch; `null`: not known. */
  readonly startedAt: number | null
  /** Later sessions of the user have a larger one, also if the clocks of processes differ. */
  readonly order: number
  readonly lastSeenAt: number
  readonly via: string | null
  readonly userAgent: string | null
  readonly address: string | null
  readonly expires: Date
}

export interface StoredEntry extends IndexedSession {
  /** As it is stored. */
  readonly value: string
}

export interface SessionIndex {
  /** The sessions of a user, in any order. @throws AdapterError */
  list(ctx: CallContext, userId: string): Promise<readonly StoredEntry[]>
  /** `null` also for a session of another user. @throws AdapterError */
  find(ctx: CallContext, userId: string, sid: string): Promise<StoredEntry | null>
  /** Writes if the entry is the expected one; `expected` omitted: in any case. @throws AdapterError */
  write(ctx: CallContext, session: IndexedSession, expected?: string | null): Promise<void>
  /** @throws AdapterError */
  delete(ctx: CallContext, sids: readonly string[]): Promise<void>
}

const PREFIX = 'session:'
const SEALING = { salt: 'lib.records', family: 'internal' } as const

const readText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const readTime = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export function sessionIndex(records: RecordAccess, secrets: readonly string[]): SessionIndex {
  /** `null` for other records of the owner, and if another application has written it. */
  async function read(record: StoredRecord, userId: string): Promise<StoredEntry | null> {
    if (!record.key.startsWith(PREFIX)) return null
    const claims = await open(record.value, { secrets, ...SEALING })
    if (!claims) return null
    const { sid, user, started, order, seen, via, agent, address } = claims
    if (user !== userId || record.key !== PREFIX + String(sid)) return null
    return {
      sid: String(sid),
      userId,
      startedAt: readTime(started),
      order: readTime(order) ?? 0,
      lastSeenAt: readTime(seen) ?? 0,
      via: readText(via),
      userAgent: readText(agent),
      address: readText(address),
      expires: record.expires,
      value: record.value,
    }
  }

  return {
    async list(ctx, userId) {
      const found: StoredEntry[] = []
      for (const record of await records.list(ctx, `user:${userId}`)) {
        const session = await read(record, userId)
        if (session) found.push(session)
      }
      return found
    },

    async find(ctx, userId, sid) {
      const key = PREFIX + sid
      const record = (await records.read(ctx, [key])).get(key)
      return record ? read(record, userId) : null
    },

    async write(ctx, session, ...expected) {
      const { sid, userId, startedAt, order, lastSeenAt, via, userAgent, address } = session
      const claims = {
        sid,
        user: userId,
        started: startedAt,
        order,
        seen: lastSeenAt,
        via,
        agent: userAgent,
        address,
      }
      const value = await seal(claims, { secrets, ...SEALING })
      const { expires } = session
      const record = { key: PREFIX + sid, value, owner: `user:${userId}`, expires }
      await records.write(ctx, record, ...expected)
    },

    delete: (ctx, sids) =>
      deleteKeys(
        ctx,
        records,
        sids.map((sid) => PREFIX + sid),
      ),
  }
}
