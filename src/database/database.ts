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

/** Gives the database; its code is loaded with the first use. */
export type DatabaseSource = () => Promise<Database>

/** What the core does with a database. Each throws `AdapterError` when the adapter fails. */
export interface Database {
  /** Whether the adapter has a method that not all of them have. */
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
  /** Keeps what is stored of an account up to date, where the adapter can; no reason to refuse anybody. */
  refreshAccount(
    ctx: CallContext,
    account: Partial<AdapterAccount> & AdapterAccountKey,
  ): Promise<void>
  accountsOf(ctx: CallContext, userId: string): Promise<readonly AdapterAccount[]>
  /** The session as it is stored; it may have expired. */
  session(ctx: CallContext, sessionToken: string): Promise<SessionRow | null>
  /** The session as it was stored. */
  createSession(ctx: CallContext, session: AdapterSession): Promise<AdapterSession>
  /** Moves the end of a session. */
  extendSession(
    ctx: CallContext,
    session: Pick<AdapterSession, 'sessionToken' | 'expires'>,
  ): Promise<void>
  /** Ends a session; answers what it was, if the adapter says. */
  deleteSession(
    ctx: CallContext,
    sessionToken: string,
    limit?: number,
  ): Promise<AdapterSession | null>
  sessionsOf(ctx: CallContext, userId: string): Promise<readonly AdapterSession[]>
  deleteSessionsOf(ctx: CallContext, userId: string): Promise<void>
  createToken(ctx: CallContext, token: VerificationToken): Promise<void>
  /** Reads a token and deletes it; of many calls at the same time one gets it. */
  useToken(
    ctx: CallContext,
    key: Pick<VerificationToken, 'identifier' | 'token'>,
  ): Promise<VerificationToken | null>
  deleteTokensOf(ctx: CallContext, identifier: string): Promise<void>
  /** Does all of `work` or nothing; not all adapters can. */
  transaction<T>(ctx: CallContext, work: (database: Database) => Promise<T>): Promise<T | null>
}
