/** Tables from before utf8mb4 refuse an emoji. Whoever runs the site is told what to do, and it helps. */
import { inspect } from 'node:util'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, beforeEach, expect, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Profile } from '../../src/types.ts'
import { configFor, oidc } from '../config.ts'
import { withDatabases } from './databases.ts'

const LATER = 'https://app.test/auth/error?error=TemporarilyUnavailable'
const TABLES = ['users', 'accounts', 'sessions', 'verification_tokens', 'authenticators']

const op = await issuer({ algorithm: 'ES256' })

await withDatabases(['mariadb'], ({ mariadb }) => {
  const pool = createPool({ uri: mariadb.url, timezone: 'Z' })
  const query = (statement: string) => pool.promise().query(statement)
  afterAll(() => pool.end())

  beforeEach(async () => {
    for (const table of [...TABLES].reverse()) await query(`drop table if exists ${table}`)
    for (const { statement } of createTables({ dialect: 'mariadb' })) {
      const collated = statement.replaceAll('utf8mb4_nopad_bin', 'latin1_bin')
      await query(collated.replaceAll('utf8mb4', 'latin1'))
    }
  })

  const adapter = KyselyAdapter(new Kysely<object>({ dialect: new MysqlDialect({ pool }) }))

  test.each([
    ['a name', { id: 'ada', name: 'Ada 🦊' }],
    ['an id', { id: 'ada🦊', name: 'Ada' }],
  ])('an emoji in %s', async (_what, named) => {
    const person = { sub: 'ada', email: 'ada@example.com' }
    const profile = ({ sub, email }: Profile) => ({
      ...named,
      id: named.id.replace('ada', String(sub)),
      email,
    })
    const { config, log } = configFor(op, {
      providers: [oidc(op, { profile })],
      adapter,
      session: { strategy: 'database' },
    })
    const tab = browser(config, { issuer: op })
    const response = await tab.signIn('op', person)
    expect(response.headers.get('location')).toBe(LATER)
    expect(await (await tab.follow(response)).text()).not.toMatch(/character|utf8mb4|latin1|users/i)
    const said = inspect(log.errors, { depth: null })
    const [, statement = ''] = /(ALTER TABLE \S+ CONVERT TO [^;]+);/.exec(said) ?? []
    expect(statement).toContain('`users`')
    expect(said).toMatch(/foreign keys .+ have to be dropped before, and added again/)

    const children = ['accounts', 'sessions', 'authenticators']
    for (const each of children) await query(`alter table ${each} drop foreign key ${each}_ibfk_1`)
    for (const each of TABLES) await query(statement.replace('users', each))
    for (const each of children)
      await query(`alter table ${each} add foreign key (userId) references users (id)`)
    await tab.signIn('op', person)
    expect((await tab.session())?.user).toMatchObject({ email: person.email, name: named.name })

    // Somebody whose account differs in case alone is somebody else.
    const other = browser(config, { issuer: op })
    const lady = { sub: 'ADA', email: 'lady@example.com' }
    await other.signIn('op', lady)
    expect((await other.session())?.user).toMatchObject({ email: lady.email })
  })
})
