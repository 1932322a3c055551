/** What `lib-auth schema` prints for the tools of other adapters, which applications have in their repository. */
import { existsSync } from 'node:fs'

export const SCHEMAS: readonly (readonly [
  file: string,
  adapter: 'drizzle' | 'prisma',
  dialect: 'sqlite' | 'postgres' | 'mysql',
])[] = [
  ['drizzle.sqlite.ts', 'drizzle', 'sqlite'],
  ['drizzle.postgres.ts', 'drizzle', 'postgres'],
  ['drizzle.mysql.ts', 'drizzle', 'mysql'],
  ['schema.prisma', 'prisma', 'postgres'],
  ['schema.mysql.prisma', 'prisma', 'mysql'],
]

/** Releases before 0.1.0 froze none. */
export const hasSchemas = (version: string): boolean =>
  existsSync(new URL(`${version}/database/schema.prisma`, import.meta.url))
