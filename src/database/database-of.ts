/** The adapter as the core uses it: calls have a time limit, and rows are validated. */
import type { Adapter, AdapterSession } from '../adapters/index.ts'
import { isSameAddress } from '../case-folding.ts'
import { LIMITS } from '../deadline.ts'
import type { Awaitable } from '../types.ts'
import { call } from './call.ts'
import type { Call, CallContext } from './call.ts'
import type { Database } from './database.ts'
import { inTurn } from './in-turn.ts'
import type { Turns } from './in-turn.ts'
import { accountsOf, dateOf, knownUser, rowsOf, sessionOf, tokenOf, userOf } from './rows.ts'

/** Timeout in milliseconds for best-effort writes during a read. */
const SIDE_LIMIT = 1_000

type Run = <Row, Result>(ctx: CallContext, each: Call<Row, Result>) => Promise<Result>

const asIs = <Row>(row: Row): Row => row

const nothing = (): void => undefined

/**
 * Wraps an adapter as a {@link Database}.
 *
 * @param source - the adapter, or a function that loads it
 * @param hear - receives the arguments of every call
 */
export function databaseOf(
  source: Adapter | (() => Promise<Adapter>),
  hear?: (told: object) => void,
): Database {
  // Serializes concurrent uses of a token, because an adapter may read the row before it deletes it.
  const uses: Turns = new Map()

  const run: Run = (ctx, each) => {
    hear?.(each.told)
    if (typeof source !== 'function') return call(ctx, source, each)
    return source().then((adapter) => call(ctx, adapter, each))
  }

  async function has(method: keyof Adapter): Promise<boolean> {
    const adapter = typeof source === 'function' ? await source() : source
    return typeof adapter[method] === 'function'
  }

  function deleteSession(
    ctx: CallContext,
    sessionToken: string,
    limit: number = LIMITS.adapter,
  ): Promise<AdapterSession | null> {
    return run(ctx, {
      method: 'deleteSession',
      told: [sessionToken],
      run: (a): Awaitable<AdapterSession | null | undefined | void> | undefined =>
        a.deleteSession?.(sessionToken),
      read: (row) => row ?? null,
      limit,
    })
  }

  return {
    has,

    user: (ctx, id) =>
      run(ctx, {
        method: 'getUser',
        told: [id],
        run: (a) => a.getUser?.(id),
        read: userOf,
        matches: (user) => user.id === id,
      }),

    userByEmail: (ctx, email) =>
      run(ctx, {
        method: 'getUserByEmail',
        told: [email],
        run: (a) => a.getUserByEmail?.(email),
        read: userOf,
        matches: (user) => isSameAddress(user.email, email),
      }),

    userByAccount(ctx, { provider, providerAccountId }) {
      const key = { provider, providerAccountId }
      return run(ctx, {
        method: 'getUserByAccount',
        told: key,
        run: (a) => a.getUserByAccount?.(key),
        read: userOf,
      })
    },

    createUser: (ctx, user) =>
      run(ctx, {
        method: 'createUser',
        told: user,
        run: (a) => a.createUser?.(user),
        read: knownUser,
      }),

    updateUser: (ctx, user) =>
      run(ctx, {
        method: 'updateUser',
        told: user,
        run: (a) => a.updateUser?.(user),
        read: knownUser,
        matches: ({ id }) => id === user.id,
      }),

    deleteUser: (ctx, id) =>
      run(ctx, { method: 'deleteUser', told: [id], run: (a) => a.deleteUser?.(id), read: nothing }),

    linkAccount: (ctx, account) =>
      run(ctx, {
        method: 'linkAccount',
        told: account,
        run: (a) => a.linkAccount?.(account),
        read: nothing,
      }),

    unlinkAccount(ctx, { provider, providerAccountId }) {
      const key = { provider, providerAccountId }
      return run(ctx, {
        method: 'unlinkAccount',
        told: key,
        run: (a) => a.unlinkAccount?.(key),
        read: nothing,
      })
    },

    async refreshAccount(ctx, account) {
      const method = 'updateAccount'
      if (!(await has(method))) return
      try {
        await run(ctx, {
          method,
          told: account,
          run: (a) => a.updateAccount?.(account),
          read: nothing,
          limit: SIDE_LIMIT,
        })
      } catch (error) {
        if (error instanceof Error) ctx.config.log.error(error)
      }
    },

    accountsOf: (ctx, userId) =>
      run(ctx, {
        method: 'listAccounts',
        told: [userId],
        run: (a) => a.listAccounts?.(userId),
        read: (rows, method) => accountsOf(rows, { method, userId }),
      }),

    session: (ctx, sessionToken) =>
      run(ctx, {
        method: 'getSessionAndUser',
        told: [sessionToken],
        run: (a) => a.getSessionAndUser?.(sessionToken),
        read: sessionOf,
        matches: ({ session }) => session.sessionToken === sessionToken,
      }),

    createSession: (ctx, session) =>
      run(ctx, {
        method: 'createSession',
        told: session,
        run: (a) => a.createSession?.(session),
        // A session stored after the deadline is deleted, because no browser has its token.
        undo: (after, row) => deleteSession(after, row?.sessionToken ?? session.sessionToken),
        read(row) {
          const { sessionToken, expires }: Partial<AdapterSession> = row ?? {}
          return {
            ...session,
            sessionToken: sessionToken || session.sessionToken,
            expires: dateOf(expires) ?? session.expires,
          }
        },
      }),

    extendSession: (ctx, session) =>
      run(ctx, {
        method: 'updateSession',
        told: session,
        run: (a) => a.updateSession?.(session),
        read: nothing,
        limit: SIDE_LIMIT,
      }),

    deleteSession,

    sessionsOf: (ctx, userId) =>
      run(ctx, {
        method: 'listSessions',
        told: [userId],
        run: (a) => a.listSessions?.(userId),
        read: (rows, method) => rowsOf(rows, { method, userId }),
      }),

    deleteSessionsOf: (ctx, userId) =>
      run(ctx, {
        method: 'deleteUserSessions',
        told: [userId],
        run: (a) => a.deleteUserSessions?.(userId),
        read: nothing,
      }),

    createToken: (ctx, token) =>
      run(ctx, {
        method: 'createVerificationToken',
        told: token,
        run: (a) => a.createVerificationToken?.(token),
        read: nothing,
      }),

    useToken(ctx, { identifier, token }) {
      const key = { identifier, token }
      return inTurn(uses, `${identifier} ${token}`, () =>
        run(ctx, {
          method: 'useVerificationToken',
          told: key,
          run: (a) => a.useVerificationToken?.(key),
          read: tokenOf,
          matches: (row) => row.identifier === identifier && row.token === token,
        }),
      )
    },

    deleteTokensOf: (ctx, identifier) =>
      run(ctx, {
        method: 'deleteVerificationTokens',
        told: [identifier],
        run: (a) => a.deleteVerificationTokens?.(identifier),
        read: nothing,
      }),

    transaction(ctx, work) {
      // The error of a commit may quote the arguments of any call in the transaction.
      const told: object[] = []
      return run(ctx, {
        method: 'transaction',
        told,
        run: (a) => a.transaction?.((inner) => work(databaseOf(inner, (each) => told.push(each)))),
        read: asIs,
        limit: LIMITS.callback,
      })
    },
  }
}
