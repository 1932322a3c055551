import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ENTRY_POINTS, LAYERS, PACKAGES, PARTS, SIDEWAYS, WINGS } from './import-rules.ts'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))
const TESTS = fileURLToPath(new URL('..', import.meta.url))

/** A hook that is registered when its module is loaded. */
const HOOK = /^(?:vitest\.)?(?:(?:after|around|before)(?:All|Each)|onTest(?:Failed|Finished))\(/m

interface Import {
  readonly from: string
  readonly to: string
  readonly kind: 'value' | 'type'
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
}

/** The test helpers, without files that running tests create and delete. */
function testModulesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return /^(?:\..*|node_modules|next-\d+)$/.test(entry.name) ? [] : testModulesBelow(path)
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : []
  })
}

const IMPORT =
  /^(?:import|export) (?<types>type )?(?:(?:[\w*]+(?: as \w+)?(?:, )?)?(?:\{[^}]*\})? ?from )?'(?<still>[^']+)'|(?<typeOf>\btypeof )?\bimport\('(?<lazy>[^']+)'\)/gm

/** The imports of a file, by paths without extension. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  return [...source.matchAll(IMPORT)].map(({ groups = {} }) => {
    const to = groups['still'] ?? groups['lazy'] ?? ''
    const path = to.startsWith('.') ? normalize(join(dirname(file), to)).replaceAll('\\', '/') : to
    const kind = groups['types'] || groups['typeOf'] ? 'type' : 'value'
    return { from: nameOf(file), to: to.startsWith('.') ? nameOf(path) : to, kind }
  })
}

const nameOf = (file: string) => file.replace(/\.tsx?$/, '')
const wingOf = (name: string) => (name.includes('/') ? (name.split('/')[0] ?? '') : 'entry points')
const isIn = (name: string, place: string) => name === place || name.startsWith(`${place}/`)

/** The first two folders: `frameworks/next`. */
const folderOf = (name: string) => name.split('/').slice(0, 2).join('/')

/** The row of the table of layers that names the most of a path. */
function rowOf(name: string): string {
  const rows = Object.keys(LAYERS).filter((row) => isIn(name, row))
  return rows.sort((a, b) => b.length - a.length)[0] ?? ''
}

function isPackageAllowed({ from, to }: Import): boolean {
  const allowed = PACKAGES[to.split('/')[0] ?? ''] ?? []
  return allowed.some((place) => isIn(from, place))
}

/** A flow never imports another flow. */
function isOtherFlow(from: string, to: string): boolean {
  const flows = [from, to].map((name) => /^core\/flows\/([^/]+)/.exec(name)?.[1])
  return flows[0] !== undefined && flows[1] !== undefined && flows[0] !== flows[1]
}

function isAllowedInCore(from: string, to: string): boolean {
  const [user, used] = [rowOf(from), rowOf(to)]
  const [own, other] = [LAYERS[user] ?? NaN, LAYERS[used] ?? NaN]
  if (other === 0) return true
  if (isOtherFlow(from, to)) return false
  return user === used || other < own || (other === own && SIDEWAYS[user]?.includes(used) === true)
}

function isValueAllowed({ from, to }: Import): boolean {
  const [user, used] = [wingOf(from), wingOf(to)]
  if (user === 'entry points') return used === 'core'
  if (user !== used) return WINGS[user]?.some((place) => to.startsWith(place)) === true
  if (user === 'core') return isAllowedInCore(from, to)
  const parts = PARTS[folderOf(from)]
  if (!parts || folderOf(from) === folderOf(to)) return true
  return parts.some((part) => isIn(to, `${user}/${part}`))
}

const files = filesBelow(SRC)
const names = files.map(nameOf)
const imports = files.flatMap(importsOf)
const own = imports.filter(({ to }) => names.includes(to) || names.includes(`${to}.d`))

/** The groups of files that import each other, directly or not. */
function cycles(): string[][] {
  const next = new Map(names.map((name) => [name, new Set<string>()]))
  for (const { from, to } of own) next.get(from)?.add(to)
  const reached = new Map(
    names.map((name) => {
      const found = new Set(next.get(name))
      for (const each of found) for (const more of next.get(each) ?? []) found.add(more)
      return [name, found]
    }),
  )
  const groups = names.map((name) =>
    names.filter((other) => reached.get(name)?.has(other) && reached.get(other)?.has(name)).sort(),
  )
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

describe('the architecture', () => {
  test('every import of a value is allowed by the tables', () => {
    const values = imports.filter(({ kind }) => kind === 'value')
    expect(values.length).toBeGreaterThan(files.length)
    expect(own.length).toBeGreaterThan(files.length)
    const isOwn = (each: Import) => own.includes(each)
    expect(values.filter((each) => isOwn(each) && !isValueAllowed(each))).toEqual([])
    expect(values.filter((each) => !isOwn(each) && !isPackageAllowed(each))).toEqual([])
  })

  test('the core imports no other wing, not even its types', () => {
    expect(own.filter(({ from, to }) => isIn(from, 'core') && !isIn(to, 'core'))).toEqual([])
  })

  test('no files import each other, directly or not, not even for types', () => {
    expect(own).toContainEqual({ from: 'core/auth', to: 'core/contracts', kind: 'type' })
    expect(cycles().filter(({ length }) => length > 1)).toEqual([])
  })

  test('every part is in a table', () => {
    expect([...new Set(names.map(wingOf))].sort()).toEqual(
      [...Object.keys(WINGS), 'entry points'].sort(),
    )
    expect(names.filter((name) => !name.includes('/')).sort()).toEqual([...ENTRY_POINTS].sort())
    expect(names.filter((name) => isIn(name, 'core') && rowOf(name) === '')).toEqual([])
    const isParted = (name: string) => ['browser', 'frameworks'].includes(wingOf(name))
    expect(names.filter((name) => isParted(name) && !PARTS[folderOf(name)])).toEqual([])
  })

  test('no module declares a variable with let, which all requests would share', () => {
    const lets = files.filter((file) =>
      /^(?:export )?let /m.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(lets).toEqual([])
  })

  test('no test helper registers a hook when it is loaded: only the first file of a process would get it', () => {
    // Vitest runs the files of `setup` again for each test file.
    const modules = testModulesBelow(TESTS).filter((file) => !file.includes('/setup/'))
    expect(modules.length).toBeGreaterThan(50)
    expect(modules.filter((file) => HOOK.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  // The linter rejects `any` and suppressions of the compiler.
  test('the source contains no suppression of the linter, and no assertion by way of unknown', () => {
    const pattern = /(?:oxlint|eslint)-disable|\bas unknown as\b/
    expect(files.filter((file) => pattern.test(readFileSync(join(SRC, file), 'utf8')))).toEqual([])
  })
})
