/** docs/reference: names and values of each page are those of the source, and the page has all of them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SCHEMA } from '../../src/adapters/_schema.ts'
import {
  FURTHER_SECRETS,
  SECRET_NAMES,
  TRUST_NAMES,
  URL_NAMES,
} from '../../src/core/config/variables.ts'
import { MAX_CHUNKS, MAX_HEADER_LENGTH } from '../../src/core/cookies/reader.ts'
import { MAX_COOKIE_LENGTH } from '../../src/core/cookies/syntax.ts'
import { folderWith } from '../cli/folder.ts'
import { runIn } from '../cli/program.ts'
import { CASES } from '../upgrade/cases.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Contract {
  readonly environment: Readonly<Record<string, readonly string[]>>
  readonly cookies: Readonly<Record<'secure' | 'plain', Readonly<Record<string, Cookie>>>>
}

interface Cookie {
  readonly name: string
  readonly httpOnly: boolean
  readonly sameSite: string
  readonly path: string
  readonly maxAge?: number
}

const contract: Contract = JSON.parse(read('etc/contract.json'))

/** The rows of the tables below a heading of a page, or of all tables, as lists of cells. */
function rows(page: string, heading?: string): string[][] {
  const text = read(page)
  const start = heading === undefined ? 0 : text.indexOf(`\n## ${heading}\n`)
  expect([heading, start]).not.toEqual([heading, -1])
  const end = heading === undefined ? -1 : text.indexOf('\n## ', start + 1)
  const section = text.slice(start, end < 0 ? undefined : end)
  const tables = section.match(/(?:^\|.*\|\n)+/gm) ?? []
  return tables.flatMap((table) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      ),
  )
}

const code = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

/** The first code of each row. */
const firstNames = (table: readonly string[][]) => table.map(([cell]) => code(cell)[0] ?? '')

/** The TypeScript of a folder, by path. */
function sources(folder: string): Map<string, string> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const paths = files
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('/common-passwords.ts'))
  return new Map(paths.map((path) => [path, read(path)]))
}

const SOURCE = sources('src')

describe('docs/reference/environment.md', () => {
  const page = 'docs/reference/environment.md'

  test('has the variables of etc/contract.json, in their order of precedence', () => {
    const [secret, furtherSecrets, url, trustHost] = rows(page, 'The site').map(([cell]) =>
      code(cell),
    )
    const provider = rows(page, 'Providers').map(([cell]) => code(cell)[0] ?? '')
    const named = provider.map((name) => name?.replace('<PROVIDER>', 'SOME_ID'))
    const proxy = rows(page, 'Redirect proxy').map(([cell]) => code(cell)[0] ?? '')
    const others = [...proxy, 'NODE_ENV'].sort()
    expect({ url, secret, furtherSecrets, trustHost, provider: named, others }).toEqual(
      contract.environment,
    )
  })

  test('has every variable that the source reads, and no other', () => {
    const reads = [
      /\benv\['([A-Z][A-Z_\d]+)'\]/g,
      /\b(?:text|list|flag)\(env, '(\w+)'\)/g,
      /\bprocessVariable\('(\w+)'\)/g,
      /\bURL_VARIABLES = \['(\w+)'/g,
    ]
    const found = new Set(
      [...SOURCE.values()].flatMap((text) =>
        reads.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
      ),
    )
    for (const name of [...URL_NAMES, ...SECRET_NAMES, ...FURTHER_SECRETS, ...TRUST_NAMES])
      found.add(name)
    const named = rows(page).flatMap(([cell]) => code(cell))
    const listed = new Set(named.filter((name) => /^[A-Z][A-Z_\d]+$/.test(name)))
    expect([...listed].sort()).toEqual([...found].sort())
  })
})

/** Seconds in the words of the page. */
function duration(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} days`
  return `${seconds / 60} minutes`
}

describe('docs/reference/cookies.md', () => {
  const table = rows('docs/reference/cookies.md', 'Names and attributes')
  const cookies = Object.values(contract.cookies.plain)

  test('has the cookies of etc/contract.json, in their order', () => {
    const names = firstNames(table).map((name) => name.replace('.<8 digits>', ''))
    const inOrder = (list: string[]) => [...list].sort()
    expect(inOrder(names)).toEqual(inOrder(cookies.map(({ name }) => name)))
    const secure = Object.values(contract.cookies.secure).map(({ name }) => name)
    expect(inOrder(secure)).toEqual(inOrder(names.map((name) => `__Host-${name}`)))
  })

  test.each(cookies)('states lifetime and attributes of $name', (cookie) => {
    const row = table.find(([cell]) => code(cell)[0]?.replace('.<8 digits>', '') === cookie.name)
    const [, content = '', lifetime = ''] = row ?? []
    expect([cookie.httpOnly, cookie.path]).toEqual([true, '/'])
    expect(content.includes('`SameSite=Strict`')).toBe(cookie.sameSite === 'strict')
    if (cookie.maxAge !== undefined) expect(lifetime).toContain(duration(cookie.maxAge))
    else expect(lifetime).toMatch(/session|until the browser closes/)
  })

  test('states the limits of the source', () => {
    const constant = (path: string, name: string) =>
      Number(new RegExp(`const ${name} = ([\\d_]+)`).exec(read(path))?.[1]?.replaceAll('_', ''))
    const limits = [
      MAX_COOKIE_LENGTH,
      MAX_CHUNKS,
      constant('src/core/cookies/jar.ts', 'MAX_TOTAL_LENGTH'),
      constant('src/core/tokens/token-cookies.ts', 'MAX_COOKIES'),
      constant('src/core/checks/transaction.ts', 'MAX_TOTAL_LENGTH'),
      MAX_HEADER_LENGTH,
    ]
    const stated = rows('docs/reference/cookies.md', 'Sizes').map(([, limit = '']) =>
      Number(limit.replace(/\D/g, '')),
    )
    expect(stated).toEqual(limits)
    expect(constant('src/core/checks/transaction.ts', 'MAX_TRANSACTIONS')).toBe(5)
    expect(constant('src/core/checks/return-to.ts', 'MAX_LENGTH')).toBe(2048)
  })
})

const DIALECTS = ['postgres', 'mysql', 'mariadb', 'sqlite'] as const

describe('docs/reference/schema.md', () => {
  const page = 'docs/reference/schema.md'
  const tables = Object.entries(SCHEMA)

  test('has the tables, with their names in the database', () => {
    const stated = rows(page, 'Tables').map(([id, name]) => [code(id)[0], code(name)[0]])
    expect(stated).toEqual(tables.map(([id, { name }]) => [id, name]))
  })

  test.each(tables)('has the columns of %s', (id, table) => {
    const stated = rows(page, id).map(([name, type, isNull]) => [code(name)[0], type, isNull])
    const columns = Object.entries(table.columns).map(([name, { type, ...column }]) => {
      const missing = column.since ? ', and the column may be missing' : ''
      return [name, type, column.isNullable ? `yes${missing}` : 'no']
    })
    expect(stated).toEqual(columns)
    const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
    const { key, unique, indexes } = table
    const keys = [
      `Primary key: ${list(key)}`,
      unique && `unique: ${list(unique)}`,
      indexes && `indexes: ${list(indexes)}`,
    ]
    expect(read(page)).toContain(`\n${keys.filter(Boolean).join('; ')}.\n`)
  })

  test.each(DIALECTS)('has the types that lib-auth schema prints for %s', async (dialect) => {
    const folder = folderWith({})
    const words = ['schema', '--adapter', 'kysely', '--with', 'records,factors,passwords']
    const { stdout } = await runIn(folder, [...words, '--dialect', dialect])
    const types = new Map<string, string>()
    for (const [names = '', ...cells] of rows(page, 'Column types'))
      for (const name of names.split(', '))
        types.set(name, code(cells[DIALECTS.indexOf(dialect)])[0] ?? '')
    const printed = stdout.replaceAll(/["`]/g, '')
    for (const [, { name, columns }] of tables)
      for (const [column, { type, isNullable }] of Object.entries(columns)) {
        const [, definition = ''] =
          new RegExp(`^create table ${name} \\([^;]*?^ {2}${column} ([^\\n]*?),?$`, 'm').exec(
            printed,
          ) ?? []
        const [stated = ''] = definition.split(/ (?:character|not)\b/)
        expect([name, column, stated]).toEqual([name, column, types.get(type)])
        expect([name, column, definition.includes('not null')]).toEqual([name, column, !isNullable])
      }
  })
})

