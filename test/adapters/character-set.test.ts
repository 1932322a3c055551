/** MySQL tables without utf8mb4 reject an emoji. The log contains the statement that fixes them. */
import { inspect } from 'node:util'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { characterSetAdvice } from '../../src/adapters/_database-errors.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Profile } from '../../src/core/types.ts'
import { configFor, oidc } from '../config.ts'
import { withDatabases } from './databases.ts'

const LATER = 'https://app.test/auth/error?error=TemporarilyUnavailable'
const TABLES = ['users', 'accounts', 'sessions', 'verification_tokens', 'authenticators']

const op = await issuer({ algorithm: 'ES256' })

/** An error of a database, as drivers and ORMs report it. */
function failure(message: string, details: object = {}): Error {
  return Object.assign(new Error(message), details)
}

const INCORRECT_VALUE =
  "Incorrect string value: '\\xF0\\x9F\\xA6\\x8A' for column `test`.`users`.`name` at row 1"
const MIXED_COLLATIONS =
  "Illegal mix of collations (latin1_bin,IMPLICIT) and (utf8mb4_unicode_ci,COERCIBLE) for operation '='"

describe('an error about the character set of a table is recognized', () => {
  test.each([
    ['mysql2, in a write', failure(INCORRECT_VALUE, { errno: 1366 })],
    ['mysql2, in a comparison', failure(MIXED_COLLATIONS, { errno: 1267 })],
    ['mariadb', failure(`(conn=7, no: 1366, SQLState: 22007) ${INCORRECT_VALUE}`)],
    ['Prisma', failure(`Database error. Code: \`1366\`. Message: \`${INCORRECT_VALUE}\``)],
    [
      'Drizzle',
      failure('Failed query', {
        query: 'insert',
        cause: failure(INCORRECT_VALUE, { errno: 1366 }),
      }),
    ],
  ])('from %s', (_who, error) => {
    expect(characterSetAdvice(error)).toContain('CONVERT TO CHARACTER SET utf8mb4')
  })
})

describe.each([
  'illegal mix of collations',
  'Illegal mix of collations (',
  'incorrect string value',
  ') illegal mix of collations ',
  "Message: `incorrect string value: '",
])('a value with the text %s', (name) => {
  const query = `Failed query: insert into \`users\` (\`name\`) values (?)\nparams: ${name}`
  const duplicate = failure(`Duplicate entry '${name}' for key 'users_name'`, { errno: 1062 })

  test.each([
    ['in a duplicate name', duplicate],
    [
      'in an invalid number',
      failure(`Incorrect integer value: '${name}' for column`, { errno: 1366 }),
    ],
    ['in an invalid id', failure(`invalid input syntax for type uuid: "${name}"`)],
    ['in a query over MySQL', failure(query, { cause: duplicate })],
    [
      'in a query over PostgreSQL',
      failure(query, { cause: failure(`duplicate key value: (${name})`) }),
    ],
    ['in a query with an unknown error', failure(query)],
  ])('%s is not recognized as a character set error', (_what, error) => {
    expect(characterSetAdvice(error)).toBeNull()
  })
})

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
    ['a name', 'users', { id: 'ada', name: 'Ada 🦊' }],
    ['an id', 'accounts', { id: 'ada🦊', name: 'Ada' }],
  ])('an emoji in %s logs the statement that fixes the table %s', async (_what, table, named) => {
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
    const logged = inspect(log.errors, { depth: null })
    const [, statement = ''] = /(ALTER TABLE \S+ CONVERT TO [^;]+);/.exec(logged) ?? []
    expect(statement).toContain(`\`${table}\``)
    expect(logged).toMatch(/foreign keys .+ have to be dropped before, and added again/)

    const children = ['accounts', 'sessions', 'authenticators']
    for (const each of children) await query(`alter table ${each} drop foreign key ${each}_ibfk_1`)
    for (const each of TABLES) await query(statement.replace(table, each))
    for (const each of children)
      await query(`alter table ${each} add foreign key (userId) references users (id)`)
    await tab.signIn('op', person)
    expect((await tab.session())?.user).toMatchObject({ email: person.email, name: named.name })

    // An account id that differs only in case belongs to another user.
    const other = browser(config, { issuer: op })
    const otherUser = { sub: 'ADA', email: 'other@example.com' }
    await other.signIn('op', otherUser)
    expect((await other.session())?.user).toMatchObject({ email: otherUser.email })
  })
})
