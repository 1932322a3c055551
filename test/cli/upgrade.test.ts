/** `upgrade` prints the notes since the version in the lock file, and runs the other commands. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isMissingPackage } from '../../src/cli/errors.ts'
import { ownVersion } from '../../src/cli/own-version.ts'
import type { upgrade } from '../../src/cli/upgrade.ts'
import { GOOD_SECRET, PROGRAM } from './doctor/run-doctor.ts'
import { AUTH, contentOf, folderWith, OURS } from './folder.ts'
import { startIn } from './program.ts'

type Values = Parameters<typeof upgrade>[0]

// The built command: `doctor` starts a program in the same folder.
const importNatively: <T>(url: string) => Promise<T> = createRequire(import.meta.url)(
  './doctor/import-natively.cjs',
)
const built = importNatively<{ upgrade: typeof upgrade }>(
  pathToFileURL(join(PROGRAM, '../upgrade.js')).href,
)

const CHANGELOG = `# Changelog

Each section is for people who upgrade.

## 0.3.0 (2028-01-01)

### Upgrade notes

- Third. See [upgrade](docs/upgrade.md).

## 0.2.1 (2027-02-01)

- A fix.

## 0.2.0 (2027-01-01)

- Second.

## 0.1.0 (2026-11-30)

The first release.
`

const APPLICATION = {
  'package.json': '{ "dependencies": { "lib-auth": "*" } }',
  'auth.mjs': `const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
export const config = { providers: [password], secret: '${GOOD_SECRET}', trustHost: true, session: { strategy: 'jwt' } }\n`,
}

const npmLock = (version: string) =>
  JSON.stringify(
    { packages: { '': {}, 'node_modules/lib-auth': { version, resolved: 'https://r.test' } } },
    null,
    2,
  )

interface Result {
  readonly code: number | string
  readonly text: string
  /** The headings of the changelog that were printed. */
  readonly notes: readonly string[]
}

/** Runs the command in a folder, as version 0.3.0. */
async function runIn(folder: string, values: Values = {}, version = '0.3.0'): Promise<Result> {
  const { upgrade: run } = await built
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const before = process.cwd()
  process.chdir(folder)
  try {
    const terminal = { print, warn: print, progress: () => undefined, confirm: async () => null }
    const code: number | string = await run(values, terminal, {
      changelog: CHANGELOG,
      version,
    }).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error
      print(error.message)
      return error.name
    })
    const text = lines.join('\n')
    return { code, text, notes: text.match(/^\d+\.\d+\.\d+(?= \()/gm) ?? [] }
  } finally {
    process.chdir(before)
  }
}

const upgradeWith = (files: Record<string, string>, values?: Values, version?: string) =>
  runIn(folderWith({ ...APPLICATION, ...files }), values, version)

const PNPM_9 = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      lib-auth:
        specifier: ^0.1.0
        version: 0.1.0(kysely@0.28.8)

packages:

  lib-auth@0.1.0:
    resolution: {integrity: sha512-x}

snapshots:

  lib-auth@0.1.0(kysely@0.28.8):
    dependencies:
      kysely: 0.28.8
