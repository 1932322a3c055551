/** Who is a user: whoever proves to be somebody, or whoever the database says. */
import type { Admission, Context, Recognition, UserDirectory } from '../contracts.ts'
import type { Evidence } from '../evidence.ts'
import type { DatabaseSource } from '../database/database.ts'
import { lazily } from '../lazily.ts'

// Loaded with the first sign-in of each kind: most requests only read a session.
const byAccount = lazily(() => import('./by-account.ts'))
const byAddress = lazily(() => import('./by-address.ts'))
const byUser = lazily(() => import('./by-user.ts'))

/** As the evidence says; nothing is written. */
function asStated({ user, account }: Evidence): Recognition {
  return { user, account, known: null }
}

function admitAsStated({ user, account, isNewUser }: Evidence): Admission {
  return { user, account, news: [], ...(isNewUser !== undefined && { isNewUser }) }
}

/** Without a database: everybody who comes back is a user. */
export const everybody: UserDirectory = {
  recognize: async (_ctx, evidence) => asStated(evidence),
  admit: async (_ctx, evidence) => admitAsStated(evidence),
}

/** What becomes of users whom the application has checked itself. */
export interface DirectorySettings {
  /** `stated`: they are taken as they come. `stored`: they have to be in the database, where their sessions are. */
  readonly credentials: 'stated' | 'stored'
}

/** With a database: users are those who are in it. */
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
