/** Sign-ups in databases over HTTP, such as D1, which do not support transactions. */
import { drizzle } from 'drizzle-orm/d1'
import Database from 'libsql'
import { Kysely, SqliteDialect, SqliteDriver } from 'kysely'
import type { Driver } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import DrizzleAdapter from '../../src/adapters/drizzle.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { browser, issuer, testAdapter } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { sqliteStatements, sqliteTables } from './drizzle-tables.ts'
import { testAccounts } from './manage-accounts.ts'
import { testPasskeyRemoval } from './manage-passkeys.ts'
import { testSignIn } from './sign-in.ts'

const REFUSED =
  'D1_ERROR: To execute a transaction, please use the state.storage.transaction() APIs'

class Dialect extends SqliteDialect {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    const driver = new SqliteDriver({ database: this.#database })
    driver.beginTransaction = () => Promise.reject(new Error(REFUSED))
    return driver
  }
}

/** A prepared statement with the interface of D1. */
function statementOf(
  database: Database.Database,
  text: string,
  values: readonly unknown[] = [],
): object {
  const prepare = () => {
    if (/^\s*(?:begin|commit|rollback)/i.test(text)) throw new Error(REFUSED)
    return database.prepare(text)
  }
  return {
    bind: (...bound: unknown[]) => statementOf(database, text, bound),
    all: async () => ({ results: prepare().all(values) }),
    raw: async () => prepare().raw().all(values),
    run: async () => prepare().run(values),
  }
}

/** Tests sign-ins, and that a user whose account cannot be stored is deleted. */
function testWithout(adapter: Adapter, database: Database.Database, accounts: string): void {
  testAdapter(adapter, { test })
  testSignIn(() => adapter)
  testPasskeyRemoval(() => adapter)
  testAccounts(() => adapter)

  test('deletes a new user whose account cannot be stored', async () => {
    database.exec(
      `create trigger refuse before insert on ${accounts} when new.providerAccountId = 'refused' begin select raise(abort, 'refused'); end`,
    )
    const op = await issuer()
    const { config } = configFor(op, { adapter })
    const tab = browser(config, { issuer: op })
    const response = await tab.signIn('op', { sub: 'refused', email: 'refused@example.com' })
    expect(response.headers.get('location')).toContain('error=TemporarilyUnavailable')
    expect(await adapter.getUserByEmail?.('refused@example.com')).toBeNull()
    const again = await tab.signIn('op', { sub: 'welcome', email: 'refused@example.com' })
    expect(again.headers.get('location')).not.toContain('error')
  })
}

describe('Kysely', () => {
  const database = new Database(':memory:')
  for (const { statement } of createTables({
    dialect: 'sqlite',
    with: ['records', 'factors', 'passwords'],
  }))
    database.exec(statement)
  const db = new Kysely<object>({ dialect: new Dialect(database) })
  const options = { transactions: false, with: ['records', 'factors', 'passwords'] } as const
  testWithout(KyselyAdapter(db, options), database, 'accounts')
})

describe('Drizzle', () => {
  const database = new Database(':memory:')
  for (const statement of sqliteStatements) database.exec(statement)
  const db = drizzle({ prepare: (text: string) => statementOf(database, text) })
  const adapter = DrizzleAdapter(db, sqliteTables, { transactions: false })
  testWithout(adapter, database, 'people_accounts')
})
