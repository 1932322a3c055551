import { drizzle } from 'drizzle-orm/node-postgres'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import { printedTables } from './drizzle-printed.ts'
import { testOnPostgres } from './outage/postgres.ts'

const tables = await printedTables('postgres')
await testOnPostgres((pool) => DrizzleAdapter(drizzle(pool), tables))
