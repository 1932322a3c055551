import { lazily } from '../async/cache.ts'
import type { SessionStrategy } from '../contracts.ts'
import type { RecordAccess } from '../records/access.ts'
import type { ListedSession } from '../session/session-info.ts'
import { listsSessions } from './session-list.ts'
import { asList } from './token-settings.ts'
import type { AuthConfig } from './types.ts'

/** Adds the list of sessions to a strategy. Loaded with the first session. */
export function listedSessions(
  inner: SessionStrategy,
  config: AuthConfig,
  records: RecordAccess | undefined,
): SessionStrategy {
  if (!listsSessions(config) || !records) return inner
  const { devices, maxPerUser } = config.session ?? {}
  const load = lazily(async () => {
    const { indexedSessions } = await import('../session/indexed-sessions.ts')
    const { sessionIndex } = await import('../records/session-index.ts')
    return indexedSessions(inner, {
      index: sessionIndex(records, asList(config.secret)),
      describes: devices === 'described',
      maxPerUser,
      async onLimited(ctx, ended) {
        const { reportRevoked } = await import('../tokens/report-revoked.ts')
        await reportRevoked(ctx, { ...ended, reason: 'limit' })
      },
    })
  })
  return {
    ...inner,
    isListed: true,
    read: async (ctx) => (await load()).read(ctx),
    readSubject: async (ctx) => (await load()).readSubject(ctx),
    readAssured: async (ctx) => (await load()).readAssured(ctx),
    create: async (ctx, facts, confirm) => (await load()).create(ctx, facts, confirm),
    destroy: async (ctx) => (await load()).destroy(ctx),
    endOne: async (ctx, userId, sid) => (await load()).endOne(ctx, userId, sid),
    endAll: async (ctx, userId, options) => (await load()).endAll(ctx, userId, options),
    list: async (ctx, userId): Promise<readonly ListedSession[]> =>
      (await load()).list(ctx, userId),
  }
}
