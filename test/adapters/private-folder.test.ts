/**
 * Servers and browser start with private folders, and after another user has run the tests: root
 * starts database servers as another user.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startMariaDB, startPostgres, startRedis } from '../../tools/databases.mjs'
import { run } from '../../tools/run.mjs'
import { findBrowser, findMariaDB, findPostgres, findRedis } from '../services.ts'

/** `mkdtemp` makes folders of mode 0700. */
const folder = mkdtempSync(join(tmpdir(), 'lib-auth-private-'))
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Server = Awaited<ReturnType<typeof startRedis>>

async function startsAndEnds(starting: Promise<Server>): Promise<void> {
  const server = await starting
  expect(server.url).toContain(`127.0.0.1:${server.port}`)
  await server.end()
}

const programs = await findPostgres()

test.skipIf(!programs)('PostgreSQL starts from programs in a private folder', async () => {
  const installed = dirname(programs ?? '')
  const copy = join(folder, 'postgres')
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true })
  await startsAndEnds(startPostgres({ installed: join(copy, 'bin') }))
})

test.each([
  ['PostgreSQL', findPostgres, startPostgres],
  ['MariaDB', findMariaDB, startMariaDB],
  ['Redis', findRedis, startRedis],
] as const)('%s starts with a private folder for temporary files', async (_name, find, start) => {
  if (!(await find())) return
  vi.stubEnv('TMPDIR', folder)
  await startsAndEnds(start())
})

test('Chromium starts after another user has unpacked a private copy', async () => {
  vi.stubEnv('TMPDIR', folder)
  writeFileSync(join(folder, 'chromium'), '', { mode: 0o600 })
  const browser = await findBrowser()
  if (!browser) return
  // The start script of Debian may print a warning before it.
  expect(await run(browser.executablePath ?? '', ['--version'])).toMatch(/^\w+ \d+/m)
})