`

describe('finds the version before', () => {
  test.each([
    ['package-lock.json', npmLock('0.1.0')],
    ['package-lock.json', `{ "dependencies": { "lib-auth": {\n "version": "0.1.0" } } }`],
    // npm keeps the format.
    ['package-lock.json', JSON.stringify(JSON.parse(npmLock('0.1.0')))],
    [
      'package-lock.json',
      `\uFEFF{ "packages": { "node_modules/a": { "name": "lib-auth", "version": "0.1.0" } } }`,
    ],
    ['npm-shrinkwrap.json', npmLock('0.1.0')],
    ['pnpm-lock.yaml', PNPM_9],
    ['pnpm-lock.yaml', `packages:\n\n  /lib-auth@0.1.0(kysely@0.28.8):\n    dev: false\n`],
    ['pnpm-lock.yaml', `packages:\n\n  /lib-auth/0.1.0_kysely@0.28.8:\n    dev: false\n`],
    ['yarn.lock', `lib-auth@^0.1.0:\n  version "0.1.0"\n  resolved "https://r.test"\n`],
    ['yarn.lock', `"lib-auth@npm:^0.1.0":\r\n  version: 0.1.0\r\n`],
    ['yarn.lock', `"auth@npm:lib-auth@0.1.0":\n  version "0.1.0"\n`],
    ['bun.lock', `{\n  "packages": {\n    "auth": ["lib-auth@0.1.0", "", {}, "sha512"],\n  }\n}`],
    [
      'bun.lock',
      `{\n  "packages": {\n    "lib-auth": ["lib-auth@0.1.0", "", {}, "sha512"],\n  }\n}`,
    ],
  ])('in %s (%#)', async (name, lock) => {
    const { code, notes, text } = await upgradeWith({ [name]: lock })
    expect(notes).toEqual(['0.3.0', '0.2.1', '0.2.0'])
    expect(text).toContain('Third. See upgrade (node_modules/lib-auth/docs/upgrade.md).')
    expect(text).not.toContain('The first release.')
    expect(code).toBe(0)
  })

  test('the oldest one of several copies', async () => {
    const lock = `lib-auth@0.2.0:\n  version "0.2.0"\n\nlib-auth@~0.2.1:\n  version "0.2.1"\n`
    expect((await upgradeWith({ 'yarn.lock': lock })).notes).toEqual(['0.3.0', '0.2.1'])
  })

  test('in the lock file of a workspace above the application, and not of another package', async () => {
    const other = `\n\nmy-lib-auth@^9.0.0:\n  version "9.0.0"\n`
    const root = folderWith({
      'yarn.lock': `lib-auth@^0.2.0:\n  version "0.2.1"${other}`,
      'apps/site/package.json': APPLICATION['package.json'],
      'apps/site/auth.mjs': APPLICATION['auth.mjs'],
    })
    expect((await runIn(join(root, 'apps/site'))).notes).toEqual(['0.3.0'])
  })

  test('in --from, before that of the lock file', async () => {
    const files = { 'package-lock.json': npmLock('0.3.0') }
    expect((await upgradeWith(files, { from: '0.2.0' })).notes).toEqual(['0.3.0', '0.2.1'])
    // No lock file is needed.
    expect((await upgradeWith({}, { from: '0.2.1' })).notes).toEqual(['0.3.0'])
  })

  test('of a prerelease, before the release', async () => {
    const files = { 'package-lock.json': npmLock('0.2.0-rc.1') }
    expect((await upgradeWith(files)).notes).toEqual(['0.3.0', '0.2.1', '0.2.0'])
    const own = await upgradeWith(files, {}, '0.2.0-rc.1')
    expect(own.notes).toEqual([])
    expect(own.text).toMatch(/^The changelog has nothing between lib-auth 0\.2\.0-rc\.1 /)
  })
})

test('prints only the notes up to the version of the command', async () => {
  const { notes } = await upgradeWith({ 'package-lock.json': npmLock('0.1.0') }, {}, '0.2.1')
  expect(notes).toEqual(['0.2.1', '0.2.0'])
})

test('says that there is nothing between the versions, and checks the application', async () => {
  const { code, text, notes } = await upgradeWith({ 'package-lock.json': npmLock('0.3.0') })
  expect(notes).toEqual([])
  expect(text).toMatch(
    /^The changelog has nothing between lib-auth 0\.3\.0 \(package-lock\.json\) and 0\.3\.0, .* --from <version>\n/,
  )
  expect(text).toContain('✓ configuration: an export in auth.mjs.')
  expect(code).toBe(0)
})

test.each([
  ['package-lock.json', `{ "packages": { "": { "name": "lib-auth", "version": "9.0.0" } } }`],
  [
    'package-lock.json',
    `{ "packages": { "node_modules/lib-auth": { "version": "1\\u001b[2J" } } }`,
  ],
  ['yarn.lock', `"${'lib-auth@'.repeat(20_000)}`],
  ['bun.lock', '"'.repeat(200_000)],
])('in %s (%#), finds no other text', async (name, lock) => {
  const { code, text } = await upgradeWith({ [name]: lock })
  expect(text).toContain(`${name} contains no version of lib-auth`)
  expect(code).toBe(0)
})

test('without lib-auth in the lock file, prints no notes', async () => {
  const { code, text, notes } = await upgradeWith({
    'package-lock.json': `{ "packages": { "node_modules/lib-auth": {\n "resolved": "../..",\n "link": true } } }`,
  })
  expect([code, notes]).toEqual([0, []])
  expect(text).toMatch(/^package-lock\.json contains no version of lib-auth, .* --from <version>\n/)
})

describe('fails, and runs nothing,', () => {
  test.each<[string, Record<string, string>, Values, string, RegExp]>([
    ['without a lock file', {}, {}, 'UsageError', /^There is no lock file in .*: --from 0\.1\.0$/],
    [
      'for a version that is not in the changelog',
      { 'package-lock.json': npmLock('0.0.9') },
      {},
      'Failure',
      /^The changelog does not contain lib-auth 0\.0\.9 \(package-lock\.json\)\. Name one of its versions: --from 0\.3\.0, 0\.2\.1, 0\.2\.0, 0\.1\.0$/,
    ],
    [
      'for a lock file with conflicts',
      { 'package-lock.json': '<<<<<<< HEAD\n{}' },
      {},
      'Failure',
      /\/package-lock\.json cannot be read: .* Name the version that was in use: --from 0\.1\.0$/,
    ],
    [
      'for a lock file that is a folder',
      { 'yarn.lock/file': '' },
      {},
      'Failure',
      /\/yarn\.lock cannot be read: EISDIR: .*: --from 0\.1\.0$/,
    ],
    ...['0.1.0;id', '1.0', 'v0.2.0'].map(
      (from): [string, Record<string, string>, Values, string, RegExp] => [
        `for --from ${from}`,
        {},
        { from },
        'UsageError',
        /^The changelog does not contain lib-auth .* Name one of its versions: --from 0\.3\.0, /,
      ],
    ),
    [
      'for --from with another text',
      {},
      { from: 'latest' },
      'UsageError',
      /^The changelog does not contain lib-auth latest \(--from\)\./,
    ],
    [
      'for a newer version',
      { 'yarn.lock': `lib-auth@^0.4.0:\n  version "0.4.0"\n` },
      {},
      'Failure',
      /^lib-auth 0\.4\.0 \(yarn\.lock\) is newer than lib-auth 0\.3\.0, which runs this command\. Run: npx lib-auth@latest upgrade$/,
    ],
    ['for a newer --from', {}, { from: '1.0.0' }, 'UsageError', /^lib-auth 1\.0\.0 \(--from\) is/],
  ])('%s', async (_name, files, values, name, message) => {
    const folder = folderWith({ ...APPLICATION, ...files, 'old.ts': AUTH })
    const { code, text } = await runIn(folder, values)
    expect(code).toBe(name)
    expect(text).toMatch(message)
    expect(contentOf(folder)['old.ts']).toBe(AUTH)
  })
})

