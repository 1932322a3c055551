import { Kysely, SqliteDialect } from 'kysely'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import { openSqlite } from 'lib-auth/adapters/sqlite'

// Its tables were made by: npx lib-auth migrate --with records,passwords,factors --url file:demo.db
const dialect = new SqliteDialect({
  // Opened by the first query, so that a build needs no database.
  database: () => openSqlite(process.env.DATABASE_FILE || 'demo.db'),
})

function openAdapter() {
  // Records are for the list of devices, sessions in cookies that can be ended, and links in mails.
  return KyselyAdapter(new Kysely<object>({ dialect }), {
    with: ['records', 'passwords', 'factors'],
  })
}

declare global {
  var demoAdapter: ReturnType<typeof openAdapter> | undefined
  var demoLastProviders: Map<string, string> | undefined
}

// Next loads this module once for route handlers, once for pages and once for the proxy, and in development again
// after each change. SQLite lets one connection write at a time, so all of them share one adapter.
globalThis.demoAdapter ??= openAdapter()

export const adapter = globalThis.demoAdapter

/** The provider of the last sign-in, by user id; empty after a restart. */
globalThis.demoLastProviders ??= new Map()

export const lastProviders = globalThis.demoLastProviders
