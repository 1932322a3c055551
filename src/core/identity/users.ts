import { lazily } from '../async/cache.ts'
import type { Context, Evidence, MatchUser, UserMatch } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import type { DatabaseContext } from './create-user.ts'

// Loaded at the first sign-in, because most requests only read a session.
const stored = lazily(() => import('./match-user.ts'))

/** Without an adapter, every authenticated visitor is a user. */
export async function matchUnstoredUser(_ctx: Context, evidence: Evidence): Promise<UserMatch> {
  const { user, account, isNewUser } = evidence
  const provisioned = { user, account, events: [], ...(isNewUser !== undefined && { isNewUser }) }
  return { user, account, provision: async () => provisioned }
}

/** `credentials`: whether users from `authorize` must be in the database, like their sessions. */
export function matchStoredUser(load: DatabaseSource, credentials: 'stated' | 'stored'): MatchUser {
  return async (request, evidence) => {
    const database = await load()
    const ctx: DatabaseContext = {
      ...request,
      database,
      query: (method, ...args) => database.call(request, method, ...args),
    }
    const { matchStatedUser, matchUser } = await stored()
    return evidence.proves === 'user' && credentials === 'stated'
      ? matchStatedUser(ctx, evidence)
      : matchUser(ctx, evidence)
  }
}
