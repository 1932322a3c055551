/** `@libsql/client` over a file: it opens several connections, which block each other when they write. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { Kysely } from 'kysely'
import { afterAll, describe, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { testAdapter } from '../../src/testing/index.ts'
import { LibsqlDialect } from '../apps/libsql/index.ts'
import { makeTables } from './kysely.ts'
import { testSignIn } from './sign-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-libsql-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([
  { title: 'without transactions', concurrency: 20, transactions: false },
  { title: 'with one connection and transactions', concurrency: 1, transactions: true },
])('libSQL $title', async ({ concurrency, transactions }) => {
  const client = createClient({ url: `file:${join(folder, `${concurrency}.db`)}`, concurrency })
  afterAll(() => client.close())
  await client.execute('pragma journal_mode = wal')
  const db = new Kysely<object>({ dialect: new LibsqlDialect({ client }) })
  await makeTables(db, 'sqlite', { with: ['records', 'factors', 'passwords'] })
  const adapter = KyselyAdapter(db, { transactions, with: ['records', 'factors', 'passwords'] })
  testAdapter(adapter, { test })
  testSignIn(() => adapter)
})
