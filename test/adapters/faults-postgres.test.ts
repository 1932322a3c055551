import { Kysely, PostgresDialect } from 'kysely'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { testOnPostgres } from './outage/postgres.ts'

await testOnPostgres((pool) =>
  KyselyAdapter(new Kysely<object>({ dialect: new PostgresDialect({ pool }) })),
)
