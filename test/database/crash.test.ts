/** A process that is killed in the middle of a sign-in leaves nothing behind that keeps the person out. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../src/cli/database/connect.ts'
import { migrate } from '../../src/cli/database/migrate.ts'
import { visit } from './crash-site.mjs'
import { withDatabases } from './databases.ts'

await withDatabases(['postgres'], async ({ postgres }) => {
  const SITE = join(import.meta.dirname, 'crash-site.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-crash-'))

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })

  const nothing = () => undefined
  const SILENT = {
    print: nothing,
    complain: nothing,
    progress: nothing,
    confirm: async () => true,
  }

  /** A visit in a process of its own, which is killed after that call of the database. */
  function killed(url: string, flow: string, last: number) {
    return spawnSync(process.execPath, [SITE, url, flow, String(last)], { encoding: 'utf8' })
  }

  /** How many rows there are in a table. */
  async function count(url: string, table: string): Promise<number> {
    return withDatabase(url, async ({ db }) => {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
      return rows.length
    })
  }

  const template = join(folder, 'empty.db')
  await migrate({ url: `file:${template}`, isAgreed: true }, SILENT)
  await migrate({ url: postgres.url, isAgreed: true }, SILENT)

  let number = 0

  /** Databases in which nobody has signed in yet. */
  const DATABASES = {
    SQLite() {
      const file = join(folder, `${++number}.db`)
      copyFileSync(template, file)
      return `file:${file}`
    },
    async PostgreSQL() {
      const { url } = postgres
      await withDatabase(url, ({ db }) =>
        sql`truncate users, accounts, sessions, verification_tokens, authenticators`.execute(db),
      )
      return url
    },
  }

  /** Calls of the database that a sign-in, a read and a sign-out of somebody new make. */
  const CALLS = { oidc: 8, email: 9 }

  describe.each(Object.entries(DATABASES))('%s', (_name, make) => {
    describe.each(Object.entries(CALLS))('while somebody new signs in by %s', (flow, calls) => {
      const done = { email: 'ada@example.com', isSignedOut: true }

      test('nothing is in the way the first time', async () => {
        const { stdout } = killed(await make(), flow, calls + 1)
        expect(JSON.parse(stdout)).toEqual({ ...done, calls })
      })

      test.each(Array.from({ length: calls }, (_, index) => index + 1))(
        'killed after call %d: they sign in afterwards, as one user',
        async (last) => {
          const url = await make()
          expect(killed(url, flow, last).signal).toBe('SIGKILL')
          expect(await visit(url, flow)).toMatchObject(done)
          expect(await count(url, 'users')).toBe(1)
          expect(await count(url, 'accounts')).toBe(flow === 'oidc' ? 1 : 0)
        },
      )
    })
  })
})
