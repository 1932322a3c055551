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
import { packAnswers } from './answers.ts'
import { CASES } from './cases.ts'
import { capture, CAPTURED_AT } from './frozen.ts'
import type { FrozenCase } from './frozen.ts'
import { dumpRows, IN_PROCESS, openDatabase, OPTIONS, runAll, tablesOf } from './databases.ts'
import { loadLibrary } from './library.ts'
import type { Library } from './library.ts'
import { dumpKeys } from './redis.ts'
import { NAMED, usersOf, writeRows } from './rows.ts'
import type { KeptOfRows } from './rows-site.ts'
import { SCHEMAS } from './schemas.ts'

const { VERSION = '', COMMIT = '', DIST } = process.env

async function freezeRows(library: Library, folder: URL): Promise<void> {
  const [mariadb, server] = await Promise.all([startMariaDB(), startRedis()])
  const kept: Record<string, KeptOfRows> = {}
  try {
    for (const [name, options] of [['rows', OPTIONS] as const, ['named', NAMED] as const])
      for (const dialect of [...IN_PROCESS, 'mariadb'] as const) {
        const store = `${name}.${dialect}`
        const database = await openDatabase(dialect, mariadb.url)
        const tables = tablesOf(dialect, options)
        await runAll(database, tables)
        const adapter = library.kysely.default(database.db, options)
        kept[store] = await writeRows(adapter, library, usersOf(VERSION, store))
        const lines = [...tables, ...(await dumpRows(database))]
        writeFileSync(
          new URL(`database/${store}.sql`, folder),
          lines.map((line) => `${line};\n`).join(''),
        )
        await database.db.destroy()
      }
    const redis = new Redis(server.url)
    kept['redis'] = await writeRows(
      library.redis.default(redis),
      library,
      usersOf(VERSION, 'redis'),
    )
    const keys = (await dumpKeys(redis)).map((key) => JSON.stringify(key))
    writeFileSync(new URL('database/redis.json', folder), `[\n${keys.join(',\n')}\n]\n`)
    redis.disconnect()
  } finally {
    await Promise.all([mariadb.end(), server.end()])
  }
  writeFileSync(new URL('database/kept.json', folder), `${JSON.stringify(kept)}\n`)
}

/** What the command prints for the tools of other adapters. */
function freezeSchemas(folder: URL): void {
  for (const [file, adapter, dialect] of SCHEMAS) {
    const wanted = ['--adapter', adapter, '--dialect', dialect, '--with', OPTIONS.with.join()]
    const out = fileURLToPath(new URL(`database/${file}`, folder))
    execFileSync(process.execPath, [`${DIST}/cli/index.js`, 'schema', ...wanted, '--out', out])
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
  freezeSchemas(folder)
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
  writeFileSync(new URL('answers.json', folder), packAnswers(String(answers)))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:json|prisma|sql|ts|txt)$/.test(file),
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
