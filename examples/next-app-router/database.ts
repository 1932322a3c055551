import { Kysely, SqliteDialect } from 'kysely'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import { openSqlite } from 'lib-auth/adapters/sqlite'

// Its tables were made by: npx lib-auth migrate --with records --url file:demo.db
const dialect = new SqliteDialect({
  // Opened by the first query, so that a build needs no database.
  database: () => openSqlite(process.env.DATABASE_FILE || 'demo.db'),
})

declare global {
  var demoAdapter: ReturnType<typeof KyselyAdapter> | undefined
  var demoLastProviders: Map<string, string> | undefined
}

// Next loads this module once for route handlers, once for pages and once for the proxy, and in development again
// after each change. SQLite lets one connection write at a time, so all of them share one adapter.
globalThis.demoAdapter ??= KyselyAdapter(new Kysely<object>({ dialect }), {
  // For the list of devices, and sessions in cookies that can be ended.
  with: ['records'],
})

export const adapter = globalThis.demoAdapter

/** The provider of the last sign-in, by user id; empty after a restart. */
globalThis.demoLastProviders ??= new Map()

export const lastProviders = globalThis.demoLastProviders
