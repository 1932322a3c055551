/** `doctor` reports source files that open SQLite with a driver that loses writes. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, ENV, moduleWith, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

async function findingsAbout(database: string): Promise<readonly string[]> {
  const folder = applicationWith({
    'auth.mjs': moduleWith('{ providers: [GitHub] }'),
    'lib/database.ts': database,
  })
  return (await runDoctor(folder, [], ENV)).about('sqlite')
}

test.each([
  `import Database from 'libsql'\nexport const database = new Database('app.db')`,
  `export const open = async () => (await import('libsql')).default`,
  `const Database = require("libsql")`,
  `import { createClient } from '@libsql/client'\nexport const db = createClient({ url: 'file:app.db' })`,
])('warns about a file that is opened by %s', async (database) => {
  const lines = await findingsAbout(database)
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
  expect(await findingsAbout(database)).toEqual([])
})
