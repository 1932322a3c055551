/** The driver that `openSqlite` selects in an application with some of them installed. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../tools/run.mjs'
import { availableDrivers } from './sqlite-drivers.ts'

const hasNodeSqlite = (await availableDrivers()).includes('node:sqlite')

/** Opens a file in an application with these packages; returns the output. */
async function open(
  packages: readonly string[],
  options = '',
  broken: readonly string[] = [],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-drivers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'node_modules/lib-auth')
  for (const path of ['adapters/sqlite.js', 'chunks'])
    cpSync(join('dist', path), join(own, path), { recursive: true })
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }')
  for (const name of packages) {
    mkdirSync(join(folder, 'node_modules', name))
    const constructor = broken.includes(name)
      ? `constructor() { throw new Error('no binding') }`
      : ''
    const code = `module.exports = class { ${constructor} close() {} exec(text) { console.log('${name}', text) } }`
    writeFileSync(join(folder, 'node_modules', name, 'index.js'), code)
  }
  const script = `import { openSqlite } from './node_modules/lib-auth/adapters/sqlite.js'
    try {
      const database = await openSqlite(':memory:' ${options})
      console.log(database.prepare('pragma busy_timeout').all([]))
    } catch (error) { console.log(error.message) }`
  writeFileSync(join(folder, 'open.mjs'), script)
  return run(process.execPath, ['--no-warnings', 'open.mjs'], { cwd: folder })
}

test.each([
  { packages: ['better-sqlite3', 'libsql'], first: 'better-sqlite3 pragma busy_timeout = 2000' },
  { packages: ['libsql'], first: 'libsql pragma busy_timeout = 2000' },
])('opens a file with node:sqlite, or the first of $packages', async ({ packages, first }) => {
  expect(await open(packages)).toContain(hasNodeSqlite ? 'timeout: 2000' : first)
})

test('uses the given driver and busy timeout', async () => {
  expect(
    await open(['better-sqlite3', 'libsql'], `, { driver: 'libsql', busyTimeout: 250 }`),
  ).toContain('libsql pragma busy_timeout = 250')
})

test('skips a package whose compiled part is missing', async () => {
  const output = await open(['better-sqlite3', 'libsql'], '', ['better-sqlite3'])
  expect(output).toContain(hasNodeSqlite ? 'timeout: 2000' : 'libsql pragma busy_timeout = 2000')
})

test('names the package to install without any driver', async () => {
  expect(await open([], `, { driver: 'libsql' }`)).toBe(
    'No SQLite driver could be loaded (libsql). Use Node 22.16 or newer, or run: npm install libsql\n',
  )
})
