/** docs/databases: each page's commands print what it says, and its adapters store users. */
import { readFileSync } from 'node:fs'
import { getRequestListener } from '@hono/node-server'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SqliteDatabase } from 'kysely'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { openSqlite } from '../../src/adapters/sqlite.ts'
import { ownVersion } from '../../src/cli/own-version.ts'
import { programIn } from '../cli/program.ts'
import { configFor, SECRET } from '../config.ts'
import { listen } from '../frameworks/servers/listen.ts'
import { browser, issuer, testAdapter } from '../../src/testing/index.ts'
import { openGuide } from './guide.ts'

/** The command of a page without `npx lib-auth`, as words. */
function commandsOf(document: string): string[][] {
  const page = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  return [...page.matchAll(/^ *npx lib-auth (.+)$/gm)].map(([, words = '']) => words.split(' '))
}

const textsOf = (document: string) => openGuide('databases', document).blocks('text')

describe('docs/databases/custom.md', async () => {
  // Its tests run as tests of this file.
  await openGuide('databases-custom', 'docs/databases/custom.md').load('adapter.test.ts')
})

describe('docs/databases/custom.md: users behind an API', async () => {
  const guide = openGuide('databases-http', 'docs/databases/custom.md')
  type Serve = (request: Request, adapter: Adapter, secret: string) => Promise<Response>
  const { serve } = await guide.load<{ serve: Serve }>('backend.ts')
  const { HttpAdapter } = await guide.load<{
    HttpAdapter: (url: string, secret: string) => Adapter
  }>('http-adapter.ts')
  const adapter = MemoryAdapter()
  // It answers 500 if the adapter throws.
  const listener = getRequestListener((request) => serve(request, adapter, SECRET))
  const { origin: url, stop } = await listen((req, res) => void listener(req, res))
  afterAll(stop)
  testAdapter(HttpAdapter(url, SECRET), { test })

  test('another secret is rejected, and a method that is not listed', async () => {
    await expect(HttpAdapter(url, 'guessed').getUser?.('1')).rejects.toThrow('401')
    const headers = { authorization: `Bearer ${SECRET}` }
    const body = JSON.stringify({ method: 'constructor', args: [] })
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(404)
  })
})

test('docs/databases/drizzle.md: shows the tables that its command prints', async () => {
  const document = 'docs/databases/drizzle.md'
  const [command = []] = commandsOf(document)
  const { run, read } = programIn()
  expect((await run(...command)).status).toBe(0)
  const shown = openGuide('databases', document)
    .blocks('ts')
    .find((code) => code.startsWith('// auth-schema.ts\n'))
  expect(read('auth-schema.ts').trim()).toBe(shown?.replace('// auth-schema.ts\n', ''))
})

test('docs/databases/prisma.md: the command prints the models that the page names', async () => {
  const [command = []] = commandsOf('docs/databases/prisma.md')
  const { stdout } = await programIn().run(...command)
  for (const model of ['User', 'Account', 'Session']) expect(stdout).toContain(`model ${model} {`)
})

test('docs/databases/migrate.md: a dry run changes nothing, and a second run finds all tables', async () => {
  const document = 'docs/databases/migrate.md'
  const [sql = '', upToDate = ''] = textsOf(document)
  const [onMachine = [], dryRun = [], confirmed = []] = commandsOf(document)
  expect(onMachine).toEqual(['migrate', '--url', 'file:app.db'])
  const { run } = programIn({ '.env': 'DATABASE_URL=file:app.db' })
  const url = ['--url', 'file:app.db']
  const unasked = await run(...onMachine)
  expect(unasked).toMatchObject({ status: 2, stderr: expect.stringContaining('Use --yes') })
  for (let time = 0; time < 2; time++) {
    const shown = await run(...dryRun, ...url)
    expect(shown.status).toBe(0)
    expect(shown.stdout).toContain(sql)
  }
  const page = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  const [complete, , incomplete] = Array.from(
    page.matchAll(/^\| `(schema: .*?)` \|/gm),
    // The page shows one version.
    ([, line = '']) =>
      line.replaceAll(/(?<=lib-auth )\d+\.\d+/g, ownVersion().split('.', 2).join('.')),
  )
  const check = ['migrate', '--check', ...url]
  expect(page).toContain('npx lib-auth migrate --check')
  expect(await run(...check)).toMatchObject({ status: 1, stderr: `${incomplete}\n` })
  expect(await run(...confirmed, ...url)).toMatchObject({ status: 0 })
  expect(await run(...confirmed, ...url)).toMatchObject({ status: 0, stdout: `${upToDate}\n` })
  expect(await run(...check)).toMatchObject({ status: 0, stderr: `${complete}\n` })
})

describe('docs/databases/existing-schema.md', async () => {
  const guide = openGuide('databases-existing', 'docs/databases/existing-schema.md')
  const op = await issuer()

  test('the command and the adapter use the same names, ids and additional columns', async () => {
    const [command = []] = commandsOf('docs/databases/existing-schema.md')
    const { run, pathOf } = programIn()
    expect(await run(...command, '--yes')).toMatchObject({ status: 0 })
    const database = await openSqlite(pathOf('app.db'))
    const all = (statement: string) => database.prepare(statement).all([])
    const [statements = ''] = guide.blocks('sql')
    for (const statement of statements.split('\n')) database.prepare(statement).run([])
    const { adapterFor } = await guide.load<{ adapterFor: (db: SqliteDatabase) => Adapter }>(
      'adapter.ts',
    )
    const adapter = adapterFor(database)
    onTestFinished(() => database.close())
    const { config, log } = configFor(op, { adapter })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    expect(log.errors).toEqual([])
    expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(all('select id, name, email_verified, plan from people')).toEqual([
      { id: 1, name: 'Ada Lovelace', email_verified: null, plan: 'free' },
    ])
    expect(await adapter.getUserByEmail?.('ada@example.com')).toHaveProperty('plan', 'free')
    expect(all('select provider, user_id from accounts')).toEqual([{ provider: 'op', user_id: 1 }])
  })
})
