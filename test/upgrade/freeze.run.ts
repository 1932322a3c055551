/** Started by tools/freeze.mjs: writes what browsers and databases have after the cases, for the tests of later releases. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { startMariaDB, startRedis } from '../../tools/databases.mjs'
import { readPages } from '../../tools/site-pages.mjs'
import { CASES } from './cases.ts'
import { capture, CAPTURED_AT } from './frozen.ts'
import type { FrozenCase } from './frozen.ts'
import { dumpRows, IN_PROCESS, openDatabase, OPTIONS, runAll, tablesOf } from './databases.ts'
import { loadLibrary } from './library.ts'
import type { Library } from './library.ts'
import { dumpKeys } from './redis.ts'
import { writeRows } from './rows.ts'

const { VERSION = '', COMMIT = '', DIST } = process.env

async function freezeRows(library: Library, folder: URL): Promise<void> {
  const [mariadb, server] = await Promise.all([startMariaDB(), startRedis()])
  try {
    for (const dialect of [...IN_PROCESS, 'mariadb'] as const) {
      const database = await openDatabase(dialect, mariadb.url)
      const tables = tablesOf(dialect)
      await runAll(database, tables)
      await writeRows(library.kysely.default(database.db, OPTIONS), library)
      const lines = [...tables, ...(await dumpRows(database))]
      writeFileSync(
        new URL(`database/rows.${dialect}.sql`, folder),
        lines.map((line) => `${line};\n`).join(''),
      )
      await database.db.destroy()
    }
    const redis = new Redis(server.url)
    await writeRows(library.redis.default(redis), library)
    const keys = JSON.stringify(await dumpKeys(redis), null, 2)
    writeFileSync(new URL('database/redis.json', folder), `${keys}\n`)
    redis.disconnect()
  } finally {
    await Promise.all([mariadb.end(), server.end()])
  }
}

test('freezes a release', async () => {
  const folder = new URL(`${VERSION}/`, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(new URL('database/', folder), { recursive: true })
  const library = await loadLibrary(DIST)
  const cases: Record<string, FrozenCase> = {}
  for (const name of Object.keys(CASES)) cases[name] = await capture(library, name)
  await freezeRows(library, folder)
  const write = (file: string, value: object) =>
    writeFileSync(new URL(file, folder), `${JSON.stringify(value, null, 2)}\n`)
  write('cases.json', {
    version: VERSION,
    at: CAPTURED_AT,
    tables: tablesOf('sqlite'),
    cases,
  })
  for (const file of ['api.txt', 'contract.json'])
    copyFileSync(new URL(`../../etc/${file}`, import.meta.url), new URL(file, folder))
  write(
    'routes.json',
    readPages()
      .map(({ route }) => route)
      .sort(),
  )
  const configs = new URL('config/', import.meta.url)
  cpSync(configs, new URL('config/', folder), { recursive: true })
  const program = fileURLToPath(new URL('answers.mjs', import.meta.url))
  const answers = execFileSync(process.execPath, [program, fileURLToPath(configs)])
  writeFileSync(new URL('answers.json', folder), answers)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:json|sql|ts|txt)$/.test(file),
  )
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(new URL(file, folder)))
      .digest('hex')
  const hashes = Object.fromEntries(
    files
      .filter((file) => file !== 'manifest.json')
      .sort()
      .map((file) => [file, hash(file)]),
  )
  write('manifest.json', { version: VERSION, commit: COMMIT, node: process.version, files: hashes })
  expect(Object.keys(cases)).toHaveLength(Object.keys(CASES).length)
})
