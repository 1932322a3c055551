/** The adapter of the application as the core uses it: every call limited in time, every answer checked. */
import type {
  Adapter,
  AdapterAccount,
  AdapterAccountKey,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from '../adapters/index.ts'
import { LIMITS } from '../deadline.ts'
import { call } from './call.ts'
import type { Call, CallContext } from './call.ts'
import { dateOf, knownUser, listOf, sessionOf, tokenOf, userOf } from './rows.ts'
import type { SessionRow } from './rows.ts'

/** Seconds of a read are worth more than what it may write on the way. */
const SIDE_LIMIT = 1_000

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

type Run = <T>(ctx: CallContext, each: Call<T>) => Promise<T | null>

/**
 * The adapter as a {@link Database}.
 *
 * @param source - the adapter, or what gives it whenever it is needed
 * @param hear - hears what every call is told
 */
export function databaseOf(
  source: Adapter | (() => Promise<Adapter>),
  hear?: (told: object) => void,
): Database {
  const run: Run = (ctx, each) => {
    hear?.(each.told)
    if (typeof source !== 'function') return call(ctx, source, each)
    return source().then((adapter) => call(ctx, adapter, each))
  }

  async function has(method: keyof Adapter): Promise<boolean> {
    const adapter = typeof source === 'function' ? await source() : source
    return typeof adapter[method] === 'function'
  }

  const done = async (ctx: CallContext, each: Call<unknown>): Promise<void> => {
    await run(ctx, each)
  }

  return {
    has,

    async user(ctx, id) {
      const method = 'getUser'
      return userOf(await run(ctx, { method, told: [id], run: (a) => a.getUser?.(id) }), method)
    },

    async userByEmail(ctx, email) {
      const method = 'getUserByEmail'
      const row = await run(ctx, { method, told: [email], run: (a) => a.getUserByEmail?.(email) })
      return userOf(row, method)
    },

    async userByAccount(ctx, { provider, providerAccountId }) {
      const method = 'getUserByAccount'
      const key = { provider, providerAccountId }
      return userOf(
        await run(ctx, { method, told: key, run: (a) => a.getUserByAccount?.(key) }),
        method,
      )
    },

    async createUser(ctx, user) {
      const method = 'createUser'
      return knownUser(
        await run(ctx, { method, told: user, run: (a) => a.createUser?.(user) }),
        method,
      )
    },

    async updateUser(ctx, user) {
      const method = 'updateUser'
      return knownUser(
        await run(ctx, { method, told: user, run: (a) => a.updateUser?.(user) }),
        method,
      )
    },

    deleteUser: (ctx, id) =>
      done(ctx, { method: 'deleteUser', told: [id], run: (a) => a.deleteUser?.(id) }),

    linkAccount: (ctx, account) =>
      done(ctx, { method: 'linkAccount', told: account, run: (a) => a.linkAccount?.(account) }),

    unlinkAccount: (ctx, { provider, providerAccountId }) => {
      const key = { provider, providerAccountId }
      return done(ctx, { method: 'unlinkAccount', told: key, run: (a) => a.unlinkAccount?.(key) })
    },

    async refreshAccount(ctx, account) {
      const method = 'updateAccount'
      if (!(await has(method))) return
      try {
        await run(ctx, {
          method,
          told: account,
          run: (a) => a.updateAccount?.(account),
          limit: SIDE_LIMIT,
        })
      } catch (error) {
        if (error instanceof Error) ctx.config.log.error(error)
      }
    },

    async accountsOf(ctx, userId) {
      const method = 'listAccounts'
      const told = [userId]
      return listOf(await run(ctx, { method, told, run: (a) => a.listAccounts?.(userId) }), method)
    },

    async session(ctx, sessionToken) {
      const method = 'getSessionAndUser'
      const told = [sessionToken]
      const row = await run(ctx, { method, told, run: (a) => a.getSessionAndUser?.(sessionToken) })
      return sessionOf(row, method)
    },

    async createSession(ctx, session) {
      const method = 'createSession'
      const row = await run(ctx, { method, told: session, run: (a) => a.createSession?.(session) })
      const { sessionToken, expires }: Partial<AdapterSession> = row ?? {}
      return {
        ...session,
        sessionToken: sessionToken || session.sessionToken,
        expires: dateOf(expires) ?? session.expires,
      }
    },

    extendSession: (ctx, session) =>
      done(ctx, {
        method: 'updateSession',
        told: session,
        run: (a) => a.updateSession?.(session),
        limit: SIDE_LIMIT,
      }),

    deleteSession: async (ctx, sessionToken, limit = LIMITS.adapter) =>
      (await run<AdapterSession | null | undefined | void>(ctx, {
        method: 'deleteSession',
        told: [sessionToken],
        run: (a) => a.deleteSession?.(sessionToken),
        limit,
      })) ?? null,

    deleteSessionsOf: (ctx, userId) =>
      done(ctx, {
        method: 'deleteUserSessions',
        told: [userId],
        run: (a) => a.deleteUserSessions?.(userId),
      }),

    createToken: (ctx, token) =>
      done(ctx, {
        method: 'createVerificationToken',
        told: token,
        run: (a) => a.createVerificationToken?.(token),
      }),

    async useToken(ctx, { identifier, token }) {
      const method = 'useVerificationToken'
      const key = { identifier, token }
      return tokenOf(
        await run(ctx, { method, told: key, run: (a) => a.useVerificationToken?.(key) }),
        method,
      )
    },

    deleteTokensOf: (ctx, identifier) =>
      done(ctx, {
        method: 'deleteVerificationTokens',
        told: [identifier],
        run: (a) => a.deleteVerificationTokens?.(identifier),
      }),

    transaction(ctx, work) {
      // Its end may repeat what any call in it was told.
      const told: object[] = []
      return run(ctx, {
        method: 'transaction',
        told,
        run: (a) => a.transaction?.((inner) => work(databaseOf(inner, (each) => told.push(each)))),
        limit: LIMITS.callback,
      })
    },
  }
}
