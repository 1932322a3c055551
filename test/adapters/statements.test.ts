/** The number of SQL statements per operation; each is a round trip. */
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import type { SqlDialect } from '../../src/cli/database/create-tables.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../src/passkeys.ts'
import { followLink, mailProvider, requestLink } from '../email.ts'
import { expectSignedIn } from '../oauth.ts'
import { addPasskey, headersOf, userIdOf } from '../passkeys.ts'
import { readWith, SESSION, cookieValue } from '../sessions.ts'
import { withServers } from './servers.ts'

const op = await issuer({ algorithm: 'ES256' })

/** The first word of each statement since the last call of `since`. */
function counter() {
  const words: string[] = []
  return {
    sent: (text: string) => void words.push(/\w+/.exec(text)?.[0] ?? text),
    since: () => words.splice(0),
  }
}

function suite(db: Kysely<object>, dialect: SqlDialect, since: () => string[]): void {
  const mails: VerificationRequest[] = []
  const adapter = KyselyAdapter(db)
  const { config, log } = configFor(op, { providers: [oidc(op), mailProvider(mails)], adapter })
  const open = () => browser(config, { issuer: op })

  beforeAll(async () => {
    for (const { statement } of createTables({ dialect })) await sql.raw(statement).execute(db)
  })
  afterAll(() => db.destroy())

  test('reads a session with one statement, over the route and directly', async () => {
    const tab = open()
    await expectSignedIn({ tab, log }, await tab.signIn('op'))
    for (let time = 0; time < 2; time++) {
      since()
      expect((await tab.session())?.user?.name).toBe('Ada Lovelace')
      expect(since()).toEqual(['select'])
      const { session } = await readWith(`${SESSION}=${cookieValue(tab)}`, config)
      expect(session?.user?.name).toBe('Ada Lovelace')
      expect(since()).toEqual(['select'])
    }
  })

  test('runs no statement for an unauthenticated visitor', async () => {
    since()
    expect(await open().session()).toBeNull()
    expect(since()).toEqual([])
  })

  test('signs an existing user in at a provider with four statements', async () => {
    await open().signIn('op')
    const tab = open()
    since()
    const response = await tab.signIn('op')
    expect(since()).toEqual(['select', 'insert', 'select', 'update'])
    await expectSignedIn({ tab, log }, response)
  })

  test('signs an existing user in with a magic link with six statements', async () => {
    const site = { config, mails }
    const first = open()
    await followLink(first, await requestLink(first, site, 'edith@example.com'))
    const tab = open()
    const link = await requestLink(tab, site, 'edith@example.com')
    since()
    const response = await followLink(tab, link)
    expect(since()).toEqual(['delete', 'select', 'delete', 'update', 'insert', 'select'])
    await expectSignedIn({ tab, log }, response)
  })

  test('manages passkeys: two statements for the user, and one for each step', async () => {
    const tab = open()
    const email = 'hedy@example.com'
    await tab.signIn('op', { sub: 'hedy', email })
    const userId = await userIdOf(adapter, email)
    const [first, second] = [await addPasskey(adapter, userId), await addPasskey(adapter, userId)]
    const headers = headersOf(tab)
    since()
    const user = ['select', 'select']
    await listPasskeys(headers, config)
    expect(since()).toEqual([...user, 'select'])
    await renamePasskey(headers, config, first, 'Phone')
    expect(since()).toEqual([...user, 'select', 'update'])
    await removePasskey(headers, config, first)
    const unlink = ['select', 'delete']
    // Lists the accounts, too, before and after.
    const checks = ['select', 'delete', 'select', 'select']
    expect(since()).toEqual([...user, 'select', ...checks, ...unlink])
    await removePasskey(headers, config, second)
    expect(since()).toEqual([...user, 'select', ...checks, ...unlink])
  })

  test('reads the columns of passkeys once', async () => {
    const own = KyselyAdapter(db)
    since()
    await own.getAuthenticator('none')
    expect(since()).toEqual(['select', 'select'])
    await own.getAuthenticator('none')
    expect(since()).toEqual(['select'])
  })

  test('signs out with two statements, one for each form of the token', async () => {
    const tab = open()
    await tab.signIn('op')
    since()
    await tab.post('signout')
    expect(since()).toEqual(['delete', 'delete'])
    expect(await tab.session()).toBeNull()
  })
}

describe('SQLite', () => {
  const { sent, since } = counter()
  const file = new Database(':memory:')
  const database = {
    prepare(text: string) {
      sent(text)
      return file.prepare(text)
    },
    close: () => void file.close(),
  }
  const db = new Kysely<object>({ dialect: new SqliteDialect({ database }) })
  suite(db, 'sqlite', since)
})

await withServers(['postgres'], ({ postgres }) => {
  const { sent, since } = counter()
  const pool = new Pool({ connectionString: postgres.url })
  pool.on('connect', (client) => {
    const query = new Proxy(client.query.bind(client), {
      apply(target, _client, args: [string | { text: string }]) {
        const [first] = args
        sent(typeof first === 'string' ? first : first.text)
        return Reflect.apply(target, undefined, args)
      },
    })
    Reflect.set(client, 'query', query)
  })
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  describe('PostgreSQL', () => suite(db, 'postgres', since))
})
