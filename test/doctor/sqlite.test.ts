/** `doctor` warns about SQLite drivers that lose writes. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, runDoctor, ENV, moduleWith } from './run-doctor.ts'

afterAll(cleanUp)

const MANIFEST = '{ "dependencies": { "@libsql/client": "0.18.0", "libsql": "0.5.29" } }'

async function examine(database: string): Promise<readonly string[]> {
  const files = {
    'auth.mjs': moduleWith('{ providers: [GitHub] }'),
    'package.json': MANIFEST,
    'lib/database.ts': database,
  }
  return (await runDoctor(applicationWith(files), [], ENV)).about('sqlite')
}

test.each([
  ['libsql', `import Database from 'libsql'\nexport const database = new Database('app.db')`],
  ['libsql', `export const open = async () => (await import('libsql')).default`],
  [
    '@libsql/client',
    `import { createClient } from '@libsql/client'\nexport const db = createClient({ url: 'file:app.db' })`,
  ],
])('warns about a file that is opened with %s', async (driver, database) => {
  const lines = await examine(database)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(
    `! sqlite: lib/database.ts opens a file with ${driver}, which does not commit later writes after one SQLITE_BUSY. → Use openSqlite('app.db')`,
  )
})

test.each([
  `import { openSqlite } from 'lib-auth/adapters/sqlite'\nexport const open = () => openSqlite('app.db')`,
  `import { createClient } from '@libsql/client'\nexport const db = createClient({ url: 'libsql://app.turso.io' })`,
])('reports nothing about %s', async (database) => {
  expect(await examine(database)).toEqual([])
})
