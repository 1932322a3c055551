/** What the sites of several processes have in common: a storage, and a provider. */
import Redis from 'ioredis'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { insecureHttp } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import RedisAdapter from 'lib-auth/adapters/redis'
import { openSqlite } from 'lib-auth/adapters/sqlite'
import { Pool } from 'pg'

/**
 * @param {string} url
 * @param {('records' | 'factors' | 'passwords')[]} tables
 * @returns {import('lib-auth').Adapter}
 */
export function openAdapter(url, tables = ['records']) {
  if (url.startsWith('redis:')) return RedisAdapter(new Redis(url))
  const dialect = url.startsWith('postgres')
    ? new PostgresDialect({ pool: new Pool({ connectionString: url, max: 10 }) })
    : new SqliteDialect({ database: () => openSqlite(url.replace(/^file:/, '')) })
  return KyselyAdapter(new Kysely({ dialect }), { with: tables })
}

/** @param {string} issuer */
export function providerOf(issuer) {
  return {
    id: 'op',
    name: 'Test OP',
    type: /** @type {const} */ ('oidc'),
    issuer,
    clientId: 'client',
    clientSecret: 'a secret of the client',
    [insecureHttp]: true,
  }
}