test('rewrites imports of next-auth that remain, and only prints them with --dry-run', async () => {
  const files = { ...APPLICATION, 'yarn.lock': `lib-auth@^0.3.0:\n  version "0.3.0"\n` }
  const folder = folderWith({ ...files, 'old.ts': AUTH })
  const shown = await runIn(folder, { 'dry-run': true })
  expect(shown.text).toContain('2 imports in 1 file would be rewritten; nothing was written.')
  expect(contentOf(folder)['old.ts']).toBe(AUTH)
  const done = await runIn(folder)
  expect(done.text).toContain('2 imports in 1 file rewritten.')
  expect(contentOf(folder)).toEqual({ ...files, 'old.ts': OURS })
  expect((await runIn(folder)).text).not.toContain('imports in')
})

test('exits with 1 for an error of the configuration, and still inspects the database', async () => {
  const broken = APPLICATION['auth.mjs'].replace(GOOD_SECRET, 'changeme')
  const { code, text } = await upgradeWith(
    { 'auth.mjs': '', 'config.mjs': broken },
    { from: '0.3.0', config: 'config.mjs', url: 'file:app.db', with: ['records'] },
  )
  expect(text).toContain('✗ secret: ')
  expect(text).toMatch(/create table "records" \([^]*schema: incomplete; .* needs 14 statements/)
  expect(text).toContain('Nothing was installed, and the database was not changed.')
  expect(code).toBe(1)
})

test('applies nothing in the database, whose URL is in a .env file', async () => {
  const folder = folderWith({ ...APPLICATION, '.env': 'DATABASE_URL=file:app.db' })
  const { code, text } = await runIn(folder, { from: '0.3.0', yes: true })
  expect(text).toContain('create table "users" (')
  const again = await runIn(folder, { from: '0.3.0', yes: true })
  expect(again.text).toContain('needs 11 statements, additive.')
  expect([code, again.code]).toEqual([0, 0])
})

test('says why the database is not inspected', async () => {
  const { code, text } = await upgradeWith({}, { from: '0.3.0' })
  expect(text).toContain('\nNot inspected: DATABASE_URL is not set.')
  expect(code).toBe(0)
})

test('inspects no database of another kind', async () => {
  const { code, text } = await runIn(
    folderWith({ ...APPLICATION, '.env': 'DATABASE_URL=mongodb://ada:s3cret@localhost/app' }),
    { from: '0.3.0' },
  )
  expect(text).toContain('\nNot inspected: DATABASE_URL is not that of PostgreSQL, MySQL,')
  expect(text).toContain('Nothing was installed, and the database was not changed.')
  expect(text).not.toContain('s3cret')
  expect(code).toBe(0)
  const named = await upgradeWith({}, { from: '0.3.0', url: 'mongodb://localhost/app' })
  expect(named.code).toBe('UsageError')
})

test('a package is missing, as Node.js and Yarn say it', () => {
  const error = (code: string, more = {}) => Object.assign(new Error('x'), { code, ...more })
  expect(isMissingPackage(error('ERR_MODULE_NOT_FOUND'))).toBe(true)
  const pnpCode = { pnpCode: 'MISSING_PEER_DEPENDENCY' }
  expect(isMissingPackage(error('MODULE_NOT_FOUND', pnpCode))).toBe(true)
  // A driver whose own packages are missing is installed.
  expect(isMissingPackage(error('MODULE_NOT_FOUND'))).toBe(false)
  expect(isMissingPackage(error('EXPORTS_RESOLUTION_FAILED', pnpCode))).toBe(false)
})

test('the built program uses the changelog of the package', () => {
  const before = `${ownVersion().replace(/-.*/, '')}-alpha.0`
  const folder = folderWith({ ...APPLICATION, 'package-lock.json': npmLock(before) })
  const { status, stdout, stderr } = startIn(folder, ['upgrade', '--dry-run'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)\n/)
  expect(stdout).toContain('\nConfiguration: npx lib-auth doctor\n')
})
