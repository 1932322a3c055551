/** The entry of a session that begins, and the end of those above the limit. */
import type { SessionContext, SessionStrategy, SignInFacts, Subject } from '../contracts.ts'
import type { IndexedSession } from '../records/session-index.ts'
import { describeDevice } from './device.ts'
import { entryFor, newestFirst } from './index-entry.ts'
import type { IndexSettings, Ranked } from './index-entry.ts'
import type { ListedSession } from './session-info.ts'

/** Milliseconds after which a sign-in has written its entry, or has failed. */
const SETTLED_AFTER = 5 * 60 * 1000

/** Rows without an entry, as of a session from before the option; `list` knows of no others. */
function unindexed(
  rows: readonly ListedSession[],
  known: readonly IndexedSession[],
): readonly Ranked[] {
  // A sign-in of another process may not have written its entry yet, without which its rank is unknown.
  const before = Date.now() - SETTLED_AFTER
  const sids = new Set(known.map(({ sid }) => sid))
  return rows.flatMap(({ sid, startedAt }) =>
    sids.has(sid) || startedAt === null || startedAt.getTime() > before
      ? []
      : [{ sid, order: startedAt.getTime() }],
  )
}

/** Ends the oldest sessions of the user above the limit. */
async function limit(
  ctx: SessionContext,
  inner: SessionStrategy,
  { index, maxPerUser, onLimited }: IndexSettings,
  { own, headers }: { readonly own: IndexedSession; readonly headers: Headers },
): Promise<void> {
  const { userId } = own
  const others = (await index.list(ctx, userId)).filter(({ sid }) => sid !== own.sid)
  // After the entries: each is written later than its row.
  const rows = inner.isListed ? await inner.list(ctx, userId) : null
  const isLeft = ({ sid }: Ranked) => rows === null || rows.some((row) => row.sid === sid)
  const known = [own, ...others.filter(isLeft)]
  const ranked: Ranked[] = [...known, ...unindexed(rows ?? [], known)]
  for (const { sid } of ranked.sort(newestFirst).slice(maxPerUser)) {
    if (await inner.endOne(ctx, userId, sid)) await onLimited(ctx, { userId, sid, headers })
    await index.delete(ctx, [sid])
  }
}

/** Writes the entry of a session that has begun, and ends others if the user has too many. @throws AdapterError */
export async function beginIndexed(
  ctx: SessionContext,
  inner: SessionStrategy,
  settings: IndexSettings,
  { subject, headers }: { readonly subject: Subject; readonly headers: SignInFacts['headers'] },
): Promise<void> {
  const { index, describes, maxPerUser } = settings
  const entry = await entryFor(ctx, subject, Date.now())
  const device = describes ? describeDevice(headers, ctx.config) : {}
  if (maxPerUser === undefined) return index.write(ctx, { ...entry, ...device })
  const orders = (await index.list(ctx, subject.id)).map(({ order }) => order)
  // After all others, also if the clock of this process is behind: else the new session would be the oldest.
  const order = Math.max(entry.order, ...orders.map((each) => each + 1))
  const own = { ...entry, ...device, order }
  await index.write(ctx, own)
  await limit(ctx, inner, settings, { own, headers })
}