test('docs/reference/support.md has the versions of etc/support.json', () => {
  const support: Record<string, { versions: string[] }> = JSON.parse(read('etc/support.json'))
  const stated = rows('docs/reference/support.md', 'Tested versions')
  expect(stated).toEqual(
    Object.entries(support).map(([name, { versions }]) => [name, versions.join(', ')]),
  )
})

test('STABILITY.md has a row for each part of etc/contract.json', () => {
  const records = rows('STABILITY.md').flatMap(([, record]) => code(record))
  expect(records).toEqual(expect.arrayContaining(Object.keys(contract)))
})

describe('docs/reference/specifications.md', () => {
  const page = 'docs/reference/specifications.md'
  const [implemented = '', left = ''] = read(page).split('\n## Not implemented\n')
  const stated = rows(page).filter(([name]) => implemented.includes(`| ${name} |`))

  test('has every RFC that the source cites, and no other', () => {
    const cited = new Set(
      [...SOURCE.values()].flatMap((text) => text.match(/RFC \d+(?:bis)?/g) ?? []),
    )
    const named = stated.map(([name = '']) => name).filter((name) => name.startsWith('RFC'))
    expect([...named].sort()).toEqual([...cited].sort())
    for (const name of left.match(/RFC \d+/g) ?? []) expect([...cited]).not.toContain(name)
  })

  test.each(stated)('%s is cited in the file of its row', (name = '', _part, files) => {
    const [file = ''] = code(files)
    expect(SOURCE.get(file)).toMatch(new RegExp(`\\b${name}(?!\\d|bis)`))
  })
})

test('docs/upgrade.md has what the upgrade tests complete with the next release, and for how long', () => {
  const cases = Object.entries(CASES)
  const steps = cases.flatMap(([name, each]) =>
    each.kind === 'step' ? [[name, each.lasts] as const] : [],
  )
  const words = (seconds: number | null) => {
    if (seconds === null) return 'until the browser is closed'
    if (seconds === 3600) return '1 hour'
    const days = seconds / 86_400
    if (days >= 1) return days === 1 ? '1 day' : `${days} days`
    // Some are accepted for some seconds longer, in which an answer may arrive.
    return `${Math.floor(seconds / 60)} minutes`
  }
  const stated = rows('docs/upgrade.md', 'What an upgrade never does')
  expect(stated).toEqual(steps.map(([name, lasts]) => [name, words(lasts)]))
  const kinds = cases.filter(([, { kind }]) => kind === 'session').length
  expect(read('docs/upgrade.md')).toContain(`sessions of ${kinds} kinds`)
})

test('docs/concepts/comparison.md has a source and its date in each row', () => {
  const table = rows('docs/concepts/comparison.md', 'What others have')
  expect(table.length).toBeGreaterThan(10)
  for (const [need, , source] of table)
    expect([need, source]).toEqual([
      need,
      expect.stringMatching(/^\[[^\]]+\]\(https:[^)]+\), 2\d{3}-\d\d-\d\d$/),
    ])
})
