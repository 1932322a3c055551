import type { Admission, Context, Recognition, UserDirectory } from '../contracts.ts'
import type { Evidence } from '../evidence.ts'
import type { DatabaseSource } from '../database/database.ts'
import { lazily } from '../lazily.ts'

// Loaded at the first sign-in of each kind, because most requests only read a session.
const byAccount = lazily(() => import('./by-account.ts'))
const byAddress = lazily(() => import('./by-address.ts'))
const byUser = lazily(() => import('./by-user.ts'))

function asStated({ user, account }: Evidence): Recognition {
  return { user, account, known: null }
}

function admitAsStated({ user, account, isNewUser }: Evidence): Admission {
  return { user, account, news: [], ...(isNewUser !== undefined && { isNewUser }) }
}

/** Without an adapter, every authenticated visitor is a user. */
export const everybody: UserDirectory = {
  recognize: async (_ctx, evidence) => asStated(evidence),
  admit: async (_ctx, evidence) => admitAsStated(evidence),
}

export interface DirectorySettings {
  /** For users from `authorize`. `stated`: no lookup. `stored`: must be in the database, like their sessions. */
  readonly credentials: 'stated' | 'stored'
}

export function storedUsers(
  source: DatabaseSource,
  { credentials }: DirectorySettings,
): UserDirectory {
  return {
    async recognize(ctx: Context, evidence: Evidence): Promise<Recognition> {
      const database = await source()
      switch (evidence.proves) {
        case 'account':
          return (await byAccount()).recognizeAccount(ctx, database, evidence)
        case 'address':
          return (await byAddress()).recognizeAddress(ctx, database, evidence)
        case 'user':
          return asStated(evidence)
      }
    },

    async admit(ctx: Context, evidence: Evidence, { known }: Recognition): Promise<Admission> {
      const database = await source()
      switch (evidence.proves) {
        case 'account':
          return (await byAccount()).admitAccount(ctx, database, { evidence, known })
        case 'address':
          return (await byAddress()).admitAddress(ctx, database, { evidence, known })
        case 'user':
          return credentials === 'stored'
            ? (await byUser()).admitUser(ctx, database, evidence)
            : admitAsStated(evidence)
      }
    },
  }
}
