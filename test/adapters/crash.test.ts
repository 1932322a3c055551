/** After a process is killed during a sign-in, the user can sign in again. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../src/cli/database/connect.ts'
import { migrate } from '../../src/cli/database/migrate.ts'
import { endSession, visit } from './crash-site.mjs'
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
    warn: nothing,
    progress: nothing,
    confirm: async () => true,
  }

  /** Runs a visit in a child process that is killed after this database call; returns the signal and the reports. */
  async function killed(url: string, flow: string, last: number) {
    const [signal, output] = await new Promise<[signal: string | undefined, output: string]>(
      (resolve) =>
        execFile(process.execPath, [SITE, url, flow, String(last)], (error, stdout) =>
          resolve([error?.signal, stdout]),
        ),
    )
    const lines = output.split('\n').filter(Boolean)
    const reports: Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
    return { signal, reports }
  }

  /** Number of rows in a table. */
  async function count(url: string, table: string): Promise<number> {
    return withDatabase(url, async ({ db }) => {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
      return rows.length
    })
  }

  const template = join(folder, 'empty.db')
  await migrate({ url: `file:${template}`, isConfirmed: true }, SILENT)
  await migrate({ url: postgres.url, isConfirmed: true }, SILENT)

  let number = 0

  /** Databases without users. */
  const DATABASES = [
    {
      name: 'SQLite',
      // Each has a file.
      concurrent: true,
      make: async () => {
        const file = join(folder, `${++number}.db`)
        copyFileSync(template, file)
        return `file:${file}`
      },
    },
    {
      name: 'PostgreSQL',
      concurrent: false,
      make: async () => {
        const { url } = postgres
        await withDatabase(url, ({ db }) =>
          sql`truncate users, accounts, sessions, verification_tokens, authenticators`.execute(db),
        )
        return url
      },
    },
  ]

  /** The sign-ins, each with its number of database calls. */
  const VISITS = [
    { who: 'a new user', flow: 'oidc', calls: 10 },
    { who: 'a new user', flow: 'email', calls: 11 },
    { who: 'an existing user', flow: 'oidc', calls: 7 },
    { who: 'an existing user', flow: 'email', calls: 11 },
  ]

  const testCrashes = (make: () => Promise<string>) =>
    describe.each(VISITS)(
      'a process killed while $who signs in by $flow and signs out',
      ({ who, flow, calls }) => {
        const done = { email: 'ada@example.com', isSignedOut: true }

        async function prepared(): Promise<string> {
          const url = await make()
          if (who === 'an existing user') expect(await visit(url, flow)).toMatchObject(done)
          return url
        }

        test('completes if it is not killed', async () => {
          const { reports } = await killed(await prepared(), flow, calls + 1)
          expect(reports).toEqual([{ sessionToken: expect.any(String) }, { ...done, calls }])
        })

        test.each(Array.from({ length: calls }, (_, index) => index + 1))(
          'after call %d does not prevent the user from signing in and out again',
          async (last) => {
            const url = await prepared()
            const { signal, reports } = await killed(url, flow, last)
            expect(signal).toBe('SIGKILL')
            for (const { sessionToken } of reports)
              expect(await endSession(url, String(sessionToken))).toBeNull()
            expect(await visit(url, flow)).toMatchObject(done)
            expect(await count(url, 'users')).toBe(1)
            expect(await count(url, 'accounts')).toBe(flow === 'oidc' ? 1 : 0)
            // A session whose cookie did not reach the browser expires.
            expect(await count(url, 'sessions')).toBeLessThanOrEqual(reports.length > 0 ? 0 : 1)
          },
        )
      },
    )

  for (const { name, concurrent, make } of DATABASES)
    describe(name, { concurrent }, () => testCrashes(make))
})
