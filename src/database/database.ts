import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import type { CallContext } from './call.ts'
import type { SessionRow } from './rows.ts'

export type DatabaseSource = () => Promise<Database>

/** Database operations of the core. Each throws `AdapterError` if the adapter fails. */
export interface Database {
  /** Whether the adapter implements an optional method. */
  has(method: keyof Adapter): Promise<boolean>
  user(ctx: CallContext, id: string): Promise<AdapterUser | null>
  userByEmail(ctx: CallContext, email: string): Promise<AdapterUser | null>
  userByAccount(ctx: CallContext, key: AdapterAccountKey): Promise<AdapterUser | null>
  createUser(ctx: CallContext, user: AdapterUser): Promise<AdapterUser>
  updateUser(
    ctx: CallContext,
    user: Partial<AdapterUser> & Pick<AdapterUser, 'id'>,
  ): Promise<AdapterUser>
  deleteUser(ctx: CallContext, id: string): Promise<void>
  linkAccount(ctx: CallContext, account: AdapterAccount): Promise<void>
  unlinkAccount(ctx: CallContext, key: AdapterAccountKey): Promise<void>
  /** Best-effort update of a stored account; errors are logged. */
  refreshAccount(
    ctx: CallContext,
    account: Partial<AdapterAccount> & AdapterAccountKey,
  ): Promise<void>
  accountsOf(ctx: CallContext, userId: string): Promise<readonly AdapterAccount[]>
  /** Returns the session, which may have expired. */
  session(ctx: CallContext, sessionToken: string): Promise<SessionRow | null>
  createSession(ctx: CallContext, session: AdapterSession): Promise<AdapterSession>
  extendSession(
    ctx: CallContext,
    session: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  ): Promise<void>
  /** Returns the deleted session if the adapter does. `limit` in milliseconds. */
  deleteSession(
    ctx: CallContext,
    sessionToken: string,
    limit?: number,
  ): Promise<AdapterSession | null>
  sessionsOf(ctx: CallContext, userId: string): Promise<readonly AdapterSession[]>
  deleteSessionsOf(ctx: CallContext, userId: string): Promise<void>
  createToken(ctx: CallContext, token: VerificationToken): Promise<void>
  /** Reads and deletes a token; of several concurrent calls one receives it. */
  useToken(
    ctx: CallContext,
    key: Pick<VerificationToken, 'identifier' | 'token'>,
  ): Promise<VerificationToken | null>
  deleteTokensOf(ctx: CallContext, identifier: string): Promise<void>
  /** Commits or rolls back everything in `work`. Optional in adapters. */
  transaction<T>(ctx: CallContext, work: (database: Database) => Promise<T>): Promise<T | null>
}
