import { lazily } from '../cache.ts'
import type { Context, Evidence, MatchUser, UserMatch } from '../contracts.ts'
import type { DatabaseSource } from '../database/database.ts'
import { withDatabase } from './context.ts'

// Loaded at the first sign-in of each kind, because most requests only read a session.
const accountUser = lazily(() => import('./account-user.ts'))
const emailUser = lazily(() => import('./email-user.ts'))
const credentialsUser = lazily(() => import('./credentials-user.ts'))

/** Without an adapter, every authenticated visitor is a user. */
export async function matchUnstoredUser(_ctx: Context, evidence: Evidence): Promise<UserMatch> {
  const { user, account, isNewUser } = evidence
  const provisioned = { user, account, events: [], ...(isNewUser !== undefined && { isNewUser }) }
  return { user, account, provision: async () => provisioned }
}

export interface StoredUserSettings {
  /** For users from `authorize`. `stated`: no lookup. `stored`: must be in the database, like their sessions. */
  readonly credentials: 'stated' | 'stored'
}

export function matchStoredUser(
  source: DatabaseSource,
  { credentials }: StoredUserSettings,
): MatchUser {
  return async (request, evidence) => {
    const ctx = withDatabase(request, await source())
    switch (evidence.proves) {
      case 'account':
        return (await accountUser()).matchAccount(ctx, evidence)
      case 'address':
        return (await emailUser()).matchEmail(ctx, evidence)
      case 'user': {
        const match = await matchUnstoredUser(ctx, evidence)
        if (credentials === 'stated') return match
        const { provisionCredentialsUser } = await credentialsUser()
        return { ...match, provision: () => provisionCredentialsUser(ctx, evidence) }
      }
    }
  }
}
