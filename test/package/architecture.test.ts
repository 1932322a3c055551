import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { LAYERS, LEAVES, PACKAGES, SIDEWAYS } from './import-rules.ts'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))
const TESTS = fileURLToPath(new URL('..', import.meta.url))

/** A hook that is registered when its module is loaded. */
const HOOK = /^(?:vitest\.)?(?:(?:after|around|before)(?:All|Each)|onTest(?:Failed|Finished))\(/m

interface Import {
  readonly from: string
  readonly to: string
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

function resolveImport(from: string, to: string): Import {
  const isOwn = to.startsWith('.')
  return { from, to: isOwn ? normalize(join(dirname(from), to)).replaceAll('\\', '/') : to }
}

/** Imports of values; types may come from anywhere. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  const statements = source.matchAll(
    /^(?:import|export) (?!type )(?:[\w*]+(?: as \w+)?(?:, )?)?(?:\{[^}]*\})? ?(?:from )?'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].map(([, still, lazy]) => resolveImport(file, still ?? lazy ?? ''))
}

/** The modules of the library that a file imports, also for their types only; without dynamic imports. */
function dependenciesOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  const statements = source.matchAll(/^(?:import|export) [^'";]*?from '(\.[^']+)'/gm)
  return [...statements].map(([, to = '']) => resolveImport(file, to).to)
}

function reachedFrom(start: string, dependencies: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set<string>(dependencies.get(start))
  for (const file of reached) for (const next of dependencies.get(file) ?? []) reached.add(next)
  return reached
}

const partOf = (file: string) => file.split('/')[0]?.replace(/\.tsx?$/, '') ?? ''
const nameOf = (file: string) => file.replace(/\.tsx?$/, '')

function isAllowed({ from, to }: Import): boolean {
  const user = partOf(from)
  if (!/\.tsx?$/.test(to)) {
    const allowed = PACKAGES[to.split('/')[0] ?? ''] ?? []
    return allowed.some((place) => nameOf(from) === place || from.startsWith(`${place}/`))
  }
  const used = partOf(to)
  if (used === user || LAYERS[used] === 0) return user !== 'flows' || isSameFlow(from, to)
  const leaf = LEAVES[user]
  if (leaf) return leaf.some((place) => nameOf(to).startsWith(place))
  const [own, other] = [LAYERS[user] ?? NaN, LAYERS[used] ?? NaN]
  return other < own || (other === own && SIDEWAYS[user]?.includes(used) === true)
}

/** A flow never imports another flow. */
function isSameFlow(from: string, to: string): boolean {
  return partOf(to) !== 'flows' || from.split('/')[1] === to.split('/')[1]
}

const files = filesBelow(SRC)

describe('the architecture', () => {
  test('every import is allowed by the table', () => {
    const imports = files.flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(files.length)
    expect(imports.filter((each) => !isAllowed(each))).toEqual([])
  })

  test('no cycle of imports, of values or types, has more than five files', () => {
    const dependencies = new Map(files.map((file) => [file, [...dependenciesOf(file)]]))
    const reached = new Map(files.map((file) => [file, reachedFrom(file, dependencies)]))
    const cycles = files.map((file) =>
      files.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)),
    )
    expect(dependencies.get('auth.ts')).toContain('contracts.ts')
    expect(cycles.filter(({ length }) => length > 5)).toEqual([])
  })

  test('every part is in the table', () => {
    const listed = new Set([...Object.keys(LAYERS), ...Object.keys(LEAVES), 'contracts'])
    expect(files.map(partOf).filter((part) => !listed.has(part))).toEqual([])
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
