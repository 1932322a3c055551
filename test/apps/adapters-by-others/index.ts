/** Adapters that were written for another library, as they are on npm. */
export { DrizzleAdapter } from '@auth/drizzle-adapter'
export { KyselyAdapter } from '@auth/kysely-adapter'
export type { Database } from '@auth/kysely-adapter'
export { default as PostgresAdapter } from '@auth/pg-adapter'
export { UnstorageAdapter } from '@auth/unstorage-adapter'
export { createStorage } from 'unstorage'
