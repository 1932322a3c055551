/** Rate limits in the records of an adapter. */
import { Kysely, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { afterAll } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import KyselyAdapter from '../../../src/adapters/kysely.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import type { RateLimitStore } from '../../../src/core/config/protection-options.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { createContext } from '../../../src/core/context.ts'
import { createJar } from '../../../src/core/cookies/jar.ts'
import { recordLimits } from '../../../src/core/limits/records.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { passwordConfig } from '../../config.ts'

/** A store as a process of its own would open it: it combines no writes with another one. */
export async function overRecords(adapter: Adapter): Promise<RateLimitStore> {
  const own = { ...adapter }
  const { config } = passwordConfig({ adapter: own, session: { strategy: 'jwt' } })
  const url = new URL('https://app.test/auth/signin')
  const created = createContext({ headers: new Headers(), url }, createJar(null), resolve(config))
  // Tests run for longer than a request.
  const ctx = { ...created, deadline: Infinity }
  const store = ctx.config.records && (await recordLimits(ctx, ctx.config.records))
  if (!store) throw new Error('The adapter has no records.')
  return store
}

/** An adapter of Kysely with a new table of records, until the tests end. */
export async function overKysely(
  dialect: Dialect,
  name: 'postgres' | 'sqlite',
): Promise<NonNullable<AuthConfig['store']> & Adapter> {
  const db = new Kysely<object>({ dialect })
  afterAll(() => db.destroy())
  for (const { statement } of createTables({ dialect: name, with: ['records'] }))
    await sql.raw(statement).execute(db)
  return KyselyAdapter(db, { with: ['records'] })
}
