/** `doctor` reports packages of an application: vulnerable versions of Next.js, and drivers of SQLite that lose writes. */
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, ENV, moduleWith, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

/** The findings about Next.js in this version, installed here or in a folder above. */
async function aboutNext(version: string, folder = ''): Promise<readonly string[]> {
  const manifest = JSON.stringify({ name: 'next', version })
  const root = applicationWith(
    {
      'node_modules/next/package.json': manifest,
      [`${folder || '.'}/auth.mjs`]: 'export const config = { providers: [] }',
    },
    [],
  )
  const { about } = await examineFolder(folder ? `${root}/${folder}` : root)
  return about('next')
}

const UNSAFE = (version: string) =>
  `! next: version ${version} has known vulnerabilities, fixed in 15.5.18 and 16.2.6. → Run: npm install next@latest, or next@15.5 to stay on version 15.`

describe('Next.js', () => {
  test.each(['14.2.35', '15.1.0', '15.5.17', '16.0.0', '16.2.5'])(
    'reports %s as vulnerable',
    async (version) => {
      expect(await aboutNext(version)).toEqual([UNSAFE(version)])
    },
  )

  test.each(['15.5.18', '15.6.0-canary.1', '16.2.6', '16.10.0', '17.0.0'])(
    'accepts %s',
    async (version) => {
      expect(await aboutNext(version)).toEqual([])
    },
  )

  test('finds an installation in a workspace above the application', async () => {
    expect(await aboutNext('16.0.0', 'apps/site')).toEqual([UNSAFE('16.0.0')])
  })
})

async function aboutSqlite(database: string): Promise<readonly string[]> {
  const folder = applicationWith({
    'auth.mjs': moduleWith('{ providers: [GitHub] }'),
    'lib/database.ts': database,
  })
  return (await examineFolder(folder, [], ENV)).about('sqlite')
}

test.each([
  `import Database from 'libsql'\nexport const database = new Database('app.db')`,
  `export const open = async () => (await import('libsql')).default`,
  `const Database = require("libsql")`,
  `import { createClient } from '@libsql/client'\nexport const db = createClient({ url: 'file:app.db' })`,
])('warns about a file that is opened by %s', async (database) => {
  const lines = await aboutSqlite(database)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(
    `! sqlite: lib/database.ts opens a file with libsql: after one SQLITE_BUSY, later writes are not committed. → Open it with openSqlite('app.db')`,
  )
})

test.each([
  `import { openSqlite } from 'lib-auth/adapters/sqlite'\nexport const open = () => openSqlite('app.db')`,
  `import { createClient } from '@libsql/client'\nexport const db = createClient({ url: 'libsql://app.turso.io' })`,
  `// import Database from 'libsql'\nexport const database = null`,
])('reports nothing about %s', async (database) => {
  expect(await aboutSqlite(database)).toEqual([])
})
