import { adapterMethods } from './_methods.ts'
import { prismaDriver } from './_prisma/driver.ts'
import { checkModels } from './_prisma/model.ts'
import type { ModelNames, PrismaDatabase } from './_prisma/model.ts'
import type { TableId } from './_schema.ts'
import { withTransactions } from './_transactions.ts'
import type { Adapter } from './index.ts'

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
  return withTransactions(adapterMethods(prismaDriver(prisma, models)), async (work) =>
    prisma.$transaction((client) => work(adapterMethods(prismaDriver(client, models)))),
  )
}
