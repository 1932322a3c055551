/** Three processes refresh a token once, and none loses it if one of them is killed (acceptance A2). */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import type { Dialect } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import { createTables } from '../../../src/cli/database/create-tables.ts'
import type { IssuerOptions } from '../../../src/testing/index.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { serveProvider } from '../served-provider.ts'
import { createTokenSite } from './token-config.mjs'

const SITE = join(import.meta.dirname, 'token-site.mjs')

type Site = ReturnType<typeof fork>

/** Tests of several storages run at the same time, so each registers its own ends. */
type AtEnd = TestContext['onTestFinished']

/** `onRefresh` is called with the id of the process before the response is sent. */
async function countRefreshes(
  atEnd: AtEnd,
  options: IssuerOptions,
  onRefresh: (process: number) => void = () => undefined,
) {
  let refreshes = 0
  const { op, close } = await serveProvider(
    { accessTokenLifetime: 3600, ...options },
    (body, { headers }) => {
      if (!body.includes('grant_type=refresh_token')) return
      refreshes++
      onRefresh(Number(headers['x-process']))
    },
  )
  atEnd(close)
  return { op, refreshes: () => refreshes }
}

async function message(site: Site): Promise<unknown> {
  const [value]: unknown[] = await once(site, 'message')
  return value
}

async function startSites(atEnd: AtEnd, args: readonly string[], count = 3): Promise<Site[]> {
  const sites = Array.from({ length: count }, () => fork(SITE, args))
  atEnd(() => sites.forEach((site) => void site.kill()))
  await Promise.all(sites.map(message))
  return sites
}

async function readTogether(sites: readonly Site[], cookie: string, calls: number) {
  const results = sites.map((site) => {
    const ended = new AbortController()
    const { signal } = ended
    const exit = once(site, 'exit', { signal }).then(() => [])
    return Promise.race([message(site), exit]).finally(() => ended.abort())
  })
  for (const site of sites) site.send({ cookie, calls })
  return (await Promise.all(results)).flat() as string[]
}

/** Signs Ada in; her access token has expired. */
async function signIn(
  database: string,
  where: string,
  provider: Awaited<ReturnType<typeof countRefreshes>>,
) {
  const { op } = provider
  const { adapter, signIn: signInAt } = createTokenSite({ database, issuer: op.url, where })
  const cookie = await signInAt(op)
  const expires_at = Math.floor(Date.now() / 1000) - 1
  await adapter?.updateAccount?.({ provider: 'op', providerAccountId: 'ada', expires_at })
  return cookie
}

async function createSchema(dialect: Dialect, name: 'postgres' | 'sqlite'): Promise<void> {
  const db = new Kysely<object>({ dialect })
  for (const { statement } of createTables({ dialect: name, with: ['records'] }))
    await sql.raw(statement).execute(db)
  await db.destroy()
}

type OpenDatabase = (atEnd: AtEnd) => Promise<string>

function sqlite(): OpenDatabase {
  return async (atEnd) => {
    const folder = mkdtempSync(join(tmpdir(), 'lib-auth-tokens-'))
    atEnd(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'database')
    await createSchema(new SqliteDialect({ database: () => openSqlite(file) }), 'sqlite')
    return `file:${file}`
  }
}

function testProcesses(storage: string, open: OpenDatabase): void {
  // Storages at the same time, because the tests wait for leases to end; the tests of one after each other.
  describe.concurrent(`three processes with ${storage}`, () => {
    describe.sequential('read a token', () => registerTests(open))
  })
}

function registerTests(open: OpenDatabase): void {
  test('50 calls send one request for a token that is stored with the session', async ({
    onTestFinished,
  }) => {
    // Due when less than 60 seconds are left.
    const provider = await countRefreshes(onTestFinished, {
      refreshTokens: 'rotated',
      accessTokenLifetime: 70,
    })
    const database = await open(onTestFinished)
    const { signIn: signInAt } = createTokenSite({
      database,
      issuer: provider.op.url,
      where: 'store',
    })
    const cookie = await signInAt(provider.op)
    const sites = await startSites(onTestFinished, [database, provider.op.url, 'store'])
    await new Promise((resolve) => void setTimeout(resolve, 11_000))
    const tokens = await readTogether(sites, cookie, 17)
    expect(tokens).toHaveLength(51)
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/)
    expect(provider.refreshes()).toBe(1)
  })

  test('50 calls send one request', async ({ onTestFinished }) => {
    const provider = await countRefreshes(onTestFinished, { refreshTokens: 'rotated' })
    const database = await open(onTestFinished)
    const cookie = await signIn(database, 'account', provider)
    const sites = await startSites(onTestFinished, [database, provider.op.url, 'account'])
    const tokens = await readTogether(sites, cookie, 17)
    expect(tokens).toHaveLength(51)
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/)
    expect(provider.refreshes()).toBe(1)
  })

  test('the others continue when the one that refreshes is killed', async ({ onTestFinished }) => {
    let killed = 0
    const provider = await countRefreshes(onTestFinished, { refreshTokens: 'kept' }, (id) => {
      if (killed === 0) process.kill((killed = id), 'SIGKILL')
    })
    const database = await open(onTestFinished)
    const cookie = await signIn(database, 'account', provider)
    const sites = await startSites(onTestFinished, [database, provider.op.url, 'account'])
    const begun = Date.now()
    let tokens = await readTogether(sites, cookie, 5)
    const alive = sites.filter(({ pid }) => pid !== killed)
    expect(alive).toHaveLength(2)
    while (!tokens.every((token) => /^[\da-f-]{36}$/.test(token)) || tokens.length === 0) {
      expect(tokens.filter((each) => each.startsWith('AccessTokenError'))).toEqual([])
      expect(Date.now() - begun).toBeLessThan(40_000)
      tokens = await readTogether(alive, cookie, 5)
    }
    expect(provider.refreshes()).toBe(2)
  })
}

test('two processes without a store: the one that was too late keeps everything', async ({
  onTestFinished,
}) => {
  // Due when less than 60 seconds are left, and still valid when it is refused.
  const provider = await countRefreshes(onTestFinished, {
    refreshTokens: 'rotated',
    accessTokenLifetime: 70,
  })
  const site = { database: '', issuer: provider.op.url, where: 'cookie' }
  const { signIn: signInAt, read } = createTokenSite(site)
  const cookie = await signInAt(provider.op)
  const { accessToken: before } = await read(cookie)
  const sites = await startSites(onTestFinished, ['', provider.op.url, 'cookie'], 2)
  await new Promise((resolve) => void setTimeout(resolve, 11_000))
  const first = await readTogether(sites, cookie, 5)
  // The second one that the provider receives is one that was used: it revokes all that followed it.
  expect(provider.refreshes()).toBe(2)
  expect(first).toHaveLength(10)
  const late = first.filter((each) => each === before)
  const early = first.filter((each) => each !== before)
  expect([late.length, early.length]).toEqual([5, 5])
  expect(new Set(early).size).toBe(1)
  expect(early[0]).toMatch(/^[\da-f-]{36} set$/)
  // Neither sends the old token again, and the session stays.
  const second = await readTogether(sites, cookie, 5)
  expect(second.sort()).toEqual(first.sort())
  expect(provider.refreshes()).toBe(2)
})

testProcesses('one SQLite file', sqlite())

await withDatabases(['postgres', 'redis'], async ({ postgres, redis }) => {
  const pool = new Pool({ connectionString: postgres.url })
  await createSchema(new PostgresDialect({ pool }), 'postgres')
  testProcesses('PostgreSQL', async () => postgres.url)
  testProcesses('Redis', async () => redis.url)
})
