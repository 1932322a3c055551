/** Three processes with one store have one limit (acceptance D1 and D5). */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import type { Dialect } from 'kysely'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import { withDatabases } from '../../adapters/databases.ts'

const SITE = join(import.meta.dirname, 'guessing-site.mjs')

interface Report {
  readonly calls: number
  readonly warnings: readonly string[]
  readonly isOwnerSignedIn: boolean
}

type Site = ReturnType<typeof fork>

function message(site: Site): Promise<unknown> {
  return Promise.race([
    once(site, 'message').then(([value]: unknown[]) => value),
    once(site, 'exit').then(() => Promise.reject(new Error('The process has ended.'))),
  ])
}

/** Has all sites guess at the same time. */
async function guessTogether(sites: readonly Site[]): Promise<Report[]> {
  for (const ready of await Promise.all(sites.map(message))) expect(ready).toBe('ready')
  const reports = sites.map(message)
  for (const site of sites) site.send('start')
  const reported = (await Promise.all(reports)) as Report[]
  for (const site of sites) site.send('continue')
  return reported
}

function expectOneLimit(reports: readonly Report[], burst: number): void {
  const calls = reports.reduce((sum, report) => sum + report.calls, 0)
  // A process that waits for the store for more than 200 ms, because the machine is busy, counts for itself.
  const alone = reports.filter(({ warnings }) => warnings.length > 0)
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThanOrEqual(burst * (1 + alone.length))
  expect(reports.map(({ isOwnerSignedIn }) => isOwnerSignedIn)).toEqual([true, true, true])
}

/** 200 guesses for one account from one address, then 1,000 for another from as many addresses. */
async function attackTogether(url: string): Promise<void> {
  const sites = [1, 2, 3].map(() => fork(SITE, [url]))
  onTestFinished(() => sites.forEach((site) => void site.kill()))
  expectOneLimit(await guessTogether(sites), 5)
  expectOneLimit(await guessTogether(sites), 30)
}

async function createRecords(dialect: Dialect, name: 'postgres' | 'sqlite'): Promise<void> {
  const db = new Kysely<object>({ dialect })
  for (const { statement } of createTables({ dialect: name, with: ['records'] }))
    await sql.raw(statement).execute(db)
  await db.destroy()
}

const TITLE = 'three processes allow one burst in all, and the owner signs in meanwhile, with'

test(`${TITLE} one SQLite file`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-limits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'database')
  await createRecords(new SqliteDialect({ database: () => openSqlite(file) }), 'sqlite')
  await attackTogether(`file:${file}`)
})

await withDatabases(['postgres', 'redis'], async ({ postgres, redis }) => {
  const pool = new Pool({ connectionString: postgres.url })
  await createRecords(new PostgresDialect({ pool }), 'postgres')
  test(`${TITLE} PostgreSQL`, () => attackTogether(postgres.url))
  test(`${TITLE} Redis`, () => attackTogether(redis.url))
})
