import { checkModels, modelOf } from './_prisma/model.ts'
import type { ModelNames, PrismaDatabase } from './_prisma/model.ts'
import { rowsOf } from './_prisma/rows.ts'
import type { TableId } from './_schema.ts'
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from './index.ts'

export type { PrismaDatabase } from './_prisma/model.ts'
export type { TableId } from './_schema.ts'

/** Options of {@link PrismaAdapter}. */
export interface PrismaAdapterOptions {
  /** Names of the models in the client: `member` for `model Member`. @default singular: `user`, `account`, … */
  readonly models?: Partial<Record<TableId, string>> | undefined
}

const MODELS: ModelNames = {
  users: 'user',
  accounts: 'account',
  sessions: 'session',
  verificationTokens: 'verificationToken',
  authenticators: 'authenticator',
}

type WithUser<Row> = Row & { readonly user?: AdapterUser | null }

function required<Row>(row: Row | null, method: string): Row {
  if (row) return row
  throw new Error(`${method}: the row does not exist.`)
}

function passkeys(client: object, models: ModelNames): Adapter {
  if (!modelOf(client, models.authenticators)) return {}
  const authenticators = rowsOf<AdapterAuthenticator>(client, models.authenticators)
  return {
    createAuthenticator: (authenticator) => authenticators.insert(authenticator),
    getAuthenticator: (credentialID) => authenticators.find({ credentialID }),
    listAuthenticatorsByUserId: (userId) => authenticators.list({ userId }),
    async updateAuthenticatorCounter(credentialID, counter) {
      await authenticators.change({ credentialID }, { counter })
      return required(await authenticators.find({ credentialID }), 'updateAuthenticatorCounter')
    },
  }
}

function methodsOver(client: object, models: ModelNames): Adapter {
  const users = rowsOf<AdapterUser>(client, models.users)
  const accounts = rowsOf<WithUser<AdapterAccount>>(client, models.accounts)
  const sessions = rowsOf<WithUser<AdapterSession>>(client, models.sessions)
  const tokens = rowsOf<VerificationToken>(client, models.verificationTokens)

  return {
    // The Prisma schema determines the id.
    createUser: (user) => users.insert({ ...user, id: undefined }),
    getUser: (id) => users.find({ id }),
    getUserByEmail: (email) => users.find({ email }),
    async getUserByAccount({ provider, providerAccountId }) {
      const found = await accounts.find({ provider, providerAccountId }, { user: true })
      return found?.user ? users.read(found.user) : null
    },
    async updateUser({ id, ...changes }) {
      await users.change({ id }, changes)
      return required(await users.find({ id }), 'updateUser')
    },
    async deleteUser(userId) {
      await accounts.remove({ userId })
      await sessions.remove({ userId })
      if (modelOf(client, models.authenticators))
        await rowsOf(client, models.authenticators).remove({ userId })
      return users.take({ id: userId })
    },

    linkAccount: (account) => accounts.insert(account),
    unlinkAccount: ({ provider, providerAccountId }) =>
      accounts.take({ provider, providerAccountId }),
    async updateAccount({ provider, providerAccountId, ...changes }) {
      if (await accounts.change({ provider, providerAccountId }, changes)) return
      throw new Error('updateAccount: the row does not exist.')
    },
    getAccount: (providerAccountId, provider) => accounts.find({ provider, providerAccountId }),
    listAccounts: (userId) => accounts.list({ userId }),

    createSession: (session) => sessions.insert(session),
    async getSessionAndUser(sessionToken) {
      const found = await sessions.find({ sessionToken }, { user: true })
      if (!found?.user) return null
      const { user, ...session } = found
      return { session, user: users.read(user) }
    },
    updateSession: async ({ sessionToken, ...changes }) =>
      (await sessions.change({ sessionToken }, changes)) ? undefined : null,
    deleteSession: (sessionToken) => sessions.take({ sessionToken }),
    listSessions: (userId) => sessions.list({ userId }),
    deleteUserSessions: (userId) => sessions.remove({ userId }),

    createVerificationToken: (token) => tokens.insert(token),
    useVerificationToken: ({ identifier, token }) => tokens.take({ identifier, token }),
    deleteVerificationTokens: (identifier) => tokens.remove({ identifier }),

    async deleteExpired(now = new Date()) {
      await sessions.removeExpired(now)
      await tokens.removeExpired(now)
    },
    ...passkeys(client, models),
  }
}

/**
 * Stores users, accounts and sessions with Prisma 7, in models of the application, which owns the client.
 * `npx lib-auth schema --adapter prisma` prints the default models. Additional fields are filled from the fields of the
 * same name that `profile` returns; fields that a model lacks are dropped.
 *
 * The Prisma schema generates user ids: `id` requires a `@default`, and may be a number. Accounts and sessions require
 * a relation `user`. On PostgreSQL and MySQL, `previewFeatures = ["relationJoins"]` reads a session with one statement
 * instead of two. Passkeys require the model `Authenticator`.
 *
 * @throws Error when the client lacks a model, or a model lacks a field
 * @example
 * ```ts
 * import PrismaAdapter from 'lib-auth/adapters/prisma'
 * import type { PrismaDatabase } from 'lib-auth/adapters/prisma'
 *
 * // From the client that is generated: new PrismaClient({ adapter: new PrismaPg({ connectionString }) })
 * declare const prisma: PrismaDatabase
 *
 * export const adapter = PrismaAdapter(prisma)
 * ```
 */
export default function PrismaAdapter(
  prisma: PrismaDatabase,
  options: PrismaAdapterOptions = {},
): Adapter {
  const models = { ...MODELS, ...options.models }
  checkModels(prisma, models)

  async function transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
    return prisma.$transaction((client) => {
      const adapter: Adapter = {
        ...methodsOver(client, models),
        transaction: (more) => more(adapter),
      }
      return work(adapter)
    })
  }
  return {
    ...methodsOver(prisma, models),
    deleteUser: (userId) => transaction(async (adapter) => adapter.deleteUser?.(userId)),
    transaction,
  }
}
