/** SQLite files that another process has locked: no acknowledged write is lost. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { run } from '../../tools/run.mjs'
import { makeTables } from './kysely.ts'
import { availableDrivers } from './sqlite-drivers.ts'
import { TYPED } from '../config.ts'
import { visitor } from './outage/visitor.ts'
import type { Visitor } from './outage/visitor.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Locks the file in a child process; resolves with a function that ends the process. */
async function lock(path: string, statements: string): Promise<() => Promise<void>> {
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import Database from 'libsql'
      const database = new Database(process.argv[1])
      database.exec(process.argv[2])
      process.stdin.on('end', () => database.exec('rollback')).resume()
      console.log('locked')`,
      path,
      statements,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(holder, 'exit')
  await Promise.race([
    once(holder.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('The process that holds the lock ended.'))),
  ])
  return async () => {
    holder.stdin.end()
    await ended
  }
}

/** The addresses of users with a session, as read by a new process. */
async function signedInUsers(path: string): Promise<unknown> {
  const script = `import Database from 'libsql'
    const rows = new Database(process.argv[1]).prepare(\`select users.email from sessions
      inner join users on users.id = sessions."userId" order by users.email\`).all()
    console.log(JSON.stringify(rows.map(({ email }) => email)))`
  return JSON.parse(await run(process.execPath, ['--input-type=module', '--eval', script, path]))
}

const signIn = async ({ tab }: Visitor) =>
  (await tab.post('callback/password', { ...TYPED, callbackUrl: '/in' })).headers.get('location')

const signOut = async ({ tab }: Visitor) =>
  (await tab.post('signout', { callbackUrl: '/out' })).headers.get('location')

const IN = 'https://app.test/in'
const OUT = 'https://app.test/out'

const LOCKS = [
  { holder: 'writes', statements: 'begin immediate' },
  { holder: 'holds an exclusive lock', statements: 'begin exclusive' },
  { holder: 'reads', statements: 'begin; select count(*) from users' },
]

const cases = (await availableDrivers()).flatMap((driver) =>
  ['delete', 'wal'].map((journal) => ({ driver, journal })),
)

describe.each(cases)('$driver, journal_mode = $journal', ({ driver, journal }) => {
  test.each(LOCKS)(
    'keeps acknowledged changes after another process $holder',
    async ({ statements }) => {
      const path = join(folder, `${crypto.randomUUID()}.db`)
      const dialect = new SqliteDialect({
        database: () => openSqlite(path, { busyTimeout: 100, driver }),
      })
      const db = new Kysely<object>({ dialect })
      onTestFinished(() => db.destroy())
      await sql.raw(`pragma journal_mode = ${journal}`).execute(db)
      await makeTables(db, 'sqlite')
      const adapter = KyselyAdapter(db)
      const [ada, grace, joan] = [visitor(adapter), visitor(adapter), visitor(adapter)]
      expect(await signIn(ada)).toBe(IN)

      const unlock = await lock(path, statements)
      const first = [await signOut(ada), await signIn(grace)]
      await unlock()
      // The user repeats a request that failed.
      if (first[0] !== OUT) expect(await signOut(ada)).toBe(OUT)
      if (first[1] !== IN) expect(await signIn(grace)).toBe(IN)
      expect(await signIn(joan)).toBe(IN)

      expect(await signedInUsers(path)).toEqual([grace.person.email, joan.person.email].sort())
      expect(await ada.tab.session()).toBeNull()
    },
  )
})
