import { createClient } from '@libsql/client'
import { drizzle as drizzleOverLibsql } from 'drizzle-orm/libsql'
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import SQLite from 'libsql'
import { Pool } from 'pg'
import { afterAll, describe } from 'vitest'
import LibKyselyAdapter from '../../src/adapters/kysely.ts'
import LibPrismaAdapter from '../../src/adapters/prisma.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect, SqlIds } from '../../src/cli/database/create-tables.ts'
import {
  createStorage,
  DrizzleAdapter,
  KyselyAdapter,
  PostgresAdapter,
  UnstorageAdapter,
} from '../apps/adapters-by-others/index.ts'
import type { Database } from '../apps/adapters-by-others/index.ts'
import { PrismaAdapter } from '../apps/prisma/index.ts'
import { connectPrisma } from './prisma-client.ts'
import { schemaOf, usualModels, usualTables } from './prisma-schemas.ts'
import { testCeremonies } from './passkey-ceremonies.ts'
import { testSignIn, testSwitch } from './sign-in.ts'
import { withDatabases } from './databases.ts'

await withDatabases(['postgres'], async ({ postgres: server }) => {
  const admin = new Pool({ connectionString: server.url })

  /** Creates a database. */
  async function database(name: string): Promise<string> {
    await admin.query(`create database ${name}`)
    return server.url.replace(/\w+$/, name)
  }

  function statements(
    dialect: SqlDialect,
    tables: Readonly<Record<string, string>>,
    ids?: SqlIds,
  ): string[] {
    return createTables({ dialect, tables, ids }).map(({ statement }) => statement)
  }

  /** The default tables of the Drizzle adapter. */
  const DRIZZLE = {
    users: 'user',
    accounts: 'account',
    sessions: 'session',
    verificationTokens: 'verificationToken',
    authenticators: 'authenticator',
  }

  const pools: Pool[] = []
  async function poolOn(name: string, ddl: readonly string[]): Promise<Pool> {
    const pool = new Pool({ connectionString: await database(name) })
    pools.push(pool)
    for (const each of ddl) await pool.query(each)
    return pool
  }

  const drizzlePool = await poolOn(
    'drizzle',
    statements('postgres', DRIZZLE).map((each) => each.replaceAll('timestamptz(3)', 'timestamp')),
  )
  const kyselyPool = await poolOn('kysely', [
    ...statements('postgres', usualTables, 'uuid'),
    'alter table "User" alter id set default gen_random_uuid()',
    'alter table "Account" add id uuid not null default gen_random_uuid()',
    'alter table "Session" add id uuid not null default gen_random_uuid()',
  ])
  /** The tables from the documentation of that adapter. */
  const pgPool = await poolOn('pg', [
    'create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text)',
    'create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint, id_token text, scope text, session_state text, token_type text)',
    'create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null)',
    'create table verification_token (identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token))',
  ])
  await poolOn('prisma', [
    ...createTables({
      dialect: 'postgres',
      tables: usualTables,
      with: ['records', 'factors', 'passwords'],
    }).map(({ statement }) => statement),
    ...['User', 'Account', 'Session'].map(
      (table) =>
        `alter table "${table}" add "createdAt" timestamp(3) not null default now(), add "updatedAt" timestamp(3) not null`,
    ),
  ])
  const prisma = await connectPrisma(
    ['third-party', schemaOf('postgresql', usualModels)],
    ['@prisma/adapter-pg', 'PrismaPg', { connectionString: server.url.replace(/\w+$/, 'prisma') }],
  )

  const libsql = createClient({ url: 'file::memory:?cache=shared' })
  for (const each of statements('sqlite', DRIZZLE))
    await libsql.execute(each.replace(/("(?:expires|emailVerified)") text/, '$1 integer'))

  const sqlite = new SQLite(':memory:')
  for (const each of statements('sqlite', usualTables))
    sqlite.exec(
      each.replace('"id" text not null', '"id" text default (lower(hex(randomblob(16))))'),
    )

  const kyselyOverSQLite = new Kysely<Database>({
    dialect: new SqliteDialect({ database: sqlite }),
  })
  const kyselyOverPg = new Kysely<Database>({ dialect: new PostgresDialect({ pool: kyselyPool }) })

  afterAll(async () => {
    await prisma.$disconnect()
    for (const pool of [...pools, admin]) await pool.end()
    libsql.close()
  })

  const storage = createStorage()

  describe('@auth/kysely-adapter over SQLite', () => {
    testSignIn(() => KyselyAdapter(kyselyOverSQLite))
    testSwitch(
      () => KyselyAdapter(kyselyOverSQLite),
      () => LibKyselyAdapter(kyselyOverSQLite, { tables: usualTables }),
    )
  })
  describe('@auth/kysely-adapter over PostgreSQL', () => {
    testSignIn(() => KyselyAdapter(kyselyOverPg))
    testSwitch(
      () => KyselyAdapter(kyselyOverPg),
      () => LibKyselyAdapter(kyselyOverPg, { tables: usualTables, ids: 'uuid' }),
    )
  })
  describe('@auth/drizzle-adapter over SQLite', () => {
    testSignIn(() => DrizzleAdapter(drizzleOverLibsql(libsql)))
    testCeremonies(() => DrizzleAdapter(drizzleOverLibsql(libsql)))
  })
  describe('@auth/drizzle-adapter over PostgreSQL', () => {
    testSignIn(() => DrizzleAdapter(drizzleOverPg(drizzlePool)))
    testCeremonies(() => DrizzleAdapter(drizzleOverPg(drizzlePool)))
  })
  describe('@auth/pg-adapter', () => testSignIn(() => PostgresAdapter(pgPool)))
  describe('@auth/unstorage-adapter in memory', () => {
    testSignIn(() => UnstorageAdapter(storage))
    testCeremonies(() => UnstorageAdapter(storage))
  })
  describe('@auth/prisma-adapter over PostgreSQL', () => {
    testSignIn(() => PrismaAdapter(prisma))
    testCeremonies(() => PrismaAdapter(prisma))
    testSwitch(
      () => PrismaAdapter(prisma),
      () => LibPrismaAdapter(prisma),
    )
  })
  describe('lib-auth/adapters/prisma over PostgreSQL', () =>
    testSignIn(() => LibPrismaAdapter(prisma)))
})
